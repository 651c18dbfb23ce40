import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { localDay } from '#domain/campaign/content/dates'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatDay, formatPercent, formatPlainDay } from '@/i18n/format'

const MONEY = ['cpm', 'cpc', 'cpa'] as const
const RATES = ['ctr', 'cvr'] as const

/** Columns that users may add to the list: figures that stand below others, and what rows say in words. */
export function useFurtherColumns(): readonly DataColumn<ListRow>[] {
  const { t } = useTranslation('campaigns')
  const none = <span className="text-muted-foreground">{t('none')}</span>
  const column = (id: string, header: string, cell: (row: ListRow) => ReactNode): DataColumn<ListRow> => ({
    id,
    header,
    cell,
    hideable: true,
    further: true,
    width: 'w-28',
  })
  const figure = { numeric: true, sortable: 'desc' } as const
  const dayOf = (instant: string | null, zone: number | null) =>
    instant === null ? none : formatPlainDay(localDay(instant, zone ?? 0))
  return [
    ...RATES.map((id) => ({
      ...column(id, t(`columns.${id}`), ({ [id]: value }) => (value === null ? none : formatPercent(value))),
      ...figure,
    })),
    ...MONEY.map((id) => ({
      ...column(id, t(`columns.${id}`), ({ [id]: value, currency }) =>
        value === null ? none : <Money value={value} currency={currency} />,
      ),
      ...figure,
    })),
    {
      ...column('budget', t('columns.budget'), ({ budget, budget_type_key: type, currency }) =>
        budget === null ? (
          none
        ) : (
          <Money value={budget} currency={currency} within={(value) => t(type === 1 ? 'meta.inAll' : 'meta.aDay', { value })} />
        ),
      ),
      numeric: true,
      width: 'w-32',
    },
    column('start', t('columns.start'), (row) => dayOf(row.campaign_start_at, row.timezone_offset_seconds)),
    column('end', t('columns.end'), (row) => dayOf(row.campaign_end_at, row.timezone_offset_seconds)),
    column('created', t('columns.created'), (row) => formatDay(row.created_at)),
    column('updated', t('columns.updated'), (row) => formatDay(row.updated_at)),
    {
      ...column('id', t('columns.id'), (row) => <code className="text-xs [overflow-wrap:anywhere]">{row.id}</code>),
      width: 'w-40',
    },
  ]
}
