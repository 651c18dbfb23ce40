import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { useDebounced } from '@/lib/use-debounced'
import { ApplyDialog } from './apply-dialog.tsx'
import { EMPTY_FORM, readChange, type BulkForm } from './bulk-change.ts'
import { BulkControls } from './bulk-controls.tsx'
import { planOf, type BulkRow, type Plan } from './bulk-plan.ts'
import { BulkPreview, type PreviewRow } from './bulk-preview.tsx'
import { useApplying } from './use-applying.ts'
import { useBids } from './use-bids.ts'
import type { QuickEdit } from './use-quick-edit.ts'
import type { TargetingPlan } from './targeting-plan.ts'
import { useTargeting } from './use-targeting.tsx'
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

type Changed = Extract<Plan | TargetingPlan, { readonly kind: 'changed' }>

const TYPING_MS = 300

/** Changes one field, or one part of the targeting, of several campaigns: a preview of every row, then a save of each, and one Undo for all of them. */
export function BulkEditDialog({ rows, edit, onClose, onSaved }: BulkEditDialogProps) {
  const { t } = useTranslation('quickEdit')
  const [form, setForm] = useState<BulkForm>(() => firstForm(rows))
  const { outcomes, running, saved, failed, apply, forgetFailures } = useApplying<Changed>(edit)
  const { change, fault } = readChange(form)
  const [targets, setTargets] = useState(false)
  const targeting = useTargeting(
    rows.map(({ id }) => id),
    { chosen: targets, disabled: running, onTouch: forgetFailures },
  )
  const bids = useBids(!targets && form.field === 'bid' ? rows.map(({ id }) => id) : [])
  const isEmpty = targets ? targeting.isEmpty : change === null
  const planFor = (row: ListRow): Plan | TargetingPlan | null => {
    if (targets) return targeting.planOf(row.id)
    return change === null ? null : planOf(bulkRow(row, bids.get(row.id) ?? null), change)
  }
  const plans = new Map(rows.map((row) => [row.id, planFor(row)]))
  // Contents are loaded after the rows, and may be newer.
  const revisionOf = ({ id, revision }: ListRow) => (targets ? Math.max(revision, targeting.revisionOf(id)) : revision)
  const asked = rows.flatMap((row) => {
    const plan = plans.get(row.id)
    return plan?.kind === 'changed' && !outcomes.has(row.id)
      ? [{ id: row.id, revision: revisionOf(row), fields: plan.fields }]
      : []
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

  const update = (patch: Partial<BulkForm>) => {
    setForm((before) => ({ ...before, ...patch }))
    forgetFailures()
  }

  async function applyAll() {
    const changes = ready.flatMap(({ row, plan }) =>
      plan?.kind === 'changed' ? [{ id: row.id, revision: revisionOf(row), plan }] : [],
    )
    const saved = await apply(changes)
    if (saved.length === 0) return
    onSaved(saved)
    if (saved.length === changes.length) onClose()
  }

  return (
    <ApplyDialog
      title={t('title', { count: rows.length })}
      text={t('text')}
      progress={{ running, saved, failed }}
      ready={ready.length}
      note={isEmpty ? '' : t('willChange', { count: ready.length, all: rows.length })}
      onApply={() => void applyAll()}
      onClose={onClose}
    >
      <BulkControls
        form={form}
        fault={targets ? null : fault}
        rows={rows}
        disabled={running}
        onChange={update}
        further={{
          label: t('fields.targeting'),
          chosen: targets,
          onChoose: (chosen) => {
            setTargets(chosen)
            forgetFailures()
          },
          controls: targeting.controls,
        }}
      />
      <BulkPreview field={form.field} targeting={targets ? targeting : null} rows={preview} asking={!isEmpty && !isSettled} />
    </ApplyDialog>
  )
}

/** Rows of several currencies have no amount in common. */
const firstForm = (rows: readonly ListRow[]): BulkForm =>
  new Set(rows.map(({ currency }) => currency)).size > 1 ? { ...EMPTY_FORM, how: 'raise' } : EMPTY_FORM

const bulkRow = (row: ListRow, bid: BulkRow['bid']): BulkRow => ({ ...row, zone: row.timezone_offset_seconds ?? 0, bid })
