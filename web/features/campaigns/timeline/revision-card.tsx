import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { RevisionLine } from '#contract/audit'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { campaignQueries } from '@/data/campaign-queries'
import { formatMinute } from '@/i18n/format'
import { useCan } from '@/session/can'
import { Lines } from '../change-log/as-was-dialog.tsx'
import { authorName, eventsText, pathLabel, sourceName } from '../change-log/log-labels.ts'
import { fieldChanges } from '../change-log/field-changes.ts'
import { sayChange } from '../change-log/said-change.ts'
import { ChangedValue } from '../change-log/change-list.tsx'
import { TakeBackDialog, type TakeBack } from '../change-log/take-back-dialog.tsx'
import { useNames } from '../change-log/use-names.ts'

type RevisionCardProps = {
  readonly campaign: Campaign
  readonly revision: number
  readonly index: readonly RevisionLine[]
}

/** The change of a revision: who, when, from where, what, and what can be taken back. */
export function RevisionCard({ campaign, revision, index }: RevisionCardProps) {
  const { t } = useTranslation(['timeline', 'log'])
  const [asked, setAsked] = useState<TakeBack | null>(null)
  const writes = useCan()('campaign.write', campaign) && campaign.status_key !== STATUS_KEY.archived
  const place = index.findIndex((line) => line.revision === revision)
  // One entry: its page, of pages of one.
  const query = useQuery(
    campaignQueries.log(campaign.id, {
      page: Math.max(0, place),
      rows: 1,
      author: undefined,
      field: undefined,
      source: undefined,
      day: undefined,
    }),
  )
  const entry = query.data?.data.find((one) => one.revision === revision)
  const changes = entry === undefined ? [] : fieldChanges(entry.state_difference)
  const names = useNames(changes)
  const newest = index[0]?.revision
  return (
    <section aria-labelledby="timeline-revision" className="border-border bg-card min-w-0 rounded-lg border">
      <div className="px-5 pt-4 pb-2">
        <h2 id="timeline-revision" className="text-[15px]/6 font-semibold">
          {t('timeline:change.title', { revision })}
        </h2>
        {entry !== undefined && (
          <p className="text-muted-foreground text-xs tabular-nums">
            {t('timeline:change.by', {
              date: formatMinute(entry.commit_date),
              author: authorName(entry),
              source: sourceName(entry.source),
            })}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-3 px-5 pb-5">
        {entry === undefined ? (
          query.error === null ? (
            <Lines />
          ) : (
            <LoadError title={t('timeline:change.error')} error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : (
          <>
            <p className="font-medium">{eventsText(entry.events).join(' · ')}</p>
            {revision === 1 || changes.length === 0 ? (
              <p className="text-muted-foreground text-[0.8125rem]/4.5">
                {t(revision === 1 ? 'timeline:change.created' : 'timeline:change.none')}
              </p>
            ) : (
              <dl className="text-[0.8125rem]/4.5">
                {changes.map((change) => (
                  <div
                    key={change.path}
                    data-testid={`changed-${change.path}`}
                    className="border-border border-b py-2 last:border-0"
                  >
                    <dt className="text-muted-foreground text-xs">{pathLabel(change.path)}</dt>
                    <dd className="min-w-0">
                      <ChangedValue said={sayChange(change, names)} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            {writes && (
              <div className="flex flex-wrap gap-2">
                {revision !== 1 && (
                  <Button variant="outline" size="sm" onClick={() => setAsked('undo')}>
                    {t('log:takeBack.undo.open')}
                  </Button>
                )}
                {revision !== newest && (
                  <Button variant="outline" size="sm" onClick={() => setAsked('restore')}>
                    {t('log:takeBack.restore.open')}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </div>
      {asked !== null && (
        <TakeBackDialog
          kind={asked}
          campaign={campaign.id}
          revision={revision}
          onCancel={() => setAsked(null)}
          onDone={() => setAsked(null)}
        />
      )}
    </section>
  )
}
