import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AudienceDetails } from '#contract/audiences'
import { LoadError } from '@/components/load-error'
import { Skeleton } from '@/components/ui/skeleton'
import { audienceQueries } from '@/data/audience-queries'
import { formatCount, formatShare } from '@/i18n/format'
import { CELL, DetailCard, HEAD } from './detail-card.tsx'

/** Which members an audience shares with the other ones of its account. */
export function AudienceOverlap({ audience: { id, version, matched } }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  const { data, error, refetch } = useQuery(audienceQueries.overlap(id, version))
  if (data === undefined || data.audiences.length === 0)
    return (
      <DetailCard title={t('details.overlap')}>
        {error !== null ? (
          <LoadError title={t('details.overlapError')} error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <p className="text-muted-foreground">{t('details.overlapNone')}</p>
        )}
      </DetailCard>
    )
  return (
    <DetailCard flush title={t('details.overlap')}>
      <table className="w-full border-collapse text-[0.8125rem]/4.5">
        <caption className="sr-only">{t('details.overlapTable')}</caption>
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              {t('columns.name')}
            </th>
            {(['members', 'shared', 'share'] as const).map((key) => (
              <th key={key} scope="col" className={`${HEAD} text-right`}>
                {t(`details.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.audiences.map((other) => (
            <tr key={other.id} className="border-border border-b last:border-0">
              <th scope="row" className={`${CELL} text-left font-medium`}>
                <Link to="/audience/details/$id" params={{ id: other.id }} className="hover:underline">
                  {other.name}
                </Link>
              </th>
              <td className={`${CELL} text-right tabular-nums`}>{formatCount(other.members)}</td>
              <td className={`${CELL} text-right tabular-nums`}>
                {formatCount(other.shared)}
                {other.estimated && <span className="text-muted-foreground block text-xs">{t('details.estimated')}</span>}
              </td>
              <td className={`${CELL} text-right tabular-nums`}>
                {matched === 0 ? '–' : formatShare((other.shared / matched) * 100)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailCard>
  )
}
