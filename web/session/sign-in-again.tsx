import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { switchAccount } from '#contract/session'
import { call } from '@/data/client'
import { showIdentity } from './identity.ts'
import { storeGrant } from './token-store.ts'
import { Button } from '@/components/ui/button'
import { DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { sessionQueries } from './session-queries.ts'
import { signInAgain } from './session-end.ts'
import { SignInFields } from './sign-in-fields.tsx'
import { now } from '@/lib/clock'

/** Asks for the password over a page whose session has ended. A different user gets a fresh page. */
export function SignInAgain() {
  const { t } = useTranslation('session')
  const queryClient = useQueryClient()
  const router = useRouter()
  const me = sessionQueries.me()
  const [before] = useState(() => queryClient.getQueryData(me.queryKey))

  const leave = () => {
    signInAgain.close()
    queryClient.clear()
    void router.navigate({ to: '/', ignoreBlocker: true })
  }
  const goOn = async () => {
    let user = await queryClient.fetchQuery({ ...me, staleTime: 0 })
    if (before === undefined || user.id !== before.id) return leave()
    // A new session starts in the home account; the page may belong to another one.
    if (user.space_id !== before.space_id) {
      storeGrant(await call(switchAccount, { params: { id: before.space_id }, body: { reason: t('again.reason') } }), now())
      user = await queryClient.fetchQuery({ ...me, staleTime: 0 })
      if (user.space_id !== before.space_id) return leave()
    }
    showIdentity({ user: user.id, space: user.space_id })
    signInAgain.close()
    void queryClient.invalidateQueries()
  }
  return (
    <Dialog open>
      <DialogPanel
        title={t('again.title')}
        description={t('again.text')}
        closable={false}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement)
            event.currentTarget.querySelector<HTMLElement>('[autocomplete=current-password]')?.focus()
        }}
        onEscapeKeyDown={(event) => event.preventDefault()}
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <SignInFields
          {...(before === undefined ? {} : { username: before.email })}
          onSignedIn={goOn}
          className="flex flex-col gap-4 px-6 pt-3 pb-5"
          end={
            <Button variant="ghost" onClick={leave}>
              {t('again.leave')}
            </Button>
          }
        />
      </DialogPanel>
    </Dialog>
  )
}
