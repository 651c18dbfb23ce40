import { Plus } from 'lucide-react'
import { useEffect, useMemo, useState, type RefObject } from 'react'
import { get, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useUndo } from '@/app/shortcuts/use-undo'
import { lintBidding } from '#domain/bidding/lint'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { OwnerFields } from '../administration/owner-fields.tsx'
import { toEntries, type DraftEntry } from './draft.ts'
import { addEntry, changeEntry, duplicateEntry, insertEntry, moveEntry, nextId, removeEntry, renameEntry } from './entries.ts'
import { EntryCard } from './entry-card.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { LabPanel } from './lab-panel.tsx'
import { useEntries } from './use-entries.ts'
import { useEntryKeys } from './use-entry-keys.ts'
import { useRuleMoves } from './use-rule-moves.ts'
import { useFocusNext } from '@/lib/use-focus-next'
import '@/i18n/texts/owner'

export default function BiddingTab() {
  return <OwnerFields>{(readOnly) => <BiddingEntries readOnly={readOnly} />}</OwnerFields>
}

export function BiddingEntries({ readOnly }: { readonly readOnly: boolean }) {
  const { t } = useTranslation('bidding')
  const { entries, change } = useEntries()
  const { container, focusNext } = useFocusNext<HTMLDivElement>()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [said, setSaid] = useState('')
  const reportUndoable = useUndo()
  const error = useFieldError('bidding.entries')
  const faulty = useFaultyEntries(container)
  const warnings = useMemo(() => lintBidding(toEntries(entries)), [entries])

  const add = () => {
    const id = nextId(entries)
    change(addEntry)
    setOpen(new Set([...open, id]))
    focusNext(`${id}::addRule`)
  }
  const toggle = (id: number) => setOpen(new Set(open.has(id) ? [...open].filter((one) => one !== id) : [...open, id]))
  const move = ({ id, name }: DraftEntry, index: number, by: -1 | 1) => {
    // The focused control moves with its entry, and loses the focus on the way.
    const kept = document.activeElement?.closest<HTMLElement>(`[data-entry="${id}"] [data-focus]`)?.dataset['focus']
    change((all) => moveEntry(all, id, by))
    focusNext(...(kept === undefined ? [] : [kept]), ...(by === -1 ? [`${id}:up`, `${id}:down`] : [`${id}:down`, `${id}:up`]))
    setSaid(t('moved', { name, number: index + by + 1, count: entries.length }))
  }
  const remove = (entry: DraftEntry, index: number) => {
    const after = entries[index + 1] ?? entries[index - 1]
    change((all) => removeEntry(all, entry.id))
    focusNext(after === undefined ? 'add' : `${after.id}:toggle`)
    reportUndoable({
      text: t('removed', { name: entry.name }),
      undo: async () => {
        change((all) => insertEntry(all, index, entry))
        focusNext(`${entry.id}:toggle`)
      },
    })
  }
  const duplicate = ({ id }: DraftEntry) => {
    const copies = duplicateEntry(entries, id)
    const index = copies.findIndex((entry) => !entries.some((one) => one.id === entry.id))
    const copy = copies[index]
    if (copy === undefined) return
    change((all) => duplicateEntry(all, id))
    focusNext(`${copy.id}:toggle`)
    setSaid(t('duplicated', { name: copy.name, number: index + 1, count: copies.length }))
  }
  /** Opens an entry, and focuses its first rule. */
  const goTo = (id: number) => {
    setOpen(new Set([...open, id]))
    focusNext(`${id}:0:field`, `${id}:0:condition`, `${id}:toggle`)
  }
  const rules = useRuleMoves({ focusNext, reportUndoable })
  useEntryKeys({ container, entries, readOnly, add, entry: { duplicate, move, remove }, rule: rules })
  return (
    <div ref={container} className="flex flex-col gap-4">
      <header className="flex items-start gap-4">
        <div className="grow">
          <h2 className="text-[15px] leading-5 font-semibold">{t('title')}</h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5">{t('lead')}</p>
        </div>
        {!readOnly && (
          <Button size="sm" data-focus="add" onClick={add}>
            <Plus aria-hidden />
            {t('add')}
          </Button>
        )}
      </header>
      {error !== undefined && <p className="text-destructive text-[0.8125rem]/4.5">{error}</p>}
      {entries.length === 0 && (
        <p className="text-muted-foreground border-border rounded-lg border border-dashed px-6 py-10 text-center">{t('none')}</p>
      )}
      {entries.length > 0 && <LabPanel entries={entries} onGoTo={goTo} />}
      <ol aria-label={t('list')} className="flex flex-col gap-3 empty:hidden">
        {entries.map((entry, index) => (
          <EntryCard
            key={entry.id}
            entry={entry}
            index={index}
            entries={entries}
            warnings={warnings.filter((warning) => warning.entry === entry.id)}
            open={open.has(entry.id) || faulty.has(index)}
            focusNext={focusNext}
            onToggle={() => toggle(entry.id)}
            onRename={(name) => change((all) => renameEntry(all, entry.id, name))}
            onMultiplier={(multiplier) => change((all) => changeEntry(all, entry.id, { multiplier }))}
            onMove={(by) => move(entry, index, by)}
            onDuplicate={() => duplicate(entry)}
            onRemove={() => remove(entry, index)}
            onRemoveRule={(path) => rules.remove(entry, path)}
          />
        ))}
      </ol>
      <output className="sr-only">{said}</output>
      <ExplainPanel />
    </div>
  )
}

/**
 * Returns the indices of entries with faults, and focuses the first one after a failed save and when the tab is opened with
 * faults. The form cannot do that, because rule controls are not registered with it.
 */
function useFaultyEntries(container: RefObject<HTMLElement | null>): ReadonlySet<number> {
  const { control } = useCampaignForm()
  const { errors, submitCount } = useFormState({ control })
  const found: unknown = get(errors, 'bidding.entries')
  useEffect(() => {
    if (submitCount > 0) container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [container, submitCount])
  if (!Array.isArray(found)) return new Set()
  return new Set(found.flatMap((error: unknown, index) => (error === undefined || error === null ? [] : [index])))
}
