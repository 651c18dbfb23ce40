import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { finishReset } from '#contract/registration'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { AuthCard, LINK } from './auth-card.tsx'
import { leaveSession } from './leave-session.ts'
import { PasswordFields } from '@/components/secrets/password-fields'
import { NEW_PASSWORD, usePasswordChecks, type NewPassword } from '@/components/secrets/use-new-password'
import '@/i18n/texts/registration'

const EXPIRED = 4
const INVALID = 5

/** `/auth/reset-password/{key}`: replaces a forgotten password. */
export function ResetPasswordPage({ keyText }: { readonly keyText: string }) {
  const { t } = useTranslation('registration')
  const navigate = useNavigate()
  const { check, refusal } = usePasswordChecks(null)
  const form = useShortForm(NEW_PASSWORD, check)
  const saving = useMutation({
    meta: { silent: true },
    mutationFn: ({ password }: NewPassword) => call(finishReset, { body: { newPassword: password, key: keyText } }),
    onSuccess: async () => {
      leaveSession()
      toast.success(t('reset.done'))
      await navigate({ to: '/auth/login', replace: true })
    },
    onError: (error) => {
      if (!isOver(error)) form.setError('confirmation', { type: 'server', message: refusal(error) })
    },
  })
  const code = isOver(saving.error) ? saving.error.code : keyText === '' ? INVALID : null
  if (code !== null)
    return (
      <AuthCard
        title={t(code === EXPIRED ? 'reset.expired' : 'reset.invalid')}
        lead={t('reset.failedText')}
        below={
          <Link to="/auth/forgot-password" className={LINK}>
            {t('reset.again')}
          </Link>
        }
      />
    )
  return (
    <AuthCard title={t('reset.title')} lead={t('reset.lead')}>
      <ShortForm form={form} guarded={false} onSubmit={(typed) => saving.mutate(typed)} className="flex flex-col gap-5">
        <PasswordFields />
        <Button type="submit" disabled={saving.isPending}>
          {t(saving.isPending ? 'reset.submitting' : 'reset.submit')}
        </Button>
      </ShortForm>
    </AuthCard>
  )
}

/** True when the link does not work, or no longer. */
const isOver = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === EXPIRED || error.code === INVALID)
