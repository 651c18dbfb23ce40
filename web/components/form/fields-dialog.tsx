import { useMutation, type QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { readDecimal } from '@/i18n/decimal'
import { errorToast } from '@/i18n/error-toast'
import { isDay } from '@/lib/date-range'
import { toast } from '@/lib/toast'
import { DateField } from './date-field.tsx'
import { MoneyField, SelectField, TextareaField, TextField, type KitField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useFormKit } from './form-kit.ts'
import { markSaved, namedField, showFaults, useShortForm } from './short-form.tsx'
import { ToggleRow } from './toggle-row.tsx'

type FieldBase = { readonly label: string; readonly help?: string; readonly required?: boolean }
type Option = { readonly value: string; readonly label: string }
export type DialogField =
  | (FieldBase & { readonly kind: 'text' | 'words' | 'day'; readonly initial?: string | null })
  | (FieldBase & { readonly kind: 'number' | 'money'; readonly initial?: number | string | null })
  | (FieldBase & { readonly kind: 'choice'; readonly initial?: string | null; readonly options: readonly Option[] })
  | (FieldBase & { readonly kind: 'switch'; readonly initial?: boolean })

/** The fields by the names that the server uses in faults. */
export type DialogFields = Readonly<Record<string, DialogField>>

type ValueOf<Field extends DialogField> = Field extends { readonly kind: 'switch' }
  ? boolean
  : Field extends { readonly kind: 'number' | 'money' }
    ? Field extends { readonly required: true }
      ? number
      : number | null
    : string

/** Typed values: texts without the blanks around them, and null for an empty number. */
export type DialogValues<Fields extends DialogFields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

/** A number that may be negative, for corrections. Null for an empty field, NaN for no number. */
function decimal(typed: string): number | null {
  const [, sign = '', rest = ''] = /^([-−]?)(.*)$/.exec(typed.trim()) ?? []
  const value = readDecimal(rest)
  if (sign === '') return value
  return value === null ? Number.NaN : -value
}

const isNumeric = ({ kind }: DialogField) => kind === 'number' || kind === 'money'

function valueOf(field: DialogField, typed: string | boolean | undefined): string | number | boolean | null {
  if (typeof typed !== 'string') return typed === true
  return isNumeric(field) ? decimal(typed) : typed.trim()
}

export type FieldsDialogProps<Fields extends DialogFields, Answer> = {
  readonly title: string
  readonly text: string
  readonly fields: Fields
  /** Currency of its amounts, ISO 4217. */
  readonly currency?: string
  readonly confirm: string
  readonly tone?: 'default' | 'destructive'
  readonly send: (values: DialogValues<Fields>) => Promise<Answer>
  /** Keys of queries that the change makes out of date. */
  readonly invalidates?: readonly QueryKey[]
  /** Message once it is done, by the answer. */
  readonly done: string | ((answer: Answer) => string)
  readonly onDone?: (answer: Answer) => void
  readonly onClose: () => void
  /** Above the fields. */
  readonly children?: ReactNode
}

/** A dialog of a few fields that makes one change; faults of the server stand beside their fields. */
export function FieldsDialog<const Fields extends DialogFields, Answer>(props: FieldsDialogProps<Fields, Answer>) {
  const { title, text, confirm, currency = null, tone = 'default', send, invalidates = [], done, onDone, onClose } = props
  const { t } = useTranslation()
  const fields = Object.entries(props.fields)
  const faultOf = (field: DialogField, typed: string | boolean | undefined): string | null => {
    const value = valueOf(field, typed)
    if (value === '' || value === null) return field.required === true ? t('fieldRequired') : null
    if (field.kind === 'day' && !isDay(String(value))) return t('fieldDay')
    return isNumeric(field) && !Number.isFinite(value) ? t('fieldNumber') : null
  }
  const [start] = useState(() =>
    Object.fromEntries(
      fields.map(([name, { kind, initial }]) => [name, kind === 'switch' ? initial === true : String(initial ?? '')]),
    ),
  )
  const form = useShortForm<Record<string, string | boolean>>(start, (typed) =>
    Object.fromEntries(fields.map(([name, field]) => [name, faultOf(field, typed[name])])),
  )
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [...invalidates] },
    mutationFn: (typed: Record<string, string | boolean>) =>
      send(Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field, typed[name])])) as DialogValues<Fields>),
    onSuccess: (answer) => {
      toast.success(typeof done === 'string' ? done : done(answer))
      markSaved(form)
      onClose()
      onDone?.(answer)
    },
    onError: (error) => {
      const isShown = showFaults(form, error, { fieldOf: namedField(fields.map(([name]) => name)) })
      if (!isShown) errorToast(error)
    },
  })
  return (
    <FormDialog
      title={title}
      description={text}
      form={form}
      currency={currency}
      confirm={confirm}
      tone={tone}
      disabled={isPending}
      onSubmit={(typed) => mutate(typed)}
      onClose={onClose}
    >
      {props.children}
      {fields.map(([name, field]) => (
        <OneField key={name} name={name} field={field} />
      ))}
    </FormDialog>
  )
}

function OneField({ name, field }: { readonly name: string; readonly field: DialogField }) {
  const { kind, label, help } = field
  const props = { name, label, ...(help !== undefined && { help }) }
  if (kind === 'switch') return <SwitchField {...props} />
  if (kind === 'words') return <TextareaField {...props} maxLength={1000} />
  if (kind === 'day') return <DateField {...props} />
  if (kind === 'choice')
    return (
      <SelectField {...props}>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    )
  if (kind === 'money') return <MoneyField {...props} />
  const isNumber = kind === 'number'
  return (
    <TextField
      {...props}
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      maxLength={1000}
      inputClassName={isNumber ? 'tabular-nums' : undefined}
    />
  )
}

function SwitchField({ name, label, help }: KitField) {
  const { control } = useFormKit().form
  const { ref, value, onChange } = useController({ control, name }).field
  return <ToggleRow label={label} {...(help !== undefined && { help })} ref={ref} checked={value === true} onChange={onChange} />
}
