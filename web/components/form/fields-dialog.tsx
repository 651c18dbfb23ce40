import { useMutation, type QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { readDecimal } from '@/i18n/decimal'
import { errorToast } from '@/i18n/error-toast'
import { isDay } from '@/lib/date-range'
import { toast } from '@/lib/toast'
import { mayClose } from '@/lib/unsaved'
import { DateField } from './date-field.tsx'
import { MoneyField, SelectField, TextareaField, TextField, type KitField } from './fields.tsx'
import { useFormKit } from './form-kit.ts'
import { markSaved, namedField, ShortForm, showFaults, useShortForm } from './short-form.tsx'
import { ToggleRow } from './toggle-row.tsx'

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
 * before what was typed is lost.
 */
export function FieldsDialog(props: FieldsDialogProps) {
  const { title, text, fields, initial, currency, confirm, tone = 'default', send, invalidates, done, onDone, onClose } = props
  const { t } = useTranslation()
  const faultOf = ({ name, kind, required }: DialogField, values: DialogValues): string | null => {
    const typed = values[name]?.trim() ?? ''
    if (required === true && typed === '') return t('fieldRequired')
    if (kind === 'day' && typed !== '' && !isDay(typed)) return t('fieldDay')
    const isNumber = kind === 'number' || kind === 'money'
    return isNumber && typed !== '' && !Number.isFinite(decimal(typed)) ? t('fieldNumber') : null
  }
  // Fields without an initial value are empty, also before they are typed into.
  const [start] = useState(() => ({ ...Object.fromEntries(fields.map(({ name }) => [name, ''])), ...initial }))
  const form = useShortForm<Record<string, string>>(start, (values) =>
    Object.fromEntries(fields.map((field) => [field.name, faultOf(field, values)])),
  )
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [...invalidates] },
    mutationFn: (values: DialogValues) => send(values),
    onSuccess: (answer) => {
      toast.success(typeof done === 'string' ? done : done(answer))
      markSaved(form)
      onClose()
      onDone?.(answer)
    },
    onError: (error) => {
      const isShown = showFaults(form, error, { fieldOf: namedField(fields.map(({ name }) => name)) })
      if (!isShown) errorToast(error)
    },
  })
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && void close()}>
      <DialogPanel title={title} description={text}>
        <ShortForm form={form} currency={currency} onSubmit={(values) => mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            {props.children}
            {fields.map((field) => (
              <OneField key={field.name} field={field} />
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
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}

function OneField({ field: { kind, label, help, name, options = [] } }: { readonly field: DialogField }) {
  const field = { name, label, ...(help !== undefined && { help }) }
  if (kind === 'switch') return <YesNoField {...field} />
  if (kind === 'words') return <TextareaField {...field} maxLength={1000} />
  if (kind === 'day') return <DateField {...field} />
  if (kind === 'choice')
    return (
      <SelectField {...field}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    )
  if (kind === 'money') return <MoneyField {...field} />
  const isNumber = kind === 'number'
  return (
    <TextField
      {...field}
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      maxLength={1000}
      inputClassName={isNumber ? 'tabular-nums' : undefined}
    />
  )
}

function YesNoField({ name, label, help }: KitField) {
  const { control } = useFormKit().form
  const { ref, value, onChange } = useController({ control, name }).field
  return (
    <ToggleRow
      label={label}
      {...(help !== undefined && { help })}
      ref={ref}
      checked={value === 'yes'}
      onChange={(on) => onChange(on ? 'yes' : 'no')}
    />
  )
}
