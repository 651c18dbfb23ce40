import { Check, CircleAlert, FileSpreadsheet, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { FileDrop } from '@/components/upload/file-drop'
import type { ListScope } from '@/data/campaign-queries'
import { statusName } from '@/data/campaign-status'
import { formatExactMoney, formatPlainDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { ApplyDialog } from '../quick-edit/apply-dialog.tsx'
import { useApplying, type Outcome } from '../quick-edit/use-applying.ts'
import type { QuickEdit } from '../quick-edit/use-quick-edit.ts'
import { useTrials, type Trial } from '../quick-edit/use-trials.ts'
import { SHEET_TYPES } from './read-table.ts'
import { MOST_ROWS, type SheetChange, type SheetPlan } from './sheet-plan.ts'
import { useSheet, type SheetLine, type SheetState } from './use-sheet.ts'
import '@/i18n/texts/quick-edit'

type Changed = Extract<SheetPlan, { readonly kind: 'changed' }>

type ImportDialogProps = {
  readonly scope: ListScope
  readonly edit: QuickEdit
  readonly onClose: () => void
}

/**
 * Takes over names, dates and budgets that were changed in a spreadsheet: the exported file comes back, every change is shown before
 * anything is saved, and one Undo takes all of them back.
 */
export default function ImportDialog({ scope, edit, onClose }: ImportDialogProps) {
  const { t } = useTranslation('quickEdit')
  const { state, read, reset } = useSheet(scope)
  const { outcomes, running, saved, failed, apply } = useApplying<Changed>(edit)
  const lines = state.kind === 'read' ? state.sheet.lines : []
  const changed = lines.flatMap(({ id, row, plan }) => (row !== null && plan.kind === 'changed' ? [{ id, row, plan }] : []))
  const trials = useTrials(
    changed.flatMap(({ id, row, plan }) => (outcomes.has(id) ? [] : [{ id, revision: row.revision, fields: plan.fields }])),
  )
  const ready = changed.filter(({ id }) => trials.get(id)?.kind !== 'refused' && outcomes.get(id)?.kind !== 'saved')

  async function applyAll() {
    const done = await apply(ready.map(({ id, row: { revision }, plan }) => ({ id, revision, plan })))
    if (done.length > 0 && done.length === ready.length) onClose()
  }
  const another = (
    <Button variant="ghost" disabled={running} onClick={reset}>
      {t('import.another')}
    </Button>
  )
  return (
    <ApplyDialog
      title={t('import.title')}
      text={t('import.text')}
      progress={{ running, saved, failed }}
      ready={changed.length > 0 ? ready.length : null}
      note={changed.length > 0 ? t('willChange', { count: ready.length, all: lines.length }) : ''}
      further={state.kind === 'read' && saved === 0 && another}
      busy={state.kind === 'reading'}
      onApply={() => void applyAll()}
      onClose={onClose}
    >
      {state.kind === 'failed' && (
        <LoadError title={t('import.failed')} error={state.error} onRetry={() => void read(state.file)} />
      )}
      {state.kind === 'read' && (
        <>
          <output className="text-[0.8125rem]/4.5">
            <span className="font-medium">{state.sheet.file}</span>
            {': '}
            {t('import.found', { count: changed.length })} {state.sheet.same > 0 && t('import.same', { count: state.sheet.same })}
          </output>
          {lines.length > 0 && <Preview lines={lines} trials={trials} outcomes={outcomes} />}
        </>
      )}
      {state.kind !== 'failed' && state.kind !== 'read' && <SheetDrop state={state} onFile={(file) => void read(file)} />}
    </ApplyDialog>
  )
}

type SheetDropProps = {
  readonly state: Exclude<SheetState, { readonly kind: 'failed' | 'read' }>
  readonly onFile: (file: File) => void
}

/** Takes the file, and says why the last one could not be read. */
function SheetDrop({ state, onFile }: SheetDropProps) {
  const { t } = useTranslation('quickEdit')
  const reading = (
    <span className="text-muted-foreground flex justify-center gap-2">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {t('import.reading')}
    </span>
  )
  return (
    <>
      <FileDrop
        accept={SHEET_TYPES.join(',')}
        label={t('import.choose')}
        multiple={false}
        busy={state.kind === 'reading' ? reading : null}
        onFiles={([file]) => file !== undefined && onFile(file)}
      >
        <FileSpreadsheet aria-hidden className="text-muted-foreground size-6 stroke-[1.5]" />
        <span className="font-medium">{t('import.drop')}</span>
        <span className="text-muted-foreground max-w-[56ch] text-xs text-balance">
          {t('import.limits', { count: MOST_ROWS })}
        </span>
      </FileDrop>
      <div role="alert">
        {state.kind === 'refused' && (
          <p className="text-destructive flex gap-1.5 text-[0.8125rem]/4.5">
            <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            {`${state.file}: ${t(`import.faults.${state.fault}`, { max: MOST_ROWS })}`}
          </p>
        )}
      </div>
    </>
  )
}

type PreviewProps = {
  readonly lines: readonly SheetLine[]
  readonly trials: ReadonlyMap<string, Trial>
  readonly outcomes: ReadonlyMap<string, Outcome<Changed>>
}

const SCROLLABLE = { tabIndex: 0 }

/** Every row of the file that changes something or cannot. */
function Preview({ lines, trials, outcomes }: PreviewProps) {
  const { t } = useTranslation('quickEdit')
  return (
    // A scrollable region must be reachable by keyboard.
    <section aria-label={t('preview')} {...SCROLLABLE} className="border-border max-h-[52vh] overflow-y-auto rounded-lg border">
      <table className="w-full table-fixed border-collapse text-[0.8125rem]/4.5">
        <caption className="sr-only">{t('preview')}</caption>
        <colgroup>
          <col className="w-[30%]" />
          <col />
          <col className="w-[28%]" />
        </colgroup>
        <thead className="bg-popover text-muted-foreground sticky top-0 text-left text-xs shadow-[0_1px_0_var(--color-border)]">
          <tr className="h-9 [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">{t('columns.name')}</th>
            <th scope="col">{t('import.changes')}</th>
            <th scope="col">
              <span className="sr-only">{t('columns.note')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, row, plan }, place) => (
            <tr
              // oxlint-disable-next-line react/no-array-index-key -- a file may name a campaign twice, and its rows do not move
              key={`${id} ${place}`}
              data-testid={`sheet-row-${id}`}
              className="border-border border-b align-top last:border-0 [&>*]:px-3 [&>*]:py-2"
            >
              <th scope="row" className="text-left font-medium [overflow-wrap:anywhere]">
                {row?.name ?? id}
              </th>
              <td>
                {plan.kind === 'changed' && row !== null && (
                  <ul>
                    {plan.changes.map((change) => (
                      <Change key={change.field} change={change} currency={row.currency} />
                    ))}
                  </ul>
                )}
              </td>
              <td className="text-xs/4.5">
                <Note plan={plan} status={row?.status_key ?? null} trial={trials.get(id)} outcome={outcomes.get(id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type ChangeProps = { readonly change: SheetChange; readonly currency: string }

function Change({ change: { field, now, next }, currency }: ChangeProps) {
  const { t } = useTranslation('quickEdit')
  const say = (value: string | number | null) => {
    if (value === null) return t('none')
    if (field === 'budget') return formatExactMoney(Number(value), currency)
    return field === 'name' ? String(value) : formatPlainDay(String(value))
  }
  return (
    <li className="[overflow-wrap:anywhere]">
      {t(`import.fields.${field}`)}{' '}
      <span className="text-muted-foreground tabular-nums">
        <span className="line-through decoration-1">{say(now)}</span>
        {' → '}
      </span>
      <span className="font-medium tabular-nums">{say(next)}</span>
    </li>
  )
}

type NoteProps = {
  readonly plan: SheetPlan
  readonly status: number | null
  readonly trial: Trial | undefined
  readonly outcome: Outcome<Changed> | undefined
}

function Note({ plan, status, trial, outcome }: NoteProps) {
  const { t } = useTranslation(['quickEdit', 'status'])
  const refused = (): readonly string[] => {
    if (plan.kind === 'refused') return [t(`quickEdit:import.reasons.${plan.reason}`)]
    return trial?.kind === 'refused' ? trial.lines : []
  }
  if (outcome?.kind === 'saving') return <span className="text-muted-foreground">{t('quickEdit:saving')}</span>
  if (outcome?.kind === 'saved')
    return (
      <span className="text-success flex gap-1.5">
        <Check aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        {t('quickEdit:saved')}
      </span>
    )
  const reasons = outcome?.kind === 'failed' ? outcome.lines : refused()
  if (reasons.length > 0)
    return (
      <span className={cn('flex gap-1.5', outcome === undefined ? 'text-warning' : 'text-destructive')}>
        <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span>{reasons.join(' ')}</span>
      </span>
    )
  if (trial?.kind !== 'accepted') return null
  const becomes =
    trial.status === status ? null : t('quickEdit:becomes', { status: t(`status:label.${statusName(trial.status)}`) })
  const words = [becomes, trial.review ? t('quickEdit:review') : null].filter((part) => part !== null)
  return <span className="text-muted-foreground">{words.join(' · ')}</span>
}
