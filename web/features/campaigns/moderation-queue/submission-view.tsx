import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { QueuedSubmission } from '#contract/moderation'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { RefusalNotice, StaleNotice } from '@/features/campaigns/moderation/refusal-notice'
import type { Submission, Verdict } from '@/features/campaigns/moderation/use-decision'
import { ShownCampaign } from '@/features/campaigns/shown-campaign'
import { useHold } from '@/features/campaigns/moderation/holds'
import { useMe } from '@/session/session-queries'
import { useSeen } from '@/features/campaigns/moderation/use-seen'
import { moderationQueries } from '@/data/moderation-queries'
import { Checklist } from './checklist.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { suggestedRejection } from './findings.ts'
import { HoldNotice } from './hold-notice.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { RejectPanel } from './reject-panel.tsx'
import { ReviewedContent } from './reviewed-content.tsx'
import { SameAccount } from './same-account.tsx'
import { SubmissionFacts } from './submission-facts.tsx'

const ApproveDialog = lazy(async () => ({
  default: (await import('@/features/campaigns/moderation/approve-dialog')).ApproveDialog,
}))

const DifferenceTable = lazy(async () => ({
  default: (await import('@/features/campaigns/change-log/difference-table')).DifferenceTable,
}))

/** Outcomes of viewing a submission. */
export type SubmissionActions = {
  /** Decides and shows the next one; the decision can be undone for a while. */
  readonly decide: (submission: Submission, verdict: Verdict) => void
  /** Null without another submission. */
  readonly skip: (() => void) | null
  readonly refusalOf: (submission: Submission) => Error | null
  /** Input of a decision that came back. */
  readonly draftOf: (submission: Submission) => Verdict | null
  /** Starts again, without the refusal and what was typed. */
  readonly forget: (submission: Submission) => void
}

/** The form of a decision; null for one without. */
const formOf = (draft: Verdict | null): 'approve' | 'reject' | null =>
  draft === null || (draft.kind === 'approve' && draft.chosen === undefined) ? null : draft.kind

type SubmissionViewProps = {
  readonly newest: Campaign
  readonly isFetching: boolean
  readonly submission: QueuedSubmission | null
  readonly now: number
  readonly actions: SubmissionActions
  readonly onReload: () => void
}

/** In the moderator's reading order: changes, links, previews, audience. */
export function SubmissionView({ newest, isFetching, submission, now, actions, onReload }: SubmissionViewProps) {
  const { t } = useTranslation('moderation')
  const { campaign, changed } = useSeen(newest, isFetching)
  const draft = actions.draftOf(campaign)
  // A decision that came back opens again as it was.
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(formOf(draft))
  const refusal = actions.refusalOf(campaign)
  const waits = campaign.review === 'pending'
  const { other, takenOver } = useHold(campaign, submission, useMe().id, waits, now)
  const close = () => {
    actions.forget(campaign)
    setDeciding(null)
  }
  const reload = () => {
    actions.forget(campaign)
    onReload()
  }
  const { data: guidelines, isPending: awaitsGuidelines } = useQuery(moderationQueries.guidelines(campaign.id))
  const { data: found } = useQuery({ ...moderationQueries.findings(campaign.id, campaign.revision), enabled: waits })
  const suggested = useMemo(
    () => (found === undefined || guidelines === undefined ? undefined : suggestedRejection(found, guidelines)),
    [found, guidelines],
  )
  const checklist = guidelines?.checklist ?? []
  const [ticked, setTicked] = useState<ReadonlySet<number>>(draft?.ticked ?? new Set())
  const openLines = checklist.length - ticked.size
  const decide = (verdict: Verdict) =>
    actions.decide(campaign, { ...verdict, ticked, ...(verdict.kind === 'approve' && openLines > 0 ? { openLines } : {}) })
  const rejectButton = useRef<HTMLButtonElement>(null)
  const cancelRejection = () => {
    flushSync(close)
    rejectButton.current?.focus()
  }
  return (
    <>
      <DecisionBar
        // Not before the guidelines: an approval counts the open lines of the checklist, a rejection begins at its first reason.
        enabled={waits && !awaitsGuidelines && !changed && refusal === null && other === null}
        canSkip={actions.skip !== null}
        rejectRef={rejectButton}
        onApprove={() => decide({ kind: 'approve' })}
        onApproveWith={() => setDeciding('approve')}
        onReject={() => setDeciding('reject')}
        onSkip={() => actions.skip?.()}
      />
      {changed ? (
        <StaleNotice onReload={onReload} />
      ) : refusal !== null ? (
        <RefusalNotice error={refusal} campaignId={campaign.id} onReload={reload} />
      ) : (
        !waits && (
          <Notice>
            <div>
              <p className="font-semibold">{t('goneTitle')}</p>
              <p>{t('goneText')}</p>
            </div>
          </Notice>
        )
      )}
      {other !== null && waits && <HoldNotice campaignId={campaign.id} holder={other} takenOver={takenOver} />}
      {deciding === 'reject' && (
        <RejectPanel
          campaignId={campaign.id}
          draft={draft}
          suggested={suggested}
          blocked={refusal !== null || other !== null}
          onCancel={cancelRejection}
          onReject={decide}
        />
      )}
      {deciding === 'approve' && (
        <Suspense>
          <ApproveDialog
            campaign={campaign}
            open
            draft={draft}
            refusal={refusal}
            onClose={close}
            onDecide={decide}
            onReload={reload}
          />
        </Suspense>
      )}
      {waits && found !== undefined && <FindingsPanel found={found} reasons={guidelines?.reasons ?? []} />}
      {checklist.length > 0 && <Checklist lines={checklist} ticked={ticked} onTick={setTicked} />}
      <SubmissionFacts campaign={campaign} submission={submission} now={now} />
      {campaign.moderator_comment !== null && campaign.moderator_comment !== '' && (
        <Notice tone="warn">
          <div>
            <p className="font-semibold">{t('rejectedBefore')}</p>
            <p className="whitespace-pre-line">{campaign.moderator_comment}</p>
          </div>
        </Notice>
      )}
      {campaign.unapproved_changes.length > 0 && (
        <section aria-label={t('changedTitle')} className="border-border rounded-lg border px-4 pt-3 pb-2">
          <h3 className="font-semibold">{t('changedTitle')}</h3>
          <ShownCampaign value={campaign}>
            <Suspense fallback={<Skeleton className="mb-4 h-16 w-full" />}>
              <DifferenceTable changes={campaign.unapproved_changes} />
            </Suspense>
          </ShownCampaign>
        </section>
      )}
      <ReviewedContent campaign={campaign} />
      <SameAccount spaceId={campaign.space_id} campaignId={campaign.id} waits={waits} now={now} />
    </>
  )
}
