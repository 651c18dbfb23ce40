import { Plus } from 'lucide-react'
import { useEffect, useMemo, useState, type RefObject } from 'react'
import { get, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { lintBidding } from '#domain/bidding/lint'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { OwnerFields } from '../administration/owner-fields.tsx'
import { toEntries, type DraftEntry } from './draft.ts'
import { addEntry, changeEntry, insertEntry, moveEntry, nextId, removeEntry, renameEntry } from './entries.ts'
import { EntryCard } from './entry-card.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { useEntries } from './use-entries.ts'
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
    change((all) => moveEntry(all, id, by))
    focusNext(...(by === -1 ? [`${id}:up`, `${id}:down`] : [`${id}:down`, `${id}:up`]))
    setSaid(t('moved', { name, number: index + by + 1, count: entries.length }))
  }
  const remove = (entry: DraftEntry, index: number) => {
    const after = entries[index + 1] ?? entries[index - 1]
    change((all) => removeEntry(all, entry.id))
    focusNext(after === undefined ? 'add' : `${after.id}:toggle`)
    toast.info(t('removed', { name: entry.name }), {
      action: { label: t('undo'), onClick: () => change((all) => insertEntry(all, index, entry)) },
    })
  }
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
            onRemove={() => remove(entry, index)}
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
