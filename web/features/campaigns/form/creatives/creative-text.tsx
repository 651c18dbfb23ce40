import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { byteLength } from '#domain/campaign/saving/save-rules'
import { LabelledField, FieldInput, FieldTextarea } from '@/components/form/labelled-field'
import { cn } from '@/lib/utils'
import { useCampaignForm, useErrorText, useFieldError, useFormBase, useFormValue } from '../campaign-form-context.ts'
import type { CampaignField } from '../form-schema.ts'
import { typedName } from './wire-values.ts'

/** Shows how much of a limit is used, in UTF-8 bytes as a save counts them. */
export function ByteCounter({ text, max }: { readonly text: string; readonly max: number }) {
  const { t } = useTranslation('creatives')
  const used = byteLength(text)
  return (
    <span className={cn('tabular-nums', used > max && 'text-destructive font-medium')}>
      {/* Letters of some alphabets take two bytes each: then the unit explains the number. */}
      <span aria-hidden>{used === text.length ? `${used}/${max}` : t('bytesShort', { used, max })}</span>
      <span className="sr-only">{t('bytes', { used, max })}</span>
    </span>
  )
}

type CreativeTextProps = {
  readonly name: CampaignField
  readonly label: string
  readonly max: number
  readonly rows?: number
  readonly className?: string
  /** Shown beside the control, for example a remove button. */
  readonly action?: ReactNode
} & Pick<ComponentProps<'input'>, 'placeholder'>

/** A text of a creative. Its counter reports excess length while typing, not only on blur. */
export function CreativeText({ name, label, max, rows, className, action, placeholder }: CreativeTextProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const errorText = useErrorText()
  const known = useFieldError(name)
  const value: unknown = useFormValue(name)
  const text = typeof value === 'string' ? value : ''
  const tooLong = byteLength(text) > max ? errorText('custom', `faults:maxBytes?max=${max}`) : undefined
  const control = { autoComplete: 'off', readOnly, ...(placeholder === undefined ? {} : { placeholder }), ...register(name) }
  return (
    <LabelledField
      label={label}
      hint={<ByteCounter text={text} max={max} />}
      error={tooLong ?? known}
      className={cn('col-span-2', className)}
    >
      <div className="flex items-start gap-1">
        {rows === undefined ? <FieldInput {...control} /> : <FieldTextarea rows={rows} {...control} className="h-auto" />}
        {action}
      </div>
    </LabelledField>
  )
}

/** The name of a creative. It is never shown to ad viewers. */
export function CreativeName({
  name,
  label,
  help,
}: {
  readonly name: CampaignField
  readonly label: string
  readonly help: string
}) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  const { onChange, ...field } = register(name)
  return (
    <LabelledField label={label} help={help} error={error} className="col-span-2">
      <FieldInput
        autoComplete="off"
        spellCheck={false}
        readOnly={readOnly}
        {...field}
        onChange={(event) => {
          event.target.value = typedName(event.target.value)
          void onChange(event)
        }}
      />
    </LabelledField>
  )
}
