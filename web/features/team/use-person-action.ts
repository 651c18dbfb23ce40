import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  deactivatePerson,
  freeSignOn,
  handOver,
  reactivatePerson,
  repeatInvitation,
  signPersonOut,
  withdrawInvitation,
  type TeamMember,
} from '#contract/team'
import { call, endSession } from '@/data/client'
import { toast } from '@/lib/toast'
import { nameOf } from './role-names.ts'
import { actionFault } from './team-faults.ts'
import type { TeamAction } from './team-offers.ts'
import { teamQueries } from './team-queries.ts'

export type SentAction = Exclude<TeamAction, 'roles' | 'rights' | 'lostFactor'>

const CALLS = {
  resend: repeatInvitation,
  withdraw: withdrawInvitation,
  handOver,
  reactivate: reactivatePerson,
  freeLink: freeSignOn,
  signOut: signPersonOut,
  deactivate: deactivatePerson,
} as const satisfies Readonly<Record<SentAction, unknown>>

/** Sends an action on a person and reports the outcome. Handing the ownership over ends the own session. */
export function usePersonAction(spaceId: string) {
  const { t } = useTranslation('team')
  const queryClient = useQueryClient()
  const refetch = () => {
    for (const queryKey of [teamQueries.all(), ['approvals']]) void queryClient.invalidateQueries({ queryKey })
  }
  return useMutation({
    meta: { silent: true },
    mutationFn: ({ action, person }: { readonly action: SentAction; readonly person: TeamMember }) =>
      call(CALLS[action], { params: { id: spaceId, person: person.id } }),
    onSuccess: (done, { action, person }) => {
      if ('approval_id' in done && done.approval_id !== null) {
        toast.success(t('done.waiting'))
        return refetch()
      }
      if (action === 'handOver') return endSession('handed-over')
      toast.success(t(`done.${action}`, { name: nameOf(person), email: person.email }))
      refetch()
    },
    onError: (error) => {
      toast.error(actionFault(error))
      // A refusal means that the list is out of date.
      refetch()
    },
  })
}
