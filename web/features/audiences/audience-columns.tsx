import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AudienceItem } from '#contract/audiences'
import type { DataColumn } from '@/components/data-table/table-view'
import { Button } from '@/components/ui/button'
import { formatCount, formatMinute } from '@/i18n/format'
import { useCan } from '@/session/can'
import { AudienceStatus } from './audience-status.tsx'

/** `onDelete` opens the question. */
export function useAudienceColumns(onDelete: (audience: AudienceItem) => void): readonly DataColumn<AudienceItem>[] {
  const { t } = useTranslation('audiences')
  const can = useCan()
  const mayWrite = can('audience.write')
  return [
    {
      id: 'name',
      header: t('columns.name'),
      rowHeader: true,
      className: 'min-w-0',
      cell: ({ id, name }) => (
        <Link
          to="/audience/details/$id"
          params={{ id }}
          data-focus="name"
          title={name}
          className="block max-w-80 truncate rounded-[3px] font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'account',
      header: t('columns.account'),
      hideable: true,
      width: 'w-40',
      className: 'truncate',
      cell: ({ space_name: account }) => account,
    },
    { id: 'type', header: t('columns.type'), hideable: true, width: 'w-32', cell: ({ type }) => t(`types.${type}`) },
    {
      id: 'status',
      header: t('columns.status'),
      hideable: true,
      width: 'w-36',
      cell: ({ status_key: statusKey, matched }) => <AudienceStatus statusKey={statusKey} members={matched} />,
    },
    {
      id: 'rows',
      header: t('columns.rows'),
      hideable: true,
      numeric: true,
      width: 'w-28',
      cell: ({ row_count: rows }) => formatCount(rows),
    },
    {
      id: 'matched',
      header: t('columns.matched'),
      hideable: true,
      numeric: true,
      width: 'w-28',
      cell: ({ matched }) => formatCount(matched),
    },
    {
      id: 'used',
      header: t('columns.used'),
      hideable: true,
      numeric: true,
      width: 'w-32',
      cell: ({ used_in: used }) =>
        used === 0 ? <span className="text-muted-foreground">–</span> : t('usedIn', { count: used, shown: formatCount(used) }),
    },
    {
      id: 'updated',
      header: t('columns.updated'),
      hideable: true,
      width: 'w-44',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ updated_at: at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    {
      id: 'actions',
      header: t('columns.actions'),
      headerHidden: true,
      controls: true,
      width: 'w-14',
      cell: (audience) =>
        mayWrite && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('deleteNamed', { name: audience.name })}
            onClick={() => onDelete(audience)}
          >
            <Trash2 aria-hidden />
          </Button>
        ),
    },
  ]
}
