import { lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { QueuedSubmission } from '#contract/moderation'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { RefusalNotice, StaleNotice } from '@/features/campaigns/moderation/refusal-notice'
import type { Submission } from '@/features/campaigns/moderation/use-decision'
import { ShownCampaign } from '@/features/campaigns/shown-campaign'
import { useSeen } from '@/features/campaigns/moderation/use-seen'
import { ClickLinks } from './click-links.tsx'
import { CreativesReview } from './creatives-review.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { FurtherContentSection } from './further-content-section.tsx'
import { RejectPanel } from './reject-panel.tsx'
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
  readonly approve: (submission: Submission) => void
  /** Called after an immediate decision. */
  readonly decided: (submission: Submission) => void
  /** Null without another submission. */
  readonly skip: (() => void) | null
  readonly refusalOf: (submission: Submission) => Error | null
}

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
  const { t } = useTranslation(['moderation', 'creatives'])
  const { campaign, changed } = useSeen(newest, isFetching)
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null)
  const refusal = actions.refusalOf(campaign)
  const waits = campaign.review === 'pending'
  const close = () => setDeciding(null)
  const rejectButton = useRef<HTMLButtonElement>(null)
  const cancelRejection = () => {
    flushSync(close)
    rejectButton.current?.focus()
  }
  return (
    <>
      <DecisionBar
        enabled={waits && !changed && refusal === null}
        canSkip={actions.skip !== null}
        rejectRef={rejectButton}
        onApprove={() => actions.approve(campaign)}
        onApproveWith={() => setDeciding('approve')}
        onReject={() => setDeciding('reject')}
        onSkip={() => actions.skip?.()}
      />
      {changed ? (
        <StaleNotice onReload={onReload} />
      ) : refusal !== null ? (
        <RefusalNotice error={refusal} onReload={onReload} />
      ) : (
        !waits && (
          <Notice>
            <div>
              <p className="font-semibold">{t('moderation:goneTitle')}</p>
              <p>{t('moderation:goneText')}</p>
            </div>
          </Notice>
        )
      )}
      {deciding === 'reject' && (
        <RejectPanel
          campaign={campaign}
          onCancel={cancelRejection}
          onRejected={() => actions.decided(campaign)}
          onReload={onReload}
        />
      )}
      {deciding === 'approve' && (
        <Suspense>
          <ApproveDialog
            campaign={campaign}
            open
            onClose={close}
            onDecided={() => actions.decided(campaign)}
            onReload={onReload}
          />
        </Suspense>
      )}
      <SubmissionFacts campaign={campaign} submission={submission} now={now} />
      {campaign.moderator_comment !== null && campaign.moderator_comment !== '' && (
        <Notice tone="warn">
          <div>
            <p className="font-semibold">{t('moderation:rejectedBefore')}</p>
            <p className="whitespace-pre-line">{campaign.moderator_comment}</p>
          </div>
        </Notice>
      )}
      {campaign.unapproved_changes.length > 0 && (
        <section aria-label={t('moderation:changedTitle')} className="border-border rounded-lg border px-4 pt-3 pb-2">
          <h3 className="font-semibold">{t('moderation:changedTitle')}</h3>
          <ShownCampaign value={campaign}>
            <Suspense fallback={<Skeleton className="mb-4 h-16 w-full" />}>
              <DifferenceTable changes={campaign.unapproved_changes} />
            </Suspense>
          </ShownCampaign>
        </section>
      )}
      <section aria-label={t('moderation:links')}>
        <h3 className="mb-2 font-semibold">{t('moderation:links')}</h3>
        <ClickLinks campaign={campaign} />
      </section>
      <section aria-label={t('creatives:title')}>
        <h3 className="mb-2 font-semibold">{t('creatives:title')}</h3>
        <CreativesReview campaign={campaign} />
      </section>
      <section aria-label={t('moderation:content')}>
        <h3 className="mb-2 font-semibold">{t('moderation:content')}</h3>
        <FurtherContentSection campaign={campaign} />
      </section>
      <SameAccount spaceId={campaign.space_id} campaignId={campaign.id} waits={waits} now={now} />
    </>
  )
}
