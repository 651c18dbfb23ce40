import type { ReactNode } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { SelectField, TextField } from '@/components/form/fields'
import { DateField } from '@/components/form/date-field'
import { kitFormOf } from '@/components/form/form-kit'
import { ShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { fieldFaults } from '@/data/field-faults'
import { formatDay } from '@/i18n/format'
import { errorText } from '@/i18n/error-text'
import { useNow } from '@/lib/clock'
import { mayClose } from '@/lib/unsaved'
import { BY_DATE, dayOf, isDay, latestDay, lifetimesWithin } from './lifetime.ts'
import { SecretShown } from './secret-shown.tsx'
import '@/i18n/texts/secrets'

/** Of a new secret: its name, for how many days it is valid, as a select holds it, and the date in place of them (`lifetime.ts`). */
export type NewSecret = { readonly name: string; readonly days: string; readonly expires_at: string }

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
  const { t } = useTranslation(['secrets', 'common'])
  const { control } = kitFormOf(form)
  const [name, days, date]: unknown[] = useWatch({ control, name: ['name', 'days', 'expires_at'] })
  const now = useNow()
  const latest = latestDay(most, now)
  const isNamed = typeof name === 'string' && name.trim() !== ''
  const isEnded = days !== BY_DATE || isDay(date)
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && void close()}>
      <DialogPanel title={secret === undefined ? texts.title : texts.createdTitle} closable={secret === undefined}>
        {secret === undefined ? (
          <ShortForm form={form} onSubmit={(values) => creation.mutate(values)} className="flex min-h-0 flex-col">
            <DialogPanelBody>
              <TextField<keyof NewSecret>
                name="name"
                label={t('secrets:name')}
                {...(texts.nameHelp !== undefined && { help: texts.nameHelp })}
                maxLength={100}
              />
              {children}
              <SelectField<keyof NewSecret> name="days" label={t('secrets:lifetime')}>
                {lifetimesWithin(most).map((count) => (
                  <option key={count} value={count}>
                    {t('secrets:days', { count })}
                  </option>
                ))}
                {most > 1 && <option value={BY_DATE}>{t('secrets:byDate')}</option>}
              </SelectField>
              {days === BY_DATE && (
                <DateField<keyof NewSecret>
                  name="expires_at"
                  label={t('secrets:date')}
                  help={t('secrets:dateHelp', { at: formatDay(latest) })}
                  min={dayOf(now)}
                />
              )}
              {creation.error !== null && Object.keys(fieldFaults(creation.error)).length === 0 && (
                <p role="alert" className="text-destructive text-xs">
                  {errorText(creation.error)}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button variant="ghost" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              <Button type="submit" disabled={creation.isPending || !isNamed || !isEnded || !isReady}>
                {texts.create}
              </Button>
            </DialogPanelFooter>
          </ShortForm>
        ) : (
          <SecretShown text={texts.createdText} secret={secret} done={texts.kept} onDone={onClose} />
        )}
      </DialogPanel>
    </Dialog>
  )
}
