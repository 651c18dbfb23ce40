import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { startReset } from '#contract/registration'
import { isEmail } from '#domain/kit/validators'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { AuthCard, LINK } from './auth-card.tsx'
import '@/i18n/texts/registration'

/** `/auth/forgot-password`: asks for the mail with a link to a new password. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('registration')
  const [email, setEmail] = useState('')
  const [left, setLeft] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const address = email.trim()
  const fault = address === '' ? 'required' : isEmail(address) ? null : 'email'
  const sending = useMutation({ meta: { silent: true }, mutationFn: () => call(startReset, { body: address }) })
  useEffect(() => {
    if (sending.isSuccess) heading.current?.focus()
  }, [sending.isSuccess])
  const back = (
    <Link to="/auth/login" className={LINK}>
      {t('forgot.back')}
    </Link>
  )
  if (sending.isSuccess)
    return (
      <AuthCard headingRef={heading} title={t('forgot.doneTitle')} lead={t('forgot.doneText', { email: address })} below={back}>
        <Button variant="outline" onClick={() => sending.reset()}>
          {t('forgot.again')}
        </Button>
      </AuthCard>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setLeft(true)
    if (fault === null) sending.mutate()
  }
  return (
    <AuthCard title={t('forgot.title')} lead={t('forgot.lead')} below={back}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {sending.isError && (
          <Notice tone="bad" role="alert">
            <CircleAlert aria-hidden />
            {errorText(sending.error)}
          </Notice>
        )}
        <LabelledField label={t('signUp.email')} error={left && fault !== null ? t(`fault.${fault}`) : undefined}>
          <FieldInput
            type="text"
            inputMode="email"
            autoComplete="email"
            required
            maxLength={5000}
            placeholder={t('signUp.emailPlaceholder')}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            onBlur={() => setLeft(email !== '')}
          />
        </LabelledField>
        <Button type="submit" disabled={sending.isPending}>
          {t(sending.isPending ? 'forgot.submitting' : 'forgot.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
