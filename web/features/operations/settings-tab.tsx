import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { BoardImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { operationsQueries } from './operations-queries.ts'

/** The settings with which a process runs, without the values of secrets. */
export function SettingsTab() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery(operationsQueries.settings())
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted-foreground">{t('settings.note')}</p>
      <DataTable
        caption={t('settings.table')}
        columns={useSettingColumns()}
        rowId={({ name }) => name}
        rows={data?.settings}
        failed={{ title: t('settings.error'), error, onRetry: () => void refetch() }}
        nothing={<EmptyState image={<BoardImage />} title={t('settings.empty')} />}
        testId="setting-row"
      />
    </div>
  )
}

function useSettingColumns(): readonly DataColumn<Setting>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'name',
      header: t('settings.name'),
      rowHeader: true,
      className: 'wrap-anywhere font-mono text-xs',
      cell: ({ name }) => name,
    },
    {
      id: 'value',
      header: t('settings.value'),
      className: 'wrap-anywhere',
      cell: ({ value, is_set: isSet }) =>
        value ?? <span className="text-muted-foreground">{t(isSet ? 'settings.hidden' : 'settings.unset')}</span>,
    },
  ]
}
