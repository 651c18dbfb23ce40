import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { GroupedReport } from '../../../../api/contract/reports.ts'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { NativeSelect } from '@/components/ui/native-select'
import { useLanguage } from '@/i18n/use-language'
import { NoFigures } from './no-figures.tsx'
import { useMetricColumns } from './report-columns.tsx'
import { isMoney } from './report-metrics.ts'
import { REPORT_GROUPINGS, type ReportGrouping } from './report-names.ts'
import { useShownPage } from './use-shown-page.ts'
import type { ReportView } from './use-report.ts'

type Row = GroupedReport['rows'][number]

type GroupsTableProps = {
  readonly report: ReportView
  readonly grouping: ReportGrouping
  readonly groups: UseQueryResult<GroupedReport | null>
}

/** The figures of a period by a grouping that the user chooses, the most spent first. */
export function GroupsTable({ report, grouping, groups }: GroupsTableProps) {
  const { t } = useTranslation('reports')
  const nameOf = useGroupNames(grouping)
  const { patch } = report
  // This answer may arrive before that of the chart: it says itself whether there is money.
  const currency = groups.data?.currency
  const metrics = report.metrics.filter((metric) => currency !== null || !isMoney(metric))
  const shown = useShownPage(groups.data?.rows)
  const loaded = groups.data?.rows.length ?? 0
  const total = groups.data?.total_size ?? 0
  const columns: readonly DataColumn<Row>[] = [
    {
      id: 'group',
      header: t(`grouping.${grouping}`),
      rowHeader: true,
      summary: groups.data ? t('account.all') : undefined,
      cell: nameOf,
      className: 'min-w-28 [overflow-wrap:anywhere]',
    },
    ...useMetricColumns<Row>(metrics, groups.data?.totals, currency ?? ''),
  ]
  return (
    <>
      <label className="flex items-center gap-2 text-[0.8125rem]/4.5">
        {t('account.by')}
        <NativeSelect
          value={grouping}
          className="w-56"
          onChange={({ target }) => {
            const by = REPORT_GROUPINGS.find((known) => known === target.value)
            patch({ by: by === 'country' ? undefined : by })
          }}
        >
          {REPORT_GROUPINGS.map((name) => (
            <option key={name} value={name}>
              {t(`grouping.${name}`)}
            </option>
          ))}
        </NativeSelect>
      </label>
      <DataTable
        {...shown}
        caption={t('account.table', { grouping: t(`grouping.${grouping}`) })}
        columns={columns}
        rowId={({ key }) => key}
        busy={groups.isPlaceholderData}
        nothing={<NoFigures report={report} />}
        testId="report-group"
        narrow="scroll"
      />
      {total > loaded && (
        <p className="text-muted-foreground text-xs">{t('account.mostSpent', { shown: loaded, count: total })}</p>
      )}
    </>
  )
}

/** Returns how a row of a grouping is called. */
function useGroupNames(grouping: ReportGrouping): (row: Row) => string {
  const { t } = useTranslation('reports')
  const language = useLanguage()
  return ({ key, label }) => {
    if (label === '') return t('account.unnamed')
    if (grouping === 'platforms') return t(`device.${key as '2' | '3' | '5' | '8' | '9'}`, { defaultValue: label })
    if (grouping === 'country') return new Intl.DisplayNames([language], { type: 'region' }).of(key) ?? label
    // 2024 began on a Monday, day 1 of the week.
    if (grouping === 'day_of_week')
      return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, Number(key)))
    return grouping === 'hour' ? `${key}:00` : label
  }
}
