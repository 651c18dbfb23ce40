import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { approveRegistration, rejectRegistration, resendConfirmation } from '#contract/registration'
import { moderationQueries } from '@/data/moderation-queries'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { registrationQueries } from './registration-queries.ts'

export type Decided = { readonly id: string; readonly first_name: string; readonly last_name: string }
export const nameOf = ({ first_name, last_name }: Decided): string => `${first_name} ${last_name}`.trim()

/** Approves and rejects registrants. A refusal is shown as a message; the lists are refetched either way. */
export function useRegistrantDecision(onDecided: () => void = () => undefined) {
  const { t } = useTranslation('registration')
  const client = useQueryClient()
  const refetch = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: moderationQueries.all() }),
      client.invalidateQueries({ queryKey: registrationQueries.all() }),
    ])
  }
  const approve = useMutation({
    mutationFn: ({ id }: Decided) => call(approveRegistration, { body: { id } }),
    onSuccess: (_, person) => {
      toast.success(t('queue.approved', { name: nameOf(person) }))
      onDecided()
    },
    onSettled: refetch,
  })
  const reject = useMutation({
    mutationFn: ({ person: { id }, comment }: { readonly person: Decided; readonly comment: string }) =>
      call(rejectRegistration, { body: { id, comment } }),
    onSuccess: (_, { person }) => {
      toast.success(t('queue.rejected', { name: nameOf(person) }))
      onDecided()
    },
    onSettled: refetch,
  })
  const resend = useMutation({
    mutationFn: ({ id }: Decided) => call(resendConfirmation, { body: { id } }),
    onSuccess: () => toast.success(t('details.resent')),
    onSettled: refetch,
  })
  return { approve, reject, resend, isPending: approve.isPending || reject.isPending }
}
