import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isEmail } from '#domain/kit/validators'
import { challenged } from '#contract/session'
import { passwordOff } from '#contract/single-sign-on'
import { AppError, isOffline, isOutside } from '@/data/app-error'
import { forgetIdentity } from './identity.ts'
import { signInBy } from './sign-in-by.ts'
import { storeGrant, type Grant } from './token-store.ts'
import { Button } from '@/components/ui/button'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { Notice } from '@/components/ui/notice'
import { CodeFields, type SecondStep } from './code-fields.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { enterByPasskey } from './passkeys.ts'
import { leaveFor, requiredProvider, signOnQueries } from './sign-on.ts'
import { now } from '@/lib/clock'

/** Stores a new session in place of the one before. */
export function storeSignedIn(grant: Grant) {
  forgetIdentity()
  storeGrant(grant, now())
}

type SignInFieldsProps = {
  /** The page that an identity provider leads back to; the present one without it. */
  readonly to?: string
  /** Initial value of the username field. */
  readonly username?: string
  readonly onSignedIn: () => Promise<void> | void
  readonly className: string
  /** Shown above the fields. */
  readonly children?: ReactNode
  /** Shown beside the button. */
  readonly end?: ReactNode
}

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

type Fault = 'required' | 'email'
type Faults = { readonly username?: Fault; readonly password?: Fault }

/** Missing fields before anything is sent (platform.md §5). */
const faultsOf = ({ username, password }: { readonly username: string; readonly password: string }): Faults => ({
  ...(username === '' ? { username: 'required' } : isEmail(username) ? {} : { username: 'email' }),
  ...(password === '' ? { password: 'required' } : {}),
})

/** Username and password fields. The session is stored before `onSignedIn` is called. */
export function SignInFields({ to, username, onSignedIn, className, children, end }: SignInFieldsProps) {
  const { t } = useTranslation(['session', 'common'])
  const [shown, setShown] = useState(false)
  /** State of the second step; null during the first. */
  const [second, setSecond] = useState<SecondStep | null>(null)
  const attempt = useMutation({
    meta: { silent: true },
    mutationFn: async (body: { username: string; password: string }) => {
      try {
        await enter(await signInBy({ grant_type: 'password', ...body }))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const off = passwordOff.safeParse(error.data)
        if (off.success) return leaveFor(off.data.sign_on.id, page())
        const refused = challenged.safeParse(error.data)
        if (!refused.success) throw error
        setSecond(refused.data)
      }
    },
  })
  async function enter(grant: Grant) {
    storeSignedIn(grant)
    await onSignedIn()
  }
  const { data: offers } = useQuery(signOnQueries.offers())
  const page = () => to ?? globalThis.location.pathname + globalThis.location.search
  /** Where the password of an address is switched off, its provider takes over as soon as the address is typed. */
  const leaveIfRequired = async (address: string) => {
    const isAsked = isEmail(address) && (offers?.providers.length ?? 0) > 0
    const provider = isAsked ? await requiredProvider(address).catch(() => null) : null
    if (provider !== null) leaveFor(provider, page())
  }
  const [faults, setFaults] = useState<Faults>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const sent = { username: textOf(form, 'username').trim(), password: textOf(form, 'password') }
    const found = faultsOf(sent)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first === undefined) return attempt.mutate(sent)
    event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  /** An error goes as soon as the field is right again. */
  const recheck = (event: FormEvent<HTMLFormElement>) => {
    if (Object.keys(faults).length === 0) return
    const form = new FormData(event.currentTarget)
    const found = faultsOf({ username: textOf(form, 'username').trim(), password: textOf(form, 'password') })
    setFaults(Object.fromEntries(Object.entries(found).filter(([name]) => name in faults)))
  }
  const faultText = (fault: Fault | undefined) => (fault === undefined ? undefined : t(`session:fault.${fault}`))
  if (second !== null) return <CodeFields step={second} className={className} onGrant={enter} onBack={() => setSecond(null)} />
  return (
    <form onSubmit={submit} onChange={recheck} noValidate className={className}>
      {children}
      {/* All refusals of wrong names and passwords have the same text: it must not reveal whether the username exists. */}
      {attempt.isError && (
        <Notice tone="bad" role="alert" className="text-[0.8125rem]/4.5">
          <CircleAlert aria-hidden />
          <p>
            {t(isOffline(attempt.error) ? 'common:offline' : isOutside(attempt.error) ? 'session:outside' : 'session:failure')}
          </p>
        </Notice>
      )}
      <LabelledField label={t('session:username')} error={faultText(faults.username)}>
        <FieldInput
          name="username"
          type="text"
          inputMode="email"
          autoComplete="username"
          required
          defaultValue={username}
          placeholder={t('session:usernamePlaceholder')}
          onBlur={({ target }) => void leaveIfRequired(target.value.trim())}
        />
      </LabelledField>
      <div className="relative">
        <LabelledField label={t('session:password')} error={faultText(faults.password)}>
          <FieldInput
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            required
            className="pr-10"
          />
        </LabelledField>
        <button
          type="button"
          aria-label={t(shown ? 'session:hidePassword' : 'session:showPassword')}
          onClick={() => setShown(!shown)}
          className="text-muted-foreground hover:text-foreground rounded-md absolute top-7 right-1 grid size-7 place-items-center"
        >
          {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </button>
      </div>
      <div className="flex justify-end gap-2">
        {end}
        <Button type="submit" disabled={attempt.isPending} className={end === undefined ? 'grow' : ''}>
          {t(attempt.isPending ? 'session:signingIn' : 'session:signIn')}
        </Button>
      </div>
      <PasskeyButton label={t('session:passkey.use')} onUse={async () => enter(await enterByPasskey())} />
    </form>
  )
}
