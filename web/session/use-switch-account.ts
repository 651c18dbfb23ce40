import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { switchAccount } from '#contract/session'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { now } from '@/lib/clock'
import { mayLeave } from '@/lib/unsaved'
import { forgetIdentity, sessionChange, showIdentity } from './identity.ts'
import { sessionQueries } from './session-queries.ts'
import { switchReason } from './switch-reason.ts'
import { storeGrant } from './token-store.ts'

/** Asks for a reason where the white-label wants one (fine print 91); null when the user gave up. */
async function grantFor(id: string) {
  try {
    return await call(switchAccount, { params: { id }, body: {} })
  } catch (error) {
    if (!(error instanceof AppError && error.faults.some(({ path }) => path === 'reason'))) throw error
    const reason = await switchReason.ask(true)
    return reason === null ? null : call(switchAccount, { params: { id }, body: { reason } })
  }
}

/** Where to go in the account: its campaigns, or one of them. */
export type Destination = { readonly campaign: string | null }

/**
 * Switches into an account and opens its campaigns, or one of them; asks about unsaved changes first. The account is part of the
 * stored session, so that a reload keeps it (decisions G-199).
 */
export function useSwitchAccount() {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: async ({ spaceId, campaign }: Destination & { readonly spaceId: string }) => {
      // The stored session belongs to another identity than this tab's.
      if (sessionChange() !== null) return location.reload()
      if (!(await mayLeave())) return
      const me = sessionQueries.me()
      if (queryClient.getQueryData(me.queryKey)?.space_id !== spaceId) {
        const grant = await grantFor(spaceId)
        if (grant === null) return
        forgetIdentity()
        storeGrant(grant, now())
        const user = await queryClient.fetchQuery({ ...me, staleTime: 0 })
        showIdentity({ user: user.id, space: user.space_id })
        // Nothing of the account before may stay on the screen.
        void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      }
      await (campaign === null
        ? router.navigate({ to: '/campaigns', ignoreBlocker: true })
        : router.navigate({
            to: '/campaign/edit/$id',
            params: { id: campaign },
            search: { tab: 'basicInfo' },
            ignoreBlocker: true,
          }))
    },
  })
}
