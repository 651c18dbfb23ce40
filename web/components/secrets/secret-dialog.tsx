import type { ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
import { SelectField, TextField } from '@/components/form/fields'
import { DateField } from '@/components/form/date-field'
import { kitFormOf } from '@/components/form/form-kit'
import { ShortForm } from '@/components/form/short-form'
import { errorOfNoField } from '@/data/field-faults'
import { formatDay } from '@/i18n/format'
import { errorText } from '@/i18n/error-text'
import { useNow } from '@/lib/clock'
import { BY_DATE, dayOf, isDay, latestDay, lifetimesWithin, type NewSecret } from './lifetime.ts'
import { SecretShown } from './secret-shown.tsx'
import '@/i18n/texts/secrets'

type SecretDialogProps<Values extends NewSecret> = {
  readonly texts: {
    readonly title: string
    readonly createdTitle: string
    readonly createdText: string
    readonly create: string
    readonly kept: string
    readonly nameHelp?: string
  }
  readonly form: UseFormReturn<Values>
  /** The longest life, days. */
  readonly most: number
  readonly creation: {
    readonly mutate: (values: Values) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
  /** The secret once it was created. */
  readonly secret: string | undefined
  /** Whether the caller's own fields are filled in. */
  readonly isReady?: boolean
  /** The fields between the name and the lifetime. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Creates a secret for a program, and shows it once. */
export function SecretDialog<Values extends NewSecret>(props: SecretDialogProps<Values>) {
  const { texts, form, most, creation, secret, isReady = true, children, onClose } = props
  const { t } = useTranslation('secrets')
  const { control } = kitFormOf(form)
  const [name, days, date]: unknown[] = useWatch({ control, name: ['name', 'days', 'expires_at'] })
  const now = useNow()
  const latest = latestDay(most, now)
  const isNamed = typeof name === 'string' && name.trim() !== ''
  const isEnded = days !== BY_DATE || isDay(date)
  return (
    <DialogFrame
      guarded
      title={secret === undefined ? texts.title : texts.createdTitle}
      closable={secret === undefined}
      onClose={onClose}
    >
      {secret === undefined ? (
        <ShortForm form={form} onSubmit={(values) => creation.mutate(values)} className="flex min-h-0 flex-col">
          <DialogStep
            confirm={texts.create}
            disabled={creation.isPending || !isNamed || !isEnded || !isReady}
            error={errorOfNoField(creation.error) === null ? null : errorText(creation.error)}
            onCancel={onClose}
          >
            <TextField<keyof NewSecret>
              name="name"
              label={t('name')}
              {...(texts.nameHelp !== undefined && { help: texts.nameHelp })}
              maxLength={100}
            />
            {children}
            <SelectField<keyof NewSecret> name="days" label={t('lifetime')}>
              {lifetimesWithin(most).map((count) => (
                <option key={count} value={count}>
                  {t('days', { count })}
                </option>
              ))}
              {most > 1 && <option value={BY_DATE}>{t('byDate')}</option>}
            </SelectField>
            {days === BY_DATE && (
              <DateField<keyof NewSecret>
                name="expires_at"
                label={t('date')}
                help={t('dateHelp', { at: formatDay(latest) })}
                min={dayOf(now)}
              />
            )}
          </DialogStep>
        </ShortForm>
      ) : (
        <SecretShown text={texts.createdText} secret={secret} done={texts.kept} onDone={onClose} />
      )}
    </DialogFrame>
  )
}
