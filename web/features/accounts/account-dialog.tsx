import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, FieldTextarea, LabelledField } from '@/components/form/labelled-field'
import { ToggleRow } from '@/components/form/toggle-row'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { AppError } from '@/data/app-error'
import { accountQueries } from '@/data/account-queries'
import { readDecimal } from '@/i18n/decimal'
import { errorText, faultText } from '@/i18n/error-text'
import { symbolOf } from '@/i18n/format'
import { toast } from '@/lib/toast'

export type DialogField = {
  /** As the server names it in faults. */
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'words' | 'number' | 'money' | 'choice' | 'switch'
  readonly required?: boolean
  readonly help?: string
  /** Of a choice: its values with their labels. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}
export type DialogValues = Readonly<Record<string, string>>

/** Numbers that were typed, by field; null for an empty one. */
export const numberOf = (values: DialogValues, name: string): number | null => readDecimal(values[name] ?? '')
export const textOf = (values: DialogValues, name: string): string | null => values[name]?.trim() || null

type AccountDialogProps = {
  readonly title: string
  readonly text: string
  readonly fields: readonly DialogField[]
  readonly initial: DialogValues
  readonly currency: string
  readonly confirm: string
  readonly tone?: 'default' | 'destructive'
  readonly send: (values: DialogValues) => Promise<unknown>
  /** What to say once it is done. */
  readonly done: string
  readonly onClose: () => void
}

/** A dialog of a few fields that changes an account; faults of the server stand beside their fields. */
export function AccountDialog({
  title,
  text,
  fields,
  initial,
  currency,
  confirm,
  tone = 'default',
  send,
  done,
  onClose,
}: AccountDialogProps) {
  const { t } = useTranslation(['accounts', 'common'])
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<DialogValues>({})
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [accountQueries.all(), ['search']] },
    mutationFn: () => send(values),
    onSuccess: () => {
      toast.success(done)
      onClose()
    },
    onError: (error) => {
      const known = error instanceof AppError ? error.faults.filter(({ path }) => fields.some(({ name }) => name === path)) : []
      setFaults(Object.fromEntries(known.map((fault) => [fault.path, faultText(fault)])))
      if (known.length === 0) toast.error(errorText(error))
    },
  })
  const faultOf = ({ name, kind, required }: DialogField): string | null => {
    const typed = values[name]?.trim() ?? ''
    if (required === true && typed === '') return t('accounts:required')
    const isNumber = kind === 'number' || kind === 'money'
    return isNumber && typed !== '' && !Number.isFinite(decimal(typed)) ? t('accounts:number') : null
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = fields.flatMap((field) => {
      const fault = faultOf(field)
      return fault === null ? [] : [[field.name, fault] as const]
    })
    setFaults(Object.fromEntries(wrong))
    if (wrong.length === 0) mutate()
  }
  const change = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={title} description={text}>
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            {fields.map((field) => (
              <FieldOf
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                error={faults[field.name]}
                currency={currency}
                onChange={(value) => change(field.name, value)}
              />
            ))}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="outline" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" variant={tone} disabled={isPending}>
              {confirm}
            </Button>
          </DialogPanelFooter>
        </form>
      </DialogPanel>
    </Dialog>
  )
}

/** A number that may be negative, for corrections. */
function decimal(typed: string): number {
  const text = typed.trim()
  const [, sign = '', rest = ''] = /^([-−]?)(.*)$/.exec(text) ?? []
  const value = readDecimal(rest) ?? Number.NaN
  return sign === '' ? value : -value
}
/** A number of a dialog with its sign; NaN for an empty field. */
export const signedOf = (values: DialogValues, name: string): number => decimal(values[name] ?? '')

type FieldOfProps = {
  readonly field: DialogField
  readonly value: string
  readonly error: string | undefined
  readonly currency: string
  readonly onChange: (value: string) => void
}

function FieldOf({ field, value, error, currency, onChange }: FieldOfProps): ReactNode {
  const { kind, label, help, options = [], name } = field
  if (kind === 'switch')
    return <ToggleRow label={label} checked={value === 'yes'} onChange={(on) => onChange(on ? 'yes' : 'no')} />
  return (
    <LabelledField label={label} help={help} error={error} unit={kind === 'money' ? symbolOf(currency) : undefined}>
      {kind === 'words' ? (
        <FieldTextarea name={name} value={value} maxLength={300} onChange={({ target }) => onChange(target.value)} />
      ) : kind === 'choice' ? (
        <FieldSelect name={name} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </FieldSelect>
      ) : (
        <FieldInput
          name={name}
          autoComplete="off"
          inputMode={kind === 'text' ? undefined : 'decimal'}
          maxLength={300}
          value={value}
          className={kind === 'text' ? undefined : 'tabular-nums'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledField>
  )
}
