import { useMutation, type QueryKey } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DateInput } from '@/components/date/date-input'
import { AppError } from '@/data/app-error'
import { readDecimal } from '@/i18n/decimal'
import { errorText, faultText } from '@/i18n/error-text'
import { symbolOf } from '@/i18n/format'
import { isDay } from '@/lib/date-range'
import { toast } from '@/lib/toast'
import { mayClose } from '@/lib/unsaved'
import { FieldInput, FieldSelect, FieldTextarea, LabelledField } from './labelled-field.tsx'
import { ToggleRow } from './toggle-row.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

export type DialogField = {
  /** As the server names it in faults. */
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'words' | 'number' | 'money' | 'day' | 'choice' | 'switch'
  readonly required?: boolean
  readonly help?: string
  /** Of a choice: its values with their labels. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}
/** What was typed; a switch is `yes` or `no`. */
export type DialogValues = Readonly<Record<string, string>>

/** The number in a field; null for an empty one. */
export const numberOf = (values: DialogValues, name: string): number | null => readDecimal(values[name] ?? '')
export const textOf = (values: DialogValues, name: string): string | null => values[name]?.trim() || null
/** A number with its sign; NaN for an empty field. */
export const signedOf = (values: DialogValues, name: string): number => decimal(values[name] ?? '')

/** A number that may be negative, for corrections. */
function decimal(typed: string): number {
  const [, sign = '', rest = ''] = /^([-−]?)(.*)$/.exec(typed.trim()) ?? []
  const value = readDecimal(rest) ?? Number.NaN
  return sign === '' ? value : -value
}

export type FieldsDialogProps = {
  readonly title: string
  readonly text: string
  readonly fields: readonly DialogField[]
  readonly initial: DialogValues
  /** Of its amounts, ISO 4217. */
  readonly currency: string
  readonly confirm: string
  readonly tone?: 'default' | 'destructive'
  readonly send: (values: DialogValues) => Promise<unknown>
  /** Keys of queries that the change makes out of date. */
  readonly invalidates: readonly QueryKey[]
  /** What to say once it is done, by the answer. */
  readonly done: string | ((answer: unknown) => string)
  readonly onDone?: (answer: unknown) => void
  readonly onClose: () => void
  /** Above the fields. */
  readonly children?: ReactNode
}

/**
 * A dialog of a few fields that makes one change; faults of the server stand beside their fields. Unless it is cancelled, it asks
 * before what was typed is lost. After the change, `onDone` may only navigate with `ignoreBlocker`.
 */
export function FieldsDialog(props: FieldsDialogProps) {
  const { title, text, fields, initial, currency, confirm, tone = 'default', send, invalidates, done, onDone, onClose } = props
  const { t } = useTranslation()
  const [start] = useState(initial)
  const [values, setValues] = useState(initial)
  const changed = fields.some(({ name }) => (values[name] ?? '') !== (start[name] ?? ''))
  const [faults, setFaults] = useState<DialogValues>({})
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [...invalidates] },
    mutationFn: () => send(values),
    onSuccess: (answer) => {
      toast.success(typeof done === 'string' ? done : done(answer))
      onClose()
      onDone?.(answer)
    },
    onError: (error) => {
      // An entry of a list has the path `emails[0]`.
      const fieldOf = (path: string) => fields.find(({ name }) => path === name || path.startsWith(`${name}[`))?.name
      const known = error instanceof AppError ? error.faults.filter(({ path }) => fieldOf(path) !== undefined) : []
      setFaults(Object.fromEntries(known.map((fault) => [fieldOf(fault.path) ?? '', faultText(fault)])))
      if (known.length === 0) toast.error(errorText(error))
    },
  })
  const faultOf = ({ name, kind, required }: DialogField): string | null => {
    const typed = values[name]?.trim() ?? ''
    if (required === true && typed === '') return t('fieldRequired')
    if (kind === 'day' && typed !== '' && !isDay(typed)) return t('fieldDay')
    const isNumber = kind === 'number' || kind === 'money'
    return isNumber && typed !== '' && !Number.isFinite(decimal(typed)) ? t('fieldNumber') : null
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
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && void close()}>
      <DialogPanel title={title} description={text}>
        <UnsavedGuard unsaved={changed} />
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            {props.children}
            {fields.map((field) => (
              <OneField
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                error={faults[field.name]}
                currency={currency}
                onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
              />
            ))}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="outline" onClick={onClose}>
              {t('cancel')}
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

type OneFieldProps = {
  readonly field: DialogField
  readonly value: string
  readonly error: string | undefined
  readonly currency: string
  readonly onChange: (value: string) => void
}

function OneField({ field: { kind, label, help, name, options = [] }, value, error, currency, onChange }: OneFieldProps) {
  if (kind === 'switch')
    return <ToggleRow label={label} checked={value === 'yes'} onChange={(on) => onChange(on ? 'yes' : 'no')} />
  const isNumber = kind === 'number' || kind === 'money'
  return (
    <LabelledField label={label} help={help} error={error} unit={kind === 'money' ? symbolOf(currency).trim() : undefined}>
      {kind === 'words' ? (
        <FieldTextarea name={name} value={value} maxLength={1000} onChange={({ target }) => onChange(target.value)} />
      ) : kind === 'choice' ? (
        <FieldSelect name={name} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </FieldSelect>
      ) : kind === 'day' ? (
        <DateInput name={name} label={label} value={value} onChange={onChange} />
      ) : (
        <FieldInput
          name={name}
          type="text"
          autoComplete="off"
          inputMode={isNumber ? 'decimal' : undefined}
          maxLength={1000}
          value={value}
          className={kind === 'text' ? undefined : 'tabular-nums'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledField>
  )
}
