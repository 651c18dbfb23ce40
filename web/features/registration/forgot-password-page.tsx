import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { startReset } from '#contract/registration'
import { isEmail } from '#domain/kit/validators'
import { TextField } from '@/components/form/fields'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { AuthCard, LINK } from './auth-card.tsx'
import '@/i18n/texts/registration'

/** `/auth/forgot-password`: asks for the mail with a link to a new password. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('registration')
  const heading = useRef<HTMLHeadingElement>(null)
  const faultOf = (typed: string) => (typed.trim() === '' ? t('fault.required') : isEmail(typed.trim()) ? null : t('fault.email'))
  const form = useShortForm({ email: '' }, ({ email }) => ({ email: faultOf(email) }))
  const sending = useMutation({
    meta: { silent: true },
    mutationFn: (address: string) => call(startReset, { body: address }),
  })
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
      <AuthCard
        headingRef={heading}
        title={t('forgot.doneTitle')}
        lead={t('forgot.doneText', { email: sending.variables })}
        below={back}
      >
        <Button variant="outline" onClick={() => sending.reset()}>
          {t('forgot.again')}
        </Button>
      </AuthCard>
    )
  return (
    <AuthCard title={t('forgot.title')} lead={t('forgot.lead')} below={back}>
      <ShortForm
        form={form}
        guarded={false}
        onSubmit={({ email }) => sending.mutate(email.trim())}
        className="flex flex-col gap-5"
      >
        {sending.isError && (
          <Notice tone="bad" role="alert">
            <CircleAlert aria-hidden />
            {errorText(sending.error)}
          </Notice>
        )}
        <TextField
          name="email"
          label={t('signUp.email')}
          type="text"
          inputMode="email"
          autoComplete="email"
          required
          placeholder={t('signUp.emailPlaceholder')}
        />
        <Button type="submit" disabled={sending.isPending}>
          {t(sending.isPending ? 'forgot.submitting' : 'forgot.submit')}
        </Button>
      </ShortForm>
    </AuthCard>
  )
}
