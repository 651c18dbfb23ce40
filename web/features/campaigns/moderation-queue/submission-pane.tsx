import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { LoadError } from '@/components/load-error'
import { StatusText } from '@/components/status-text'
import { Skeleton } from '@/components/ui/skeleton'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { useCan } from '@/session/can'
import { AssignChoice } from './assign-choice.tsx'
import { HolderChips } from './holder-chips.tsx'
import { PaneHead } from './pane-head.tsx'
import { SubmissionChips } from './submission-chips.tsx'
import { SubmissionView, type SubmissionActions } from './submission-view.tsx'

type SubmissionPaneProps = {
  readonly id: string
  /** The row in the list; undefined when a link leads to a submission on another page. */
  readonly row: QueuedSubmission | undefined
  readonly now: number
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly actions: SubmissionActions
  readonly onOpenForm: () => void
}

/** The selected submission. Its head renders at once, the rest after loading. */
export function SubmissionPane({ id, row, now, headingRef, actions, onOpenForm }: SubmissionPaneProps) {
  const { t } = useTranslation('moderation')
  const client = useQueryClient()
  const [reloads, setReloads] = useState(0)
  const { data: campaign, error, isFetching, refetch } = useQuery(campaignQueries.detail(id))
  const { data: account } = useQuery({
    ...moderationQueries.ofAccount(campaign?.space_id ?? ''),
    enabled: campaign !== undefined,
  })
  useShortcuts([{ id: 'moderation.openForm', label: t('openForm'), keys: ['o'], run: onOpenForm }])
  const assigns = useCan()('review.assign')
  const submission = row ?? account?.data.find(({ campaign_id }) => campaign_id === id) ?? null
  const reload = async () => {
    await Promise.all([refetch(), client.invalidateQueries({ queryKey: moderationQueries.all() })])
    setReloads((count) => count + 1)
  }
  return (
    <article aria-labelledby="submission-name" className="flex flex-col gap-5 px-4 py-5 lg:px-6">
      <PaneHead
        id="submission-name"
        name={campaign?.name ?? row?.campaign_name ?? <Skeleton className="mt-1.5 mb-1.5 w-64" />}
        headingRef={headingRef}
        onOpenForm={onOpenForm}
      >
        <div className="text-muted-foreground text-[0.8125rem]/4.5 flex flex-wrap items-center gap-x-3 gap-y-1">
          {submission?.space_name}
          {campaign !== undefined && <StatusText statusKey={campaign.status_key} />}
          {submission !== null && <SubmissionChips explained submission={submission} />}
          {submission !== null && <HolderChips submission={submission} now={now} />}
          {submission !== null && assigns && <AssignChoice submission={submission} />}
        </div>
      </PaneHead>
      {campaign === undefined ? (
        error === null ? (
          <div aria-busy className="flex flex-col gap-4">
            <Skeleton className="h-9 w-96" />
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-64 w-full" />
          </div>
        ) : (
          <LoadError title={t('submissionErrorTitle')} error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <SubmissionView
          key={reloads}
          newest={campaign}
          isFetching={isFetching}
          submission={submission}
          now={now}
          actions={actions}
          onReload={() => void reload()}
        />
      )}
    </article>
  )
}
