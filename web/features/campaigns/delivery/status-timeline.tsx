import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { StatusChangeRow } from '#contract/status-history'
import { LoadError } from '@/components/load-error'
import { StatusText } from '@/components/status-text'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { useCan } from '@/session/can'
import { authorOf } from './author.ts'
import { statusHistoryQuery } from './delivery-queries.ts'

/** Past statuses with what began and what ended, newest first. */
export function StatusTimeline({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('delivery')
  const readsLog = useCan()('log.read', campaign)
  const history = useInfiniteQuery(statusHistoryQuery(campaign.id, campaign.revision))
  if (history.data === undefined)
    return history.error === null ? (
      <Skeleton className="h-40 w-full" />
    ) : (
      <LoadError title={t('error')} error={history.error} onRetry={() => void history.refetch()} />
    )
  return (
    <div className="flex flex-col items-start gap-3">
      <ol aria-label={t('history')} className="border-border ml-1 flex flex-col gap-4 border-l pl-5">
        {history.data.pages.flatMap(({ data }) =>
          data.map((change) => (
            <li key={change.revision} className="relative flex flex-col gap-0.5">
              <span aria-hidden className="bg-border absolute top-1.5 -left-6 size-2 rounded-full" />
              <p className="flex flex-wrap items-baseline gap-x-3">
                <StatusText statusKey={change.status_key} />
                <span className="text-muted-foreground text-xs tabular-nums">
                  <time dateTime={change.at}>{formatMinute(change.at)}</time>
                  {` · ${authorOf(change.actor)}`}
                </span>
                {readsLog && (
                  <Link
                    to="/campaign/edit/$id"
                    params={{ id: campaign.id }}
                    search={{ tab: 'changeLog' }}
                    className="text-primary-ink text-xs hover:underline"
                  >
                    {t('revision', { revision: change.revision })}
                  </Link>
                )}
              </p>
              <Sentences change={change} />
            </li>
          )),
        )}
      </ol>
      {history.hasNextPage && (
        <Button variant="ghost" size="sm" disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </div>
  )
}

/** The reasons of a status, and those that ended. Reasons unknown to this version of the screens are left out. */
function Sentences({ change: { reasons, ended } }: { readonly change: StatusChangeRow }) {
  const { t } = useTranslation('delivery')
  const texts = (keys: readonly string[]) => keys.flatMap((key) => lookUp(`status:reason.${key}`) ?? [])
  return (
    <>
      <p>{texts(reasons).join('. ')}</p>
      {ended.length > 0 && <p className="text-muted-foreground text-xs">{t('ended', { reasons: texts(ended).join('. ') })}</p>}
    </>
  )
}
