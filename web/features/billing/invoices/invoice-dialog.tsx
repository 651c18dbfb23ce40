import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, FieldTextarea, LabelledField } from '@/components/form/labelled-field'
import { ToggleRow } from '@/components/form/toggle-row'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { accountQueries } from '@/data/account-queries'
import { AppError } from '@/data/app-error'
import { readDecimal } from '@/i18n/decimal'
import { errorText, faultText } from '@/i18n/error-text'
import { symbolOf } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { invoiceQueries } from './invoice-queries.ts'

export type InvoiceField = {
  /** As the server names it in faults. */
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'words' | 'money' | 'day' | 'choice' | 'switch'
  readonly required?: boolean
  readonly help?: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}
export type InvoiceValues = Readonly<Record<string, string>>

type InvoiceDialogProps = {
  readonly title: string
  readonly text: string
  readonly fields: readonly InvoiceField[]
  readonly initial: InvoiceValues
  readonly currency: string
  readonly confirm: string
  readonly tone?: 'default' | 'destructive'
  readonly send: (values: InvoiceValues) => Promise<unknown>
  /** What to say once it is done. */
  readonly done: string
  readonly onDone?: (answer: unknown) => void
  readonly onClose: () => void
  /** Above the fields. */
  readonly children?: ReactNode
}

export const amountOf = (values: InvoiceValues, name: string): number => readDecimal(values[name] ?? '') ?? Number.NaN

/** A dialog that takes a step of an invoice; faults of the server stand beside their fields. */
export function InvoiceDialog(props: InvoiceDialogProps) {
  const { title, text, fields, initial, currency, confirm, tone = 'default', send, done, onDone, onClose, children } = props
  const { t } = useTranslation(['invoices', 'common'])
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<InvoiceValues>({})
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [invoiceQueries.all(), accountQueries.all(), ['billing']] },
    mutationFn: () => send(values),
    onSuccess: (answer) => {
      toast.success(done)
      onClose()
      onDone?.(answer)
    },
    onError: (error) => {
      const fieldOf = (path: string) => fields.find(({ name }) => path === name || path.startsWith(`${name}[`))?.name
      const known = error instanceof AppError ? error.faults.filter(({ path }) => fieldOf(path) !== undefined) : []
      setFaults(Object.fromEntries(known.map((fault) => [fieldOf(fault.path) ?? '', faultText(fault)])))
      if (known.length === 0) toast.error(errorText(error))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = fields.flatMap(({ name, kind, required }) => {
      const typed = values[name]?.trim() ?? ''
      if (required === true && typed === '') return [[name, t('invoices:required')] as const]
      return kind === 'money' && typed !== '' && readDecimal(typed) === null ? [[name, t('invoices:number')] as const] : []
    })
    setFaults(Object.fromEntries(wrong))
    if (wrong.length === 0) mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={title} description={text}>
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            {children}
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

type OneFieldProps = {
  readonly field: InvoiceField
  readonly value: string
  readonly error: string | undefined
  readonly currency: string
  readonly onChange: (value: string) => void
}

function OneField({ field: { kind, label, help, name, options = [] }, value, error, currency, onChange }: OneFieldProps) {
  if (kind === 'switch')
    return <ToggleRow label={label} checked={value === 'yes'} onChange={(on) => onChange(on ? 'yes' : 'no')} />
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
      ) : (
        <FieldInput
          name={name}
          type={kind === 'day' ? 'date' : 'text'}
          autoComplete="off"
          inputMode={kind === 'money' ? 'decimal' : undefined}
          maxLength={1000}
          value={value}
          className={kind === 'text' ? undefined : 'tabular-nums'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledField>
  )
}
