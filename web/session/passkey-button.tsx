import { useMutation } from '@tanstack/react-query'
import { CircleAlert, KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { isOffline, isOutside } from '@/data/app-error'
import { hasPasskeys, isGivenUp } from './passkeys.ts'

type PasskeyButtonProps = {
  readonly label: string
  /** Asks for the passkey, and goes on with what it answers. */
  readonly onUse: () => Promise<void>
}

/** Asks for a passkey; nothing where the browser has none. */
export function PasskeyButton({ label, onUse }: PasskeyButtonProps) {
  const { t } = useTranslation(['session', 'common'])
  const attempt = useMutation({
    meta: { silent: true },
    mutationFn: onUse,
  })
  if (!hasPasskeys()) return null
  return (
    <>
      {attempt.isError && (
        <Notice tone="bad" role="alert" className="text-[0.8125rem]/4.5">
          <CircleAlert aria-hidden />
          <p>{t(textOf(attempt.error))}</p>
        </Notice>
      )}
      <Button type="button" variant="outline" disabled={attempt.isPending} onClick={() => attempt.mutate()}>
        <KeyRound aria-hidden />
        {label}
      </Button>
    </>
  )
}

function textOf(error: unknown) {
  if (isOffline(error)) return 'common:offline'
  if (isOutside(error)) return 'session:outside'
  return isGivenUp(error) ? 'session:passkey.givenUp' : 'session:passkey.failed'
}
