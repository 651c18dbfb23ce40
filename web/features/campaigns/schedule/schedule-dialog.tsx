import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { changeScheduled, scheduleChanges, type PlannedChange, type ScheduledChangeOut } from '#contract/schedules'
import { LONGEST_NOTE } from '#domain/schedule/scheduled-change'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Segmented } from '@/components/form/segmented'
import { ToggleRow } from '@/components/form/toggle-row'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { useNow } from '@/lib/clock'
import { toast } from '@/lib/toast'
import { forEachBounded, WRITES_AT_ONCE } from '../quick-edit/bounded.ts'
import { readChange } from '../quick-edit/bulk-change.ts'
import { BulkControls } from '../quick-edit/bulk-controls.tsx'
import { refusalLines } from '../quick-edit/refusal-lines.ts'
import { useBids } from '../quick-edit/use-bids.ts'
import { MomentFields } from './moment-fields.tsx'
import {
  EMPTY_MOMENT,
  EMPTY_SCHEDULE,
  formOf,
  hasWayBack,
  instantOf,
  momentFaults,
  plannedFor,
  WHATS,
  type Planned,
  type ScheduleForm,
  type ScheduleRow,
} from './schedule-plan.ts'
import { SchedulePreview, type PlannedRow } from './schedule-preview.tsx'
import { refreshScheduled } from './schedule-queries.ts'
import { actText, zoneText } from './schedule-texts.ts'
import '@/i18n/texts/form'
import '@/i18n/texts/quick-edit'
import '@/i18n/texts/schedule'

type ScheduleDialogProps = {
  readonly rows: readonly ScheduleRow[]
  /** A change that waits, to edit it; of the only row. */
  readonly editing?: ScheduledChangeOut
  readonly onClose: () => void
  /** Gets the ids of the campaigns that something was scheduled for. */
  readonly onDone?: (ids: readonly string[]) => void
}

type Outcome = { readonly kind: 'saving' | 'saved' } | { readonly kind: 'failed'; readonly lines: readonly string[] }

/** Schedules one change of several campaigns, or edits one that waits: what, when, and the way back, with a preview in words. */
export default function ScheduleDialog({ rows, editing, onClose, onDone }: ScheduleDialogProps) {
  const { t } = useTranslation(['schedule', 'quickEdit', 'common'])
  const queryClient = useQueryClient()
  const now = useNow(10_000)
  const zones = [...new Set(rows.map((row) => row.timezone_offset_seconds ?? 0))]
  const [zone = 0] = zones
  const [start] = useState(() => (editing === undefined ? { form: firstForm(rows), editable: true } : formOf(editing, zone)))
  const [form, setForm] = useState<ScheduleForm>(start.form)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const applied = useRef(false)
  const isValues = form.what === 'values' && start.editable
  const bids = useBids(isValues && form.change.field === 'bid' ? rows.map(({ id }) => id) : [])
  const faults = momentFaults(form, zone, now)
  const isFaulty = rows.some((row) => {
    const own = momentFaults(form, row.timezone_offset_seconds ?? 0, now)
    return own.at !== null || own.back !== null
  })
  const planned: readonly PlannedRow[] = rows.map((row) => {
    const outcome = outcomes.get(row.id)
    const plan = start.editable ? plannedFor(row, form, bids.get(row.id) ?? null) : keptPlan(editing, form, zone)
    return { row, plan, state: outcome?.kind ?? null, lines: outcome?.kind === 'failed' ? outcome.lines : [] }
  })
  const ready = isFaulty ? [] : planned.filter(({ plan, state }) => plan.kind === 'planned' && state !== 'saved')
  const saved = planned.filter(({ state }) => state === 'saved').length
  const failed = planned.filter(({ state }) => state === 'failed').length

  const update = (patch: Partial<ScheduleForm>) => {
    setForm((before) => ({ ...before, ...patch }))
    setOutcomes((before) => new Map([...before].filter(([, { kind }]) => kind === 'saved')))
  }

  async function send(id: string, changes: readonly PlannedChange[], group: string | null) {
    const { note } = form
    if (editing === undefined) return call(scheduleChanges, { params: { id }, body: { changes: [...changes], note, group } })
    const [change] = changes
    if (change === undefined) return undefined
    return call(changeScheduled, { params: { id: editing.id }, body: { ...change, note, version: editing.version } })
  }

  async function apply() {
    setRunning(true)
    const group = ready.length > 1 ? crypto.randomUUID() : null
    const done: string[] = []
    const end = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))
    await forEachBounded(ready, WRITES_AT_ONCE, async ({ row: { id }, plan }) => {
      if (plan.kind !== 'planned') return
      end(id, { kind: 'saving' })
      try {
        await send(id, plan.changes, group)
        done.push(id)
        end(id, { kind: 'saved' })
      } catch (error) {
        end(id, {
          kind: 'failed',
          lines: await refusalLines(error, ['changes', 'changes[1].due_at', 'due_at', 'budget', 'user_cpx']),
        })
      }
    })
    setRunning(false)
    await refreshScheduled(
      queryClient,
      rows.map(({ id }) => id),
    )
    if (done.length === 0) return
    toast.success(editing === undefined ? t('schedule:done', { count: done.length }) : t('schedule:saved'))
    onDone?.(done)
    if (done.length === ready.length) onClose()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // Two presses of Enter must not schedule twice.
    if (running || applied.current || ready.length === 0) return
    applied.current = true
    void apply().finally(() => {
      applied.current = false
    })
  }

  const zoneHelp = zones.length > 1 ? t('schedule:zones') : t('schedule:zone', { zone: zoneText(zone) })
  return (
    <Dialog open onOpenChange={(open) => !open && !running && onClose()}>
      <DialogPanel
        title={editing === undefined ? t('schedule:title', { count: rows.length }) : t('schedule:editTitle')}
        description={t('schedule:text')}
        className="top-[6vh] max-h-[88vh] w-[720px]"
      >
        <form noValidate onSubmit={submit} aria-busy={running} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            {start.editable && (
              <Segmented
                label={t('schedule:what')}
                disabled={running}
                segments={WHATS.map((value) => ({ value, label: t(`schedule:whats.${value}`) }))}
                value={form.what}
                onChange={(what) => update({ what })}
              />
            )}
            {!start.editable && editing !== undefined && rows[0] !== undefined && (
              <p>{t('schedule:kept', { what: actText(editing, rows[0]) })}</p>
            )}
            {isValues && (
              <BulkControls
                form={form.change}
                fault={readChange(form.change).fault}
                rows={rows}
                disabled={running}
                onChange={(patch) => update({ change: { ...form.change, ...patch } })}
              />
            )}
            <MomentFields
              labels={{ day: t('schedule:day'), time: t('schedule:time') }}
              help={zoneHelp}
              moment={form.at}
              fault={faults.at}
              disabled={running}
              onChange={(at) => update({ at })}
            />
            {editing === undefined && hasWayBack(form.what) && (
              <ToggleRow
                label={t('schedule:back')}
                help={t('schedule:backText')}
                checked={form.back !== null}
                disabled={running}
                onChange={(on) => update({ back: on ? EMPTY_MOMENT : null })}
              />
            )}
            {form.back !== null && hasWayBack(form.what) && (
              <MomentFields
                labels={{ day: t('schedule:backDay'), time: t('schedule:backTime') }}
                help={zoneHelp}
                moment={form.back}
                fault={faults.back}
                disabled={running}
                onChange={(back) => update({ back })}
              />
            )}
            <LabelledField label={t('schedule:note')} hint={t('schedule:optional')}>
              <FieldInput
                maxLength={LONGEST_NOTE}
                autoComplete="off"
                readOnly={running}
                value={form.note}
                onChange={({ target }) => update({ note: target.value })}
              />
            </LabelledField>
            <SchedulePreview rows={planned} />
          </DialogPanelBody>
          <DialogPanelFooter className="items-center">
            <output className="text-muted-foreground mr-auto text-[0.8125rem]/4.5">
              {failed > 0 ? t('schedule:outcome', { saved, failed }) : ''}
            </output>
            <Button type="button" variant="outline" disabled={running} onClick={onClose}>
              {t(saved > 0 || failed > 0 ? 'common:close' : 'common:cancel')}
            </Button>
            <Button type="submit" aria-disabled={running || ready.length === 0}>
              {running
                ? t('schedule:saving')
                : editing !== undefined
                  ? t('schedule:save')
                  : ready.length === 0
                    ? t('schedule:applyNone')
                    : t('schedule:apply', { count: ready.length })}
            </Button>
          </DialogPanelFooter>
        </form>
      </DialogPanel>
    </Dialog>
  )
}

/** A change whose fields have no controls here keeps them: its time alone is edited. */
function keptPlan(editing: ScheduledChangeOut | undefined, { at }: ScheduleForm, zone: number): Planned {
  const due = instantOf(at, zone)
  if (editing === undefined || typeof due !== 'string') return { kind: 'waiting' }
  return { kind: 'planned', changes: [{ act: editing.act, fields: editing.fields, due_at: due }] }
}

/** Rows of several currencies have no amount in common. */
const firstForm = (rows: readonly ScheduleRow[]): ScheduleForm =>
  new Set(rows.map(({ currency }) => currency)).size > 1
    ? { ...EMPTY_SCHEDULE, change: { ...EMPTY_SCHEDULE.change, how: 'raise' } }
    : EMPTY_SCHEDULE
