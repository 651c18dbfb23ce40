import { useQueries } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { campaignQueries } from '@/data/campaign-queries'
import { useDebounced } from '@/lib/use-debounced'
import { forEachBounded } from './bounded.ts'
import { EMPTY_FORM, readChange, type BulkForm } from './bulk-change.ts'
import { BulkControls } from './bulk-controls.tsx'
import { planOf, type BulkRow, type Plan } from './bulk-plan.ts'
import { BulkPreview, type PreviewRow } from './bulk-preview.tsx'
import { refusalLines } from './refusal-lines.ts'
import { FieldsChanged } from './save-fields.ts'
import { WRITES_AT_ONCE, type QuickEdit, type Saved } from './use-quick-edit.ts'
import { useTrials } from './use-trials.ts'
import '@/i18n/texts/form'
import '@/i18n/texts/quick-edit'

type BulkEditDialogProps = {
  readonly rows: readonly ListRow[]
  readonly edit: QuickEdit
  readonly onClose: () => void
  /** Gets the ids of saved campaigns. */
  readonly onSaved: (ids: readonly string[]) => void
}

/** How an applied row ended; `plan` is what was applied. */
type Outcome = {
  readonly kind: 'saving' | 'saved' | 'failed'
  readonly plan: Plan
  readonly lines: readonly string[]
}

const TYPING_MS = 300

/** Changes one field of several campaigns: a preview of every row, then a save of each, and one Undo for all of them. */
export function BulkEditDialog({ rows, edit, onClose, onSaved }: BulkEditDialogProps) {
  const { t } = useTranslation(['quickEdit', 'common'])
  const [form, setForm] = useState<BulkForm>(() => firstForm(rows))
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const applied = useRef(false)
  const { change, fault } = readChange(form)
  const bids = useBids(form.field === 'bid' ? rows.map(({ id }) => id) : [])
  const plans = new Map(
    change === null ? [] : rows.map((row) => [row.id, planOf(bulkRow(row, bids.get(row.id) ?? null), change)]),
  )
  const asked = rows.flatMap(({ id, revision }) => {
    const plan = plans.get(id)
    return plan?.kind === 'changed' && !outcomes.has(id) ? [{ id, revision, fields: plan.fields }] : []
  })
  const settled = useDebounced(asked, TYPING_MS, JSON.stringify(asked))
  const isSettled = JSON.stringify(settled) === JSON.stringify(asked)
  const trials = useTrials(settled)
  const preview = rows.map((row): PreviewRow => {
    const outcome = outcomes.get(row.id)
    const plan = outcome?.kind === 'saved' || outcome?.kind === 'saving' ? outcome.plan : (plans.get(row.id) ?? null)
    const trial = running || isSettled ? (trials.get(row.id) ?? null) : null
    return { row, plan, trial, outcome: outcome?.kind ?? null, lines: outcome?.lines ?? [], bid: bids.get(row.id) ?? null }
  })
  const ready = preview.filter(
    ({ plan, trial, outcome }) => plan?.kind === 'changed' && trial?.kind !== 'refused' && outcome !== 'saved',
  )
  const saved = [...outcomes.values()].filter(({ kind }) => kind === 'saved').length
  const failed = [...outcomes.values()].filter(({ kind }) => kind === 'failed').length

  /** What was applied before belongs to another change. */
  const update = (patch: Partial<BulkForm>) => {
    setForm((before) => ({ ...before, ...patch }))
    setOutcomes((before) => new Map([...before].filter(([, { kind }]) => kind === 'saved')))
  }

  async function apply() {
    setRunning(true)
    const done: Saved[] = []
    const end = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))
    await forEachBounded(ready, WRITES_AT_ONCE, async ({ row: { id, revision }, plan }) => {
      if (plan?.kind !== 'changed') return
      end(id, { kind: 'saving', plan, lines: [] })
      try {
        done.push(await edit.save({ id, revision, was: plan.was, fields: plan.fields }))
        end(id, { kind: 'saved', plan, lines: [] })
      } catch (error) {
        const lines =
          error instanceof FieldsChanged ? [t('quickEdit:changedSince')] : await refusalLines(error, Object.keys(plan.fields))
        end(id, { kind: 'failed', plan, lines })
      }
    })
    setRunning(false)
    if (done.length === 0) return void edit.refresh()
    edit.report(t('quickEdit:done', { count: done.length }), done)
    onSaved(done.map(({ save: { id } }) => id))
    if (done.length === ready.length) onClose()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // Two presses of Enter must not apply twice.
    if (running || applied.current || ready.length === 0) return
    applied.current = true
    void apply().finally(() => {
      applied.current = false
    })
  }

  return (
    <Dialog open onOpenChange={(open) => !open && !running && onClose()}>
      <DialogPanel
        title={t('quickEdit:title', { count: rows.length })}
        description={t('quickEdit:text')}
        className="top-[6vh] max-h-[88vh] w-[900px]"
        onOpenAutoFocus={(event) => {
          // The amount is what one types next, not the button that closes.
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement)
            event.currentTarget.querySelector<HTMLElement>('[data-autofocus]')?.focus()
        }}
      >
        <form noValidate onSubmit={submit} aria-busy={running} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <BulkControls form={form} fault={fault} rows={rows} disabled={running} onChange={update} />
            <BulkPreview field={form.field} rows={preview} asking={change !== null && !isSettled} />
          </DialogPanelBody>
          <DialogPanelFooter className="items-center">
            <output className="text-muted-foreground mr-auto text-[0.8125rem]/4.5">
              {failed > 0 || saved > 0
                ? t('quickEdit:outcome', { saved, failed })
                : change === null
                  ? ''
                  : t('quickEdit:willChange', { count: ready.length, all: rows.length })}
            </output>
            <Button variant="outline" disabled={running} onClick={onClose}>
              {t(saved > 0 || failed > 0 ? 'common:close' : 'common:cancel')}
            </Button>
            <Button type="submit" aria-disabled={running || ready.length === 0}>
              {running
                ? t('quickEdit:applying')
                : ready.length === 0
                  ? t('quickEdit:applyNone')
                  : t(failed > 0 ? 'quickEdit:again' : 'quickEdit:apply', { count: ready.length })}
            </Button>
          </DialogPanelFooter>
        </form>
      </DialogPanel>
    </Dialog>
  )
}

/** Rows of several currencies have no amount in common. */
const firstForm = (rows: readonly ListRow[]): BulkForm =>
  new Set(rows.map(({ currency }) => currency)).size > 1 ? { ...EMPTY_FORM, how: 'raise' } : EMPTY_FORM

const bulkRow = (row: ListRow, bid: BulkRow['bid']): BulkRow => ({ ...row, zone: row.timezone_offset_seconds ?? 0, bid })

/** The own bids of campaigns, which lists do not show. */
function useBids(ids: readonly string[]): ReadonlyMap<string, NonNullable<BulkRow['bid']>> {
  const campaigns = useQueries({ queries: ids.map((id) => campaignQueries.detail(id)) })
  return new Map(
    campaigns.flatMap(({ data }) =>
      data === undefined ? [] : [[data.id, { manual_cpx: data.manual_cpx, user_cpx: data.user_cpx }] as const],
    ),
  )
}
