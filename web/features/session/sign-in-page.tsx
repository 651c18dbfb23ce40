import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { signIn } from '../../../api/contract/session.ts'
import { call } from '../../api/client.ts'
import { storeGrant } from '../../api/token-store.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { usePageTitle } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field, Input } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { useWhitelabel } from '../../domain/session-queries.ts'

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function SignInPage() {
  const { t } = useTranslation('session')
  const router = useRouter()
  const { name } = useWhitelabel()
  const [shown, setShown] = useState(false)
  usePageTitle(t('pageTitle'))
  const attempt = useMutation({
    meta: { silent: true },
    mutationFn: (body: { username: string; password: string }) => call(signIn, { body: { grant_type: 'password', ...body } }),
    onSuccess: (grant) => {
      storeGrant(grant, Date.now())
      void router.navigate({ to: '/campaigns' })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    attempt.mutate({ username: textOf(form, 'username').trim(), password: textOf(form, 'password') })
  }
  return (
    <div className="w-full max-w-[400px]">
      <BrandMark className="mb-8 justify-center" />
      <form
        onSubmit={submit}
        className="border-hairline bg-surface flex flex-col gap-5 rounded-[12px] border p-8 shadow-[0_1px_3px_oklch(0.2_0.02_265/0.06)]"
      >
        <div>
          <h1 className="text-title font-semibold tracking-[-0.01em]">{t('welcome', { name })}</h1>
          <p className="text-ink-soft">{t('lead')}</p>
        </div>
        {/* Any failure reads alike: it must not tell whether the name exists. */}
        {attempt.isError && (
          <Notice tone="bad" role="alert" className="text-table">
            <CircleAlert aria-hidden />
            <p>{t('failure')}</p>
          </Notice>
        )}
        <Field label={t('username')}>
          <Input
            name="username"
            type="text"
            inputMode="email"
            autoComplete="username"
            required
            placeholder={t('usernamePlaceholder')}
          />
        </Field>
        <div className="relative">
          <Field label={t('password')}>
            <Input
              name="password"
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              required
              className="pr-10"
            />
          </Field>
          <button
            type="button"
            aria-label={t(shown ? 'hidePassword' : 'showPassword')}
            onClick={() => setShown(!shown)}
            className="text-ink-soft hover:text-ink rounded-control absolute right-1 bottom-1 grid size-7 place-items-center"
          >
            {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
          </button>
        </div>
        <Button type="submit" disabled={attempt.isPending}>
          {t(attempt.isPending ? 'signingIn' : 'signIn')}
        </Button>
      </form>
    </div>
  )
}
