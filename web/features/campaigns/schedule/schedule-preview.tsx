import { useTranslation } from 'react-i18next'
import type { Planned, ScheduleRow } from './schedule-plan.ts'
import { lineText } from './schedule-texts.ts'

export type PlannedRow = {
  readonly row: ScheduleRow
  readonly plan: Planned
  readonly state: 'saving' | 'saved' | 'failed' | null
  /** Why it was not scheduled. */
  readonly lines: readonly string[]
}

const SCROLLABLE = { tabIndex: 0 }

/** Coming changes of every campaign, in words, and why one cannot take the change. */
export function SchedulePreview({ rows }: { readonly rows: readonly PlannedRow[] }) {
  const { t } = useTranslation(['schedule', 'quickEdit'])
  const waits = rows.every(({ plan }) => plan.kind === 'waiting')
  return (
    // A scrollable region must be reachable by keyboard.
    <section
      aria-label={t('schedule:preview')}
      {...SCROLLABLE}
      className="border-border max-h-[32vh] overflow-y-auto rounded-lg border px-4 py-3"
    >
      {waits ? (
        <p className="text-muted-foreground">{t('schedule:nothing')}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {rows.map(({ row, plan, state, lines }) => (
            <li key={row.id} data-testid={`schedule-row-${row.id}`} data-state={state ?? undefined}>
              <p className="font-medium">{row.name}</p>
              {plan.kind === 'planned' &&
                plan.changes.map((change) => <p key={`${change.act} ${change.due_at}`}>{lineText(change, row)}</p>)}
              {plan.kind === 'refused' && (
                <p className="text-muted-foreground">
                  {plan.reason === 'same' ? t('quickEdit:same') : t(`quickEdit:reasons.${plan.reason}`)}
                </p>
              )}
              {state === 'saved' && <p className="text-muted-foreground">{t('schedule:scheduled')}</p>}
              {lines.map((line) => (
                <p key={line} role="alert" className="text-destructive">
                  {line}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
