import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { CsvButton } from '@/components/data-table/csv-button'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import { useListPage } from '@/components/data-table/use-list-page'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { LogImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { NativeSelect } from '@/components/ui/native-select'
import { useToday } from '@/lib/clock'
import { presetRange } from '@/lib/date-range'
import { billingQueries, MOVEMENT_ROWS, saveMovements } from './billing-queries.ts'
import type { BillingSearch } from './billing-search.ts'
import { useMovementColumns } from './movement-columns.tsx'

type MovementsTabProps = {
  readonly spaceId: string
  readonly currency: string
  readonly search: BillingSearch
  readonly onSearch: (patch: Partial<BillingSearch>, history?: 'push' | 'replace') => void
}

/** Every movement of an account's balance, newest first; settlements of a day are one row. */
export function MovementsTab({ spaceId, currency, search, onSearch }: MovementsTabProps) {
  const { t } = useTranslation('billing')
  const { type, start, end, page = 0 } = search
  const today = useToday()
  const range = start !== undefined && end !== undefined && start <= end ? { start, end } : presetRange('last30', today)
  const asked = { range, type }
  const movements = useQuery(billingQueries.movements(spaceId, { ...asked, page }))
  const list = useListPage({
    query: movements,
    search,
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [MOVEMENT_ROWS],
    failed: t('movements.error'),
    filters: {
      active: type !== undefined || start !== undefined,
      title: t('movements.noMatch'),
      text: t('movements.noMatchText'),
      clear: t('movements.clear'),
      onClear: () => onSearch({ type: undefined, start: undefined, end: undefined, page: undefined }),
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <search className="flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label={t('movements.type')}
          value={type ?? ''}
          className="w-48"
          onChange={({ target }) => onSearch({ type: MOVEMENT_TYPES.find((one) => one === target.value), page: undefined })}
        >
          <option value="">{t('movements.all')}</option>
          {MOVEMENT_TYPES.map((one) => (
            <option key={one} value={one}>
              {t(`movements.types.${one}`)}
            </option>
          ))}
        </NativeSelect>
        <DateRangePicker value={range} onChange={(next) => onSearch({ ...next, page: undefined })} />
        <div className="ml-auto">
          <CsvButton file={t('movements.file')} label={t('movements.csv')} load={() => saveMovements(spaceId, asked)} />
        </div>
      </search>
      <DataTable
        caption={t('movements.table')}
        columns={useMovementColumns(currency)}
        rowId={({ id }) => id}
        {...list}
        nothing={<EmptyState image={<LogImage />} title={t('movements.none')} text={t('movements.noneText')} />}
        testId="movement"
      />
    </div>
  )
}
