import { useId, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { DateInput } from '@/components/date/date-input'
import { AmountInput, FieldInput, LabelledField } from '@/components/form/labelled-field'
import { PopoverPanel } from '@/components/popover-panel'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { formatMinute, symbolOf } from '@/i18n/format'
import { returnFocus } from '@/lib/return-focus'
import type { Popup } from '@/lib/use-popup'
import { authorName } from '../change-log/log-labels.ts'
import { fieldsOf, shownText, typedOf, typedFault, type Base, type EditedField, type Typed } from './cell-values.ts'
import { refusalLines } from './refusal-lines.ts'
import { FieldsChanged } from './save-fields.ts'
import type { QuickEdit } from './use-quick-edit.ts'
import '@/i18n/texts/form'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

type CellEditorProps = {
  readonly row: ListRow
  readonly field: EditedField
  readonly edit: QuickEdit
  readonly popup: Popup
}

/** The editor of one cell, over the cell: Enter saves, Escape gives up. */
export function CellEditor(props: CellEditorProps) {
  const { popup, field, row } = props
  const { t } = useTranslation('campaigns')
  const [changed, setChanged] = useState(false)
  // The pencil of a name stands beside it; the editor opens over the name, and gives the focus back to its link.
  const [anchor] = useState(() => ({
    get current() {
      const opener = popup.button.current
      const link = opener?.closest('[data-row]')?.querySelector<HTMLButtonElement>('[data-focus=name]')
      return field === 'name' ? (link ?? opener) : opener
    },
  }))
  return (
    <PopoverPanel
      popup={{ ...popup, button: anchor }}
      aria-label={t(`edit.${field}Of`, { name: row.name })}
      align={field === 'budget' ? 'end' : 'start'}
      alignOffset={-13}
      sideOffset={-30}
      collisionPadding={8}
      className={field === 'budget' ? 'w-64 p-3' : 'w-[min(22rem,calc(100vw-2rem))] p-3'}
      // A portal's clicks and keys bubble through React to the row.
      onClick={(event) => event.stopPropagation()}
      onOpenAutoFocus={() => setChanged(false)}
      onInteractOutside={(event) => {
        // What was typed is given up by Escape or Cancel only.
        if (changed || (event.target instanceof Node && popup.button.current?.contains(event.target))) event.preventDefault()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        returnFocus(anchor.current)
      }}
    >
      <Editor {...props} onChanged={setChanged} />
    </PopoverPanel>
  )
}

function Editor({ row, field, edit, popup, onChanged }: CellEditorProps & { readonly onChanged: (changed: boolean) => void }) {
  const { t } = useTranslation(['campaigns', 'common', 'form'])
  const [base, setBase] = useState<Base>(row)
  const [typed, setTyped] = useState<Typed>(() => typedOf(row))
  const [error, setError] = useState<readonly string[]>([])
  const [notice, setNotice] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const errorId = useId()
  const close = () => popup.onOpenChange(false)

  const type = (patch: Partial<Typed>) => {
    const next = { ...typed, ...patch }
    setTyped(next)
    setError([])
    onChanged(Object.keys(fieldsOf(field, next, base)).length > 0)
  }

  async function save() {
    const fault = typedFault(field, typed)
    if (fault !== null) return setError([fault])
    const fields = fieldsOf(field, typed, base)
    if (Object.keys(fields).length === 0) return close()
    setPending(true)
    const was = Object.fromEntries(Object.keys(fields).map((key) => [key, base[key as keyof Base]]))
    try {
      const saved = await edit.save({ id: row.id, revision: base.revision, was, fields })
      const text = t(`campaigns:edit.done.${field}`, { name: saved.campaign.name, value: shownText(field, saved.campaign, row) })
      edit.report(text, [saved])
      close()
    } catch (refused) {
      if (refused instanceof FieldsChanged) rebase(refused)
      else setError(await refusalLines(refused, Object.keys(fields)))
    } finally {
      setPending(false)
    }
  }

  /** The next save is on top of what was saved since. */
  function rebase({ newest, last }: FieldsChanged) {
    const value = shownText(field, newest, row)
    setBase(newest)
    setNotice(
      last === null
        ? t('campaigns:edit.changed', { value })
        : t('campaigns:edit.changedBy', {
            value,
            name: authorName({ author: last.author, author_id: last.authorId }),
            when: formatMinute(last.at),
          }),
    )
    void edit.refresh()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React events of the portal bubble to the row and its table.
    event.stopPropagation()
    if (!pending) void save()
  }
  const invalid = error.length > 0
  const described = { 'aria-invalid': invalid, 'aria-describedby': invalid ? errorId : undefined }
  return (
    <form noValidate aria-busy={pending} onSubmit={submit} className="flex flex-col gap-2">
      {field === 'name' && (
        <LabelledField label={t('form:name')}>
          <FieldInput
            {...described}
            autoComplete="off"
            maxLength={300}
            value={typed.name}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => type({ name: target.value })}
          />
        </LabelledField>
      )}
      {field === 'budget' && (
        <LabelledField
          label={t(row.budget_type_key === 1 ? 'form:totalBudget' : 'form:dailyBudget')}
          unit={symbolOf(row.currency).trim()}
        >
          <AmountInput
            {...described}
            currency={row.currency}
            value={typed.budget}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => type({ budget: target.value })}
          />
        </LabelledField>
      )}
      {field === 'dates' && (
        <div className="grid grid-cols-2 gap-2 max-[24rem]:grid-cols-1">
          {(['start', 'end'] as const).map((edge) => (
            <LabelledField key={edge} label={t(`form:${edge}Date`)}>
              <DateInput
                {...described}
                label={t(`form:${edge}Date`)}
                value={typed[edge]}
                onChange={(value) => type({ [edge]: value })}
              />
            </LabelledField>
          ))}
        </div>
      )}
      {notice !== null && (
        <output className="block bg-warning-tint text-foreground rounded-md px-2.5 py-1.5 text-xs">{notice}</output>
      )}
      {invalid && (
        <div id={errorId} role="alert" className="text-destructive text-xs">
          {error.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      <div className="flex items-center gap-2 pt-1">
        <p aria-hidden className="text-muted-foreground mr-auto flex items-center gap-1 text-xs">
          <Kbd>Enter</Kbd>
          <Kbd>Esc</Kbd>
        </p>
        <Button type="button" size="sm" variant="ghost" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" size="sm" aria-disabled={pending}>
          {t(pending ? 'campaigns:edit.saving' : notice === null ? 'campaigns:edit.save' : 'campaigns:edit.saveAnyway')}
        </Button>
      </div>
    </form>
  )
}
