import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ScheduledChangeOut } from '#contract/schedules'
import type { DataColumn } from '@/components/data-table/table-view'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { formatMinute } from '@/i18n/format'
import { useCan } from '@/session/can'
import { actText, outcomeText, whenText } from './schedule-texts.ts'

type ScheduleColumns = {
  /** Adds the account's name. */
  readonly account: boolean
  /** Id of the change that is being cancelled. */
  readonly busy: string | null
  readonly onEdit: (change: ScheduledChangeOut) => void
  readonly onCancel: (change: ScheduledChangeOut) => void
}

const shownOf = ({ currency, budget_type_key, timezone_offset_seconds }: ScheduledChangeOut) => ({
  currency: currency ?? '',
  budget_type_key: budget_type_key ?? 2,
  timezone_offset_seconds: timezone_offset_seconds ?? 0,
})

/** The columns of the list of scheduled changes; those that ended have their outcome instead of actions. */
export function useScheduleColumns(
  state: 'waiting' | 'ended',
  { account, busy, onEdit, onCancel }: ScheduleColumns,
): readonly DataColumn<ScheduledChangeOut>[] {
  const { t } = useTranslation('schedule')
  const can = useCan()
  const named = (change: ScheduledChangeOut) =>
    `${actText(change, shownOf(change))}, ${change.campaign_name === '' ? t('page.unnamed') : change.campaign_name}`
  const common: readonly DataColumn<ScheduledChangeOut>[] = [
    {
      id: 'when',
      header: t('page.when'),
      width: 'w-64',
      className: 'align-top',
      cell: (change) => whenText(change.due_at, shownOf(change).timezone_offset_seconds),
    },
    {
      id: 'campaign',
      header: t('page.campaign'),
      rowHeader: true,
      className: 'align-top wrap-anywhere',
      cell: ({ campaign_id: id, campaign_name: name, account_name: owner }) => (
        <>
          <Link to="/campaign/edit/$id" params={{ id }} search={{ tab: 'basicInfo' }} className="font-medium hover:underline">
            {name === '' ? t('page.unnamed') : name}
          </Link>
          {account && <span className="text-muted-foreground block text-xs">{owner}</span>}
        </>
      ),
    },
    {
      id: 'change',
      header: t('page.change'),
      className: 'align-top wrap-anywhere',
      cell: (change) => (
        <>
          <span className="block first-letter:uppercase">{actText(change, shownOf(change))}</span>
          <span className="text-muted-foreground block text-xs">
            {[t('by', { name: change.by }), change.note].filter((text) => text !== '').join(' · ')}
          </span>
        </>
      ),
    },
  ]
  if (state === 'ended')
    return [
      ...common,
      {
        id: 'outcome',
        header: t('page.outcome'),
        className: 'align-top wrap-anywhere',
        cell: (change) => (
          <>
            <span className="block first-letter:uppercase">{outcomeText(change)}</span>
            <span className="text-muted-foreground block text-xs">{formatMinute(change.ended_at ?? change.due_at)}</span>
          </>
        ),
      },
    ]
  return [
    ...common,
    {
      id: 'actions',
      header: t('page.actions'),
      headerHidden: true,
      width: 'w-44',
      className: 'align-top',
      cell: (change) =>
        change.state !== 'waiting' ? (
          <Badge variant="secondary">{t('page.underWay')}</Badge>
        ) : (
          can('campaign.write', { status_key: 0, space_id: change.space_id }) && (
            <span className="flex flex-wrap justify-end gap-1">
              <Button size="sm" variant="ghost" aria-label={t('edit', { what: named(change) })} onClick={() => onEdit(change)}>
                {t('editButton')}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                data-focus="cancel"
                disabled={busy === change.id}
                aria-label={t('cancel', { what: named(change) })}
                onClick={() => onCancel(change)}
              >
                {t('cancelButton')}
              </Button>
            </span>
          )
        ),
    },
  ]
}
