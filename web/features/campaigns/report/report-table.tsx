import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { zoneName } from '#domain/kit/time-zone'
import { reportTableFile } from '#contract/report-tables'
import { CsvButton } from '@/components/data-table/csv-button'
import { DataTable } from '@/components/data-table/data-table'
import { NativeSelect } from '@/components/ui/native-select'
import { download } from '@/data/client'
import { useLanguage } from '@/i18n/use-language'
import { NoFigures } from './no-figures.tsx'
import { useTableColumns } from './report-columns.tsx'
import { isMoney } from './report-metrics.ts'
import { TABLE_GROUPINGS, type TableGrouping } from '#domain/reports/groupings'
import { METRIC_NAMES, TABLE_ROWS } from './report-names.ts'
import { reportQueries, tableBody, type TableAsked } from './report-queries.ts'
import { TableSearch } from './table-search.tsx'
import type { ReportView } from './use-report.ts'

/** The grouping of a report without a choice: each hour or day of a campaign, the countries of an account. */
function usualGrouping({ scope, step }: ReportView): TableGrouping {
  if (scope === null) return 'country'
  return step === 'hours' ? 'date_hour' : 'day'
}

/** The state of a report's table from its address, and its rows. */
export function useReportTable(report: ReportView) {
  const language = useLanguage()
  const { scope, search, request } = report
  const usual = usualGrouping(report)
  const asked: TableAsked = {
    grouping: search.by ?? usual,
    order: search.order,
    dir: search.dir,
    search: search.q,
    page: search.page ?? 0,
    rows: search.rows ?? TABLE_ROWS[0],
    language,
  }
  const table = useQuery(reportQueries.table(scope, request, asked))
  return { asked, usual, table }
}

type ReportTableProps = { readonly report: ReportView } & ReturnType<typeof useReportTable>

/** The figures of a period by a grouping that the user chooses: sorted, searched, paged, and exported as shown. */
export function ReportTable({ report, asked, usual, table }: ReportTableProps) {
  const { t } = useTranslation(['reports', 'common'])
  const { scope, zone, empty, patch, request } = report
  const { grouping } = asked
  const { data } = table
  // This answer may arrive before that of the chart: it says itself whether there is money.
  const currency = data?.currency
  const metrics = report.metrics.filter((metric) => currency !== null || !isMoney(metric))
  const groupings = TABLE_GROUPINGS.filter((name) => scope === null || name !== 'campaign')
  const heading =
    grouping === 'day'
      ? t('day', { zone: zoneName(zone) })
      : grouping === 'date_hour'
        ? t('hour', { zone: zoneName(zone) })
        : t(`grouping.${grouping}`)
  const all = grouping === 'day' ? t('total') : grouping === 'date_hour' ? t('totalHours') : t('account.all')
  const columns = useTableColumns(grouping, metrics, {
    heading,
    all: data && (asked.search === undefined ? all : t('table.found')),
    totals: data?.totals,
    currency: currency ?? '',
  })
  const file = (format: 'csv' | 'xlsx') => ({
    file: `report-by-${grouping.replaceAll('_', '-')}.${format}`,
    load: () => download(reportTableFile, { body: { ...tableBody(scope, { ...request, metrics }, asked), format } }),
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2 text-[0.8125rem]/4.5">
          {t('account.by')}
          <NativeSelect
            value={grouping}
            className="w-52"
            onChange={({ target }) => {
              const by = groupings.find((known) => known === target.value)
              patch({ by: by === usual ? undefined : by, q: undefined })
            }}
          >
            {groupings.map((name) => (
              <option key={name} value={name}>
                {t(`grouping.${name}`)}
              </option>
            ))}
          </NativeSelect>
        </label>
        <TableSearch value={asked.search ?? ''} onSearch={(q) => patch({ q: q === '' ? undefined : q })} />
        <span className="ml-auto flex flex-wrap gap-2">
          <CsvButton {...file('csv')} />
          <CsvButton {...file('xlsx')} label={t('excel.label')} done={t('excel.done')} />
        </span>
      </div>
      <DataTable
        caption={
          grouping === 'day'
            ? t('table.days')
            : grouping === 'date_hour'
              ? t('table.hours')
              : t('account.table', { grouping: t(`grouping.${grouping}`) })
        }
        columns={columns}
        rowId={({ key }) => key}
        rows={empty ? [] : data?.rows}
        total={data?.total_size ?? 0}
        view={{ page: asked.page, rows: asked.rows, sort: asked.order, dir: asked.dir, hidden: [] }}
        onView={(view) =>
          patch({
            ...(view.sort === undefined ? {} : { order: ORDERS.find((order) => order === view.sort), dir: view.dir }),
            ...(view.rows === undefined ? {} : { rows: view.rows === TABLE_ROWS[0] ? undefined : view.rows }),
            page: view.page === 0 ? undefined : view.page,
          })
        }
        {...(data !== undefined && data.total_size > TABLE_ROWS[0] ? { rowChoices: TABLE_ROWS } : {})}
        busy={table.isPlaceholderData}
        failed={{ title: t('table.error'), error: table.error, onRetry: () => void table.refetch() }}
        noMatch={
          !empty && asked.search !== undefined
            ? {
                title: t('table.noMatch'),
                text: t('table.noMatchText'),
                clear: t('table.clear'),
                onClear: () => patch({ q: undefined }),
              }
            : null
        }
        nothing={<NoFigures report={report} />}
        testId="report-row"
        narrow="scroll"
      />
      {data !== undefined && data.left_out > 0 && (
        <p className="text-muted-foreground text-xs">
          {t('account.mostSpent', { shown: data.total_size, count: data.total_size + data.left_out })}
        </p>
      )}
    </>
  )
}

const ORDERS = ['name', ...METRIC_NAMES] as const
