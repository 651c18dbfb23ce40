import { useTranslation } from 'react-i18next'
import type { placementReport } from '#contract/estimates'
import type { z } from '#contract/zod'
import { Skeleton } from '@/components/ui/skeleton'
import { formatCount } from '@/i18n/format'

type Place = z.output<typeof placementReport.output>['data'][number]

const COLUMNS = ['name', 'system', 'exchange', 'position', 'creative', 'users', 'impressions'] as const
const NUMERIC: readonly string[] = ['users', 'impressions']

/** Rows of places; undefined until the first answer. */
export function PlacesTable({ places }: { readonly places: readonly Place[] | undefined }) {
  const { t } = useTranslation('placement')
  if (places === undefined) return <Skeleton className="m-3 h-40" />
  if (places.length === 0) return <p className="text-muted-foreground p-4 text-[0.8125rem]/4.5">{t('places.nothing')}</p>
  return (
    <table className="w-full text-[0.8125rem]/4.5 tabular-nums">
      <caption className="sr-only">{t('places.list')}</caption>
      <thead className="bg-card sticky top-0">
        <tr className="border-border border-b">
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`text-muted-foreground px-3 py-2 font-medium ${NUMERIC.includes(column) ? 'text-right' : 'text-left'}`}
            >
              {t(`places.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((place) => (
          <tr key={`${place.os} ${place.bundle_id}`} className="border-border border-b last:border-b-0">
            <th scope="row" className="px-3 py-1.5 text-left font-medium [overflow-wrap:anywhere]">
              {place.name}
            </th>
            <td className="px-3 py-1.5">{place.os}</td>
            <td className="px-3 py-1.5">{place.exchange_id}</td>
            <td className="px-3 py-1.5">
              {t(`places.positions.${String(place.creative_position) as '0'}`, { defaultValue: String(place.creative_position) })}
            </td>
            <td className="px-3 py-1.5 whitespace-nowrap">
              {t(`places.types.${place.creative_type as 'banner'}`, { defaultValue: place.creative_type })}{' '}
              {place.creative_size.replace('x', '×')}
            </td>
            <td className="px-3 py-1.5 text-right">{formatCount(place.user_count)}</td>
            <td className="px-3 py-1.5 text-right">{formatCount(place.impression_count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
