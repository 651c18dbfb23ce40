import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { OpenSecondLook } from '#contract/second-looks'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { campaignQueries } from '@/data/campaign-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { RefusalNotice } from '@/features/campaigns/moderation/refusal-notice'
import type { Submission } from '@/features/campaigns/moderation/use-decision'
import { formatMinute } from '@/i18n/format'
import { PaneHead } from './pane-head.tsx'
import { RejectPanel } from './reject-panel.tsx'
import { ReviewedContent } from './reviewed-content.tsx'
import { SubmissionFacts } from './submission-facts.tsx'
import type { SubmissionActions } from './submission-view.tsx'

type SecondLookPaneProps = {
  readonly look: OpenSecondLook
  readonly submission: Submission
  readonly now: number
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly actions: SubmissionActions
  readonly onOpenForm: () => void
  readonly onReload: () => void
}

/** A campaign as it was approved, which a second moderator agrees or disagrees with. */
export function SecondLookPane({ look, submission, now, headingRef, actions, onOpenForm, onReload }: SecondLookPaneProps) {
  const { t } = useTranslation('moderation')
  const { data: campaign, error, refetch } = useQuery(campaignQueries.asOf(look.campaign_id, look.approved_at))
  // The form of a disagreement begins at its first reason.
  const { isPending: awaitsReasons } = useQuery(moderationQueries.guidelines(look.campaign_id))
  const draft = actions.draftOf(submission)
  const [disagreeing, setDisagreeing] = useState(draft?.kind === 'reject')
  const refusal = actions.refusalOf(submission)
  const disagreeButton = useRef<HTMLButtonElement>(null)
  const enabled = campaign !== undefined && !awaitsReasons && refusal === null
  const close = () => {
    actions.forget(submission)
    setDisagreeing(false)
  }
  const agree = () => actions.decide(submission, { kind: 'approve' })
  const disagree = () => setDisagreeing(true)
  const skip = () => actions.skip?.()
  useShortcuts([
    { id: 'moderation.openForm', label: t('openForm'), keys: ['o'], run: onOpenForm },
    { id: 'moderation.approve', label: t('second.agree'), keys: ['a'], when: () => enabled, run: agree },
    { id: 'moderation.reject', label: t('second.disagree'), keys: ['r'], when: () => enabled, run: disagree },
    { id: 'moderation.skip', label: t('skip'), keys: ['s'], when: () => actions.skip !== null, run: skip },
  ])
  return (
    <article aria-labelledby="second-look-name" className="flex flex-col gap-5 px-4 py-5 lg:px-6">
      <PaneHead id="second-look-name" name={look.campaign_name} headingRef={headingRef} onOpenForm={onOpenForm}>
        <p className="text-muted-foreground text-[0.8125rem]/4.5">{look.space_name}</p>
      </PaneHead>
      <div className="bg-card border-border sticky top-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-y px-4 py-2.5 lg:-mx-6 lg:px-6 max-xl:[&_button]:px-2.5 max-xl:[&_kbd]:hidden">
        <Button disabled={!enabled} aria-keyshortcuts={ariaKeys(['a'])} onClick={agree}>
          {t('second.agree')}
          <ShortcutHint keys="a" />
        </Button>
        <Button ref={disagreeButton} variant="outline" disabled={!enabled} aria-keyshortcuts={ariaKeys(['r'])} onClick={disagree}>
          {t('second.disagree')}
          <ShortcutHint keys="r" />
        </Button>
        <Button variant="ghost" disabled={actions.skip === null} aria-keyshortcuts={ariaKeys(['s'])} onClick={skip}>
          {t('skip')}
          <ShortcutHint keys="s" />
        </Button>
      </div>
      {refusal !== null && (
        <RefusalNotice
          error={refusal}
          campaignId={look.campaign_id}
          onReload={() => {
            close()
            onReload()
          }}
        />
      )}
      {disagreeing && (
        <RejectPanel
          campaignId={look.campaign_id}
          draft={draft}
          blocked={refusal !== null}
          onCancel={() => {
            flushSync(close)
            disagreeButton.current?.focus()
          }}
          onReject={(verdict) => actions.decide(submission, verdict)}
        />
      )}
      <Notice>
        <div>
          <p className="font-semibold">
            {t('second.approvedByAt', { name: look.approver.name, time: formatMinute(look.approved_at) })}
          </p>
          <p>{t('second.text', { time: formatMinute(look.expires_at) })}</p>
        </div>
      </Notice>
      {campaign !== undefined ? (
        <>
          <SubmissionFacts campaign={campaign} submission={null} now={now} />
          <ReviewedContent campaign={campaign} />
        </>
      ) : error === null ? (
        <div aria-busy className="flex flex-col gap-4">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-64 w-full" />
        </div>
      ) : (
        <LoadError title={t('submissionErrorTitle')} error={error} onRetry={() => void refetch()} />
      )}
    </article>
  )
}
