import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { LoadError } from '@/components/load-error'
import { StatusText } from '@/components/status-text'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
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
  const submission = row ?? account?.data.find(({ campaign_id }) => campaign_id === id) ?? null
  const reload = async () => {
    await Promise.all([refetch(), client.invalidateQueries({ queryKey: moderationQueries.all() })])
    setReloads((count) => count + 1)
  }
  return (
    <article aria-labelledby="submission-name" className="flex flex-col gap-5 px-4 py-5 lg:px-6">
      <header className="flex items-start justify-between gap-4">
        <div className="flex min-w-0 flex-col gap-1">
          <h2
            id="submission-name"
            ref={headingRef}
            tabIndex={-1}
            className="scroll-mt-5 text-[17px] leading-6 font-semibold break-words outline-none"
          >
            {campaign?.name ?? row?.campaign_name ?? <Skeleton className="mt-1.5 mb-1.5 w-64" />}
          </h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5 flex flex-wrap items-center gap-x-3 gap-y-1">
            {submission?.space_name}
            {campaign !== undefined && <StatusText statusKey={campaign.status_key} />}
            {submission !== null && <SubmissionChips explained submission={submission} />}
          </p>
        </div>
        <Button variant="ghost" size="sm" className="-mr-2.5" aria-keyshortcuts={ariaKeys(['o'])} onClick={onOpenForm}>
          {t('openForm')}
          <ShortcutHint keys="o" />
        </Button>
      </header>
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
