import { useMutation, useQuery } from '@tanstack/react-query'
import { Building2, CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignOnRefusal } from '#domain/single-sign-on/admission'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { Grant } from './token-store.ts'
import { codeIn, leaveFor, redeem, signOnQueries } from './sign-on.ts'

type SignOnPartProps = {
  /** The page to open afterwards. */
  readonly to: string
  /** Why the last sign-in at a provider failed. */
  readonly refusal: SignOnRefusal | undefined
  readonly onGrant: (grant: Grant, to: string) => Promise<void>
}

/** Signs in by an identity provider: a button for each, and the end of a sign-in that comes back from one. */
export function SignOnPart({ to, refusal, onGrant }: SignOnPartProps) {
  const { t } = useTranslation('session')
  const { data } = useQuery(signOnQueries.offers())
  const { mutate, isError, isPending } = useMutation({
    meta: { silent: true },
    mutationFn: async (code: string) => {
      const grant = await redeem(code)
      await onGrant(grant, grant.to)
    },
  })
  useEffect(() => {
    const code = codeIn(globalThis.location.hash)
    if (code === null) return
    // The code works once: it must not stay in the history.
    globalThis.history.replaceState(globalThis.history.state, '', globalThis.location.pathname)
    mutate(code)
  }, [mutate])
  const reason = isError ? 'over' : refusal
  const providers = data?.providers ?? []
  if (reason === undefined && providers.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {reason !== undefined && (
        <Notice tone="bad" role="alert" className="text-[0.8125rem]/4.5">
          <CircleAlert aria-hidden />
          <p>{t(`signOn.refusal.${reason}`)}</p>
        </Notice>
      )}
      {providers.map(({ id, name }) => (
        <Button key={id} type="button" variant="outline" disabled={isPending} onClick={() => leaveFor(id, to)}>
          <Building2 aria-hidden />
          {t('signOn.with', { name })}
        </Button>
      ))}
      {providers.length > 0 && (
        <p className="text-muted-foreground before:bg-border after:bg-border mt-3 flex items-center gap-3 text-xs before:h-px before:grow after:h-px after:grow">
          {t('signOn.or')}
        </p>
      )}
    </div>
  )
}
