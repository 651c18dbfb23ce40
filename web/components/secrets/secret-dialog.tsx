import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { UnsavedGuard } from '@/components/form/unsaved-guard'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { errorText } from '@/i18n/error-text'
import { mayClose } from '@/lib/unsaved'
import { SecretShown } from './secret-shown.tsx'
import '@/i18n/texts/secrets'

/** Of a new secret: its name, and for how many days it is valid. */
export type NewSecret = { readonly name: string; readonly days: number }

type SecretDialogProps = {
  readonly texts: {
    readonly title: string
    readonly createdTitle: string
    readonly createdText: string
    readonly create: string
    readonly kept: string
    readonly nameHelp?: string
  }
  /** Lifetimes offered, days, and the one that is chosen at first. */
  readonly lifetimes: readonly number[]
  readonly lifetime: number
  readonly creation: {
    readonly mutate: (secret: NewSecret) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
  /** Texts of its refusal by field. */
  readonly faults: Readonly<Record<string, string>>
  /** The secret once it was created. */
  readonly secret: string | undefined
  /** Whether the fields of the caller are filled in. */
  readonly isReady?: boolean
  /** The fields between the name and the lifetime. */
  readonly children: ReactNode
  /** The fields after the lifetime. */
  readonly proof?: ReactNode
  readonly onClose: () => void
}

/** Creates a secret for a program, and shows it once. */
export function SecretDialog(props: SecretDialogProps) {
  const { texts, lifetimes, lifetime, creation, faults, secret, isReady = true, children, proof, onClose } = props
  const { t } = useTranslation(['secrets', 'common'])
  const [name, setName] = useState('')
  const [days, setDays] = useState(lifetime)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate({ name: name.trim(), days })
  }
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && void close()}>
      <DialogPanel title={secret === undefined ? texts.title : texts.createdTitle} closable={secret === undefined}>
        <UnsavedGuard unsaved={secret === undefined && name.trim() !== ''} />
        {secret === undefined ? (
          <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
            <DialogPanelBody>
              <LabelledField label={t('secrets:name')} help={texts.nameHelp} error={faults['name']}>
                <FieldInput maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
              </LabelledField>
              {children}
              <LabelledField label={t('secrets:lifetime')}>
                <FieldSelect value={String(days)} onChange={({ target }) => setDays(Number(target.value))}>
                  {lifetimes.map((count) => (
                    <option key={count} value={count}>
                      {t('secrets:days', { count })}
                    </option>
                  ))}
                </FieldSelect>
              </LabelledField>
              {proof}
              {creation.error !== null && Object.keys(faults).length === 0 && (
                <p role="alert" className="text-destructive text-xs">
                  {errorText(creation.error)}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button type="button" variant="ghost" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              <Button type="submit" disabled={creation.isPending || name.trim() === '' || !isReady}>
                {texts.create}
              </Button>
            </DialogPanelFooter>
          </form>
        ) : (
          <SecretShown text={texts.createdText} secret={secret} done={texts.kept} onDone={onClose} />
        )}
      </DialogPanel>
    </Dialog>
  )
}
