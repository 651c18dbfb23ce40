import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { AppError, isOffline, isOutside } from '@/data/app-error'
import { PasskeyButton } from './passkey-button.tsx'
import { enterByPasskey } from './passkeys.ts'
import { signInBy } from './sign-in-by.ts'
import type { Grant } from './token-store.ts'

/** A challenge, and whether a passkey may answer it too. */
export type SecondStep = { readonly challenge: string; readonly passkey: boolean }

type CodeFieldsProps = {
  readonly step: SecondStep
  readonly className: string
  readonly onGrant: (grant: Grant) => Promise<void>
  readonly onBack: () => void
}

/** The code of a challenge that is over. */
const TOKEN_INVALID = 5

/** The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey. */
export function CodeFields({ step: { challenge, passkey }, className, onGrant, onBack }: CodeFieldsProps) {
  const { t } = useTranslation(['session', 'common'])
  const [code, setCode] = useState('')
  const attempt = useMutation({
    meta: { silent: true },
    mutationFn: async () => onGrant(await signInBy({ grant_type: 'otp', challenge, code: code.trim() })),
    onError: () => setCode(''),
  })
  const isOver = isChallengeOver(attempt.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.mutate()
  }
  return (
    <form onSubmit={submit} className={className}>
      <div>
        <h1 className="text-xl font-semibold tracking-[-0.01em]">{t('session:code.title')}</h1>
        <p className="text-muted-foreground">{t('session:code.text')}</p>
      </div>
      {attempt.isError && (
        <Notice tone="bad" role="alert" className="text-[0.8125rem]/4.5">
          <CircleAlert aria-hidden />
          <p>{t(textOf(attempt.error))}</p>
        </Notice>
      )}
      <LabelledField label={t('session:code.label')}>
        <FieldInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step was just reached by submitting the password
          autoFocus
          name="code"
          autoComplete="one-time-code"
          maxLength={20}
          required
          className="font-mono tracking-widest"
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </LabelledField>
      <div className="flex justify-end gap-2">
        <Button type="button" variant="ghost" onClick={onBack}>
          {t('session:code.back')}
        </Button>
        <Button type="submit" className="grow" disabled={attempt.isPending || isOver || code.trim() === ''}>
          {t('session:code.confirm')}
        </Button>
      </div>
      {passkey && <PasskeyButton label={t('session:passkey.use')} onUse={async () => onGrant(await enterByPasskey(challenge))} />}
    </form>
  )
}

const isChallengeOver = (error: unknown): boolean => error instanceof AppError && error.code === TOKEN_INVALID

function textOf(error: unknown) {
  if (isOffline(error)) return 'common:offline'
  if (isOutside(error)) return 'session:outside'
  return isChallengeOver(error) ? 'session:code.over' : 'session:code.wrong'
}
