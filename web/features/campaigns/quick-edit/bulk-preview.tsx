import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { localDay } from '#domain/campaign/content/dates'
import { statusName } from '@/data/campaign-status'
import { formatExactMoney, formatPlainDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { isMoney } from './bulk-change.ts'
import type { BulkField, BulkRow, Plan } from './bulk-plan.ts'
import type { TargetingPlan } from './targeting-plan.ts'
import type { Targeting } from './use-targeting.tsx'
import type { Trial } from './use-trials.ts'

export type PreviewRow = {
  readonly row: ListRow
  /** Null while no change is typed. */
  readonly plan: Plan | TargetingPlan | null
  readonly trial: Trial | null
  readonly outcome: 'saving' | 'saved' | 'failed' | null
  /** Why a save failed. */
  readonly lines: readonly string[]
  readonly bid: BulkRow['bid']
}

type BulkPreviewProps = {
  readonly field: BulkField
  /** The targeting that changes instead of the field; null for the field. */
  readonly targeting: Pick<Targeting, 'nowOf' | 'textOf'> | null
  readonly rows: readonly PreviewRow[]
  readonly asking: boolean
}

const SCROLLABLE = { tabIndex: 0 }

/** Every campaign with its value now and then, and why one cannot take it. */
export function BulkPreview({ field, targeting, rows, asking }: BulkPreviewProps) {
  const { t } = useTranslation('quickEdit')
  const numeric = targeting === null && isMoney(field) && 'text-right tabular-nums'
  const column = targeting === null ? 'w-[19%]' : 'w-[24%]'
  const nowOf = (shown: PreviewRow): Value | undefined =>
    targeting === null ? valueNow(shown, field) : targeting.nowOf(shown.row.id)
  const textOf = (value: Value | undefined, row: ListRow): string => {
    if (value === undefined) return ''
    return isList(value) ? (targeting?.textOf(value) ?? '') : valueText(value, field, row, t('none'))
  }
  return (
    // A scrollable region must be reachable by keyboard.
    <section
      aria-label={t('preview')}
      {...SCROLLABLE}
      className="border-border max-h-[46vh] min-h-32 overflow-y-auto rounded-lg border"
    >
      <table aria-busy={asking} className="text-[0.8125rem]/4.5 w-full table-fixed border-collapse">
        <caption className="sr-only">{t('preview')}</caption>
        <colgroup>
          <col />
          <col className={column} />
          <col className={column} />
          <col className="w-[30%]" />
        </colgroup>
        <thead className="bg-popover text-muted-foreground sticky top-0 text-left text-xs shadow-[0_1px_0_var(--color-border)]">
          <tr className="h-9 [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">{t('columns.name')}</th>
            <th scope="col" className={cn(numeric)}>
              {t('columns.now')}
            </th>
            <th scope="col" className={cn(numeric)}>
              {t('columns.then')}
            </th>
            <th scope="col">
              <span className="sr-only">{t('columns.note')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((shown) => {
            const { row, plan } = shown
            const changes = plan?.kind === 'changed' && shown.trial?.kind !== 'refused'
            const now = plan === null || plan.kind === 'waiting' ? nowOf(shown) : plan.now
            return (
              <tr
                key={row.id}
                data-testid={`bulk-row-${row.id}`}
                data-state={shown.outcome ?? (plan === null ? 'idle' : changes ? 'changes' : plan.kind)}
                className="border-border border-b align-top last:border-0 [&>*]:px-3 [&>*]:py-2"
              >
                <th scope="row" className="text-left font-medium [overflow-wrap:anywhere]">
                  {row.name}
                </th>
                <td
                  className={cn(
                    'text-muted-foreground [overflow-wrap:anywhere]',
                    numeric,
                    changes && targeting === null && 'line-through decoration-1',
                  )}
                >
                  {textOf(now, row)}
                </td>
                <td className={cn('font-medium [overflow-wrap:anywhere]', numeric)}>
                  {plan?.kind === 'changed' && changes ? textOf(plan.next, row) : null}
                </td>
                <td className="text-xs/4.5">
                  <Note {...shown} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

type Value = number | string | null | readonly string[]
const isList = (value: Value): value is readonly string[] => Array.isArray(value)

function valueNow({ row, bid }: PreviewRow, field: BulkField): number | string | null {
  if (field === 'budget') return row.budget
  if (field === 'bid') return bid?.manual_cpx === true ? bid.user_cpx : null
  const instant = field === 'start' ? row.campaign_start_at : row.campaign_end_at
  return instant === null ? null : localDay(instant, row.timezone_offset_seconds ?? 0)
}

const valueText = (value: number | string | null, field: BulkField, { currency }: ListRow, none: string) =>
  value === null ? none : isMoney(field) ? formatExactMoney(Number(value), currency) : formatPlainDay(String(value))

function Note({ row, plan, trial, outcome, lines }: PreviewRow) {
  const { t } = useTranslation(['quickEdit', 'status'])
  if (outcome === 'saving')
    return (
      <span className="text-muted-foreground flex gap-1.5">
        <LoaderCircle aria-hidden className="mt-0.5 size-3.5 shrink-0 animate-spin" />
        {t('quickEdit:saving')}
      </span>
    )
  if (outcome === 'saved')
    return (
      <span className="text-success flex gap-1.5">
        <Check aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        {t('quickEdit:saved')}
      </span>
    )
  const reasons =
    outcome === 'failed'
      ? lines
      : plan?.kind === 'refused'
        ? [t(`quickEdit:reasons.${plan.reason}`)]
        : trial?.kind === 'refused'
          ? trial.lines
          : []
  if (reasons.length > 0)
    return (
      <span className={cn('flex gap-1.5', outcome === 'failed' ? 'text-destructive' : 'text-warning')}>
        <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span>{reasons.join(' ')}</span>
      </span>
    )
  if (plan?.kind === 'same') return <span className="text-muted-foreground">{t('quickEdit:same')}</span>
  if (plan?.kind !== 'changed' || trial?.kind !== 'accepted') return null
  const becomes = trial.status === row.status_key ? null : t(`status:label.${statusName(trial.status)}`)
  return (
    <span className="text-muted-foreground">
      {[becomes === null ? null : t('quickEdit:becomes', { status: becomes }), trial.review ? t('quickEdit:review') : null]
        .filter((part) => part !== null)
        .join(' · ')}
    </span>
  )
}
