import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { z } from '#contract/zod'
import { acceptInvitation, declineInvitation, type listInvitations } from '#contract/team'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { sessionQueries } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'
import { teamQueries } from './team-queries.ts'
import '@/i18n/texts/team'

type Invitation = z.output<typeof listInvitations.output>['invitations'][number]

/** `/invitations`: accounts that the user is invited to. The mail of an invitation leads here (fine print 93). */
export function InvitationsPage() {
  const { t } = useTranslation('team')
  const { data, error, refetch } = useQuery(teamQueries.invitations())
  return (
    <Page
      title={t('invitations.title')}
      failed={error === null ? null : { title: t('invitations.error'), error, onRetry: () => void refetch() }}
    >
      {data === undefined ? (
        <Skeleton className="h-20 max-w-3xl" />
      ) : data.invitations.length === 0 ? (
        <EmptyState image={<MailOpen aria-hidden />} title={t('invitations.none')} text={t('invitations.noneText')} />
      ) : (
        <ul className="flex max-w-3xl flex-col gap-3">
          {data.invitations.map((invitation) => (
            <InvitationItem key={invitation.space_id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function InvitationItem({ invitation: { space_id, account, by, until } }: { readonly invitation: Invitation }) {
  const { t } = useTranslation('team')
  const queryClient = useQueryClient()
  const switching = useSwitchAccount()
  const accepting = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { id: space_id } }),
    onSuccess: async () => {
      toast.success(t('invitations.done', { account }))
      await queryClient.fetchQuery({ ...sessionQueries.me(), staleTime: 0 })
      switching.mutate({ spaceId: space_id, campaign: null })
    },
    // A refusal means that the list is out of date.
    onError: () => void queryClient.invalidateQueries({ queryKey: teamQueries.invitations().queryKey }),
  })
  const declining = useMutation({
    meta: { invalidates: [teamQueries.invitations().queryKey] },
    mutationFn: () => call(declineInvitation, { params: { id: space_id } }),
    onSuccess: () => toast.success(t('invitations.declined', { account })),
    onError: () => void queryClient.invalidateQueries({ queryKey: teamQueries.invitations().queryKey }),
  })
  const isBusy = accepting.isPending || switching.isPending || declining.isPending
  return (
    <li className="border-border bg-card flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border p-4">
      <span className="min-w-0 grow basis-80">
        <span className="block font-medium wrap-anywhere">{account}</span>
        <span className="text-muted-foreground block text-pretty">
          {by === null ? t('invitations.byStaff') : t('invitations.by', { name: by })}{' '}
          {t('invitations.until', { at: formatMinute(until) })}
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        <Button variant="outline" disabled={isBusy} onClick={() => declining.mutate()}>
          {t('invitations.decline')} <span className="sr-only">{account}</span>
        </Button>
        <Button disabled={isBusy} onClick={() => accepting.mutate()}>
          {t('invitations.accept')} <span className="sr-only">{account}</span>
        </Button>
      </span>
    </li>
  )
}
