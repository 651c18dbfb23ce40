import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { completeRegistration, type RegistrationData } from '#contract/registration'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { AuthCard, LINK } from './auth-card.tsx'
import { leaveSession } from './leave-session.ts'
import { PasswordFields } from '@/components/secrets/password-fields'
import { registrationQueries } from './registration-queries.ts'
import { NEW_PASSWORD, usePasswordChecks, type NewPassword } from '@/components/secrets/use-new-password'
import '@/i18n/texts/registration'

const EXPIRED = 4
const INVALID = 5
const VERIFIED = 162
const NOT_FOUND = 161

/** `/auth/confirm-registration/{token}`: shows the registration and sets its password. */
export function ConfirmRegistrationPage({ token }: { readonly token: string }) {
  const { t } = useTranslation('registration')
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...registrationQueries.verified(token), enabled: token !== '' })
  const outcome = token === '' ? INVALID : outcomeOf(error)
  useEffect(() => {
    if (outcome === VERIFIED) void navigate({ to: '/auth/login', replace: true })
  }, [outcome, navigate])

  if (outcome === INVALID || outcome === EXPIRED)
    return (
      <AuthCard
        title={t(outcome === EXPIRED ? 'confirm.expired' : 'confirm.invalid')}
        lead={t(outcome === EXPIRED ? 'confirm.expiredText' : 'confirm.invalidText')}
        below={
          <Link to="/auth/login" className={LINK}>
            {t('confirm.toSignIn')}
          </Link>
        }
      />
    )
  return (
    <AuthCard wide title={t('confirm.title')} lead={t('confirm.lead')}>
      {data !== undefined ? (
        <CompletionForm token={token} data={data} />
      ) : error !== null && outcome !== VERIFIED ? (
        <LoadError title={t('confirm.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy className="flex flex-col gap-5">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </div>
      )}
    </AuthCard>
  )
}

/** Meaning of the code of a refusal for the page; null for other errors. 161 counts as invalid (decisions G-181). */
function outcomeOf(error: unknown): typeof EXPIRED | typeof INVALID | typeof VERIFIED | null {
  if (!(error instanceof AppError)) return null
  if (error.code === NOT_FOUND) return INVALID
  return error.code === EXPIRED || error.code === INVALID || error.code === VERIFIED ? error.code : null
}

function CompletionForm({ token, data }: { readonly token: string; readonly data: RegistrationData }) {
  const { t } = useTranslation('registration')
  const navigate = useNavigate()
  const { check, refusal } = usePasswordChecks(data)
  const form = useShortForm(NEW_PASSWORD, check)
  const saving = useMutation({
    meta: { silent: true },
    mutationFn: ({ password }: NewPassword) => call(completeRegistration, { body: { token, password } }),
    onSuccess: async () => {
      leaveSession()
      toast.success(t('confirm.done'))
      await navigate({ to: '/auth/login', replace: true })
    },
    onError: (error) => form.setError('confirmation', { type: 'server', message: refusal(error) }),
  })
  // An invited person gave neither a company nor a phone number.
  const shown = (label: string, value: string | null, className = '') =>
    (value ?? '') !== '' && (
      <LabelledField label={label} className={className}>
        <FieldInput disabled value={value ?? ''} />
      </LabelledField>
    )
  return (
    <ShortForm form={form} guarded={false} onSubmit={(typed) => saving.mutate(typed)} className="flex flex-col gap-5">
      <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2">
        {shown(t('signUp.company'), data.company_name, 'sm:col-span-2')}
        {shown(t('signUp.firstName'), data.first_name)}
        {shown(t('signUp.lastName'), data.last_name)}
        {shown(t('signUp.phone'), data.phone)}
        {shown(t('signUp.email'), data.email)}
      </div>
      <PasswordFields username={data.email} />
      <Button type="submit" disabled={saving.isPending}>
        {t(saving.isPending ? 'confirm.submitting' : 'confirm.submit')}
      </Button>
    </ShortForm>
  )
}
