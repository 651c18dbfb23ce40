import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { accountPeople } from '#contract/accounts'
import type { z } from '#contract/zod'
import { ROLES } from '#domain/kit/access'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { BoardImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { accountQueries } from '@/data/account-queries'
import { AccountStatus } from './account-status.tsx'

type Person = z.output<typeof accountPeople.output>['people'][number]

/** Users of an account. */
export function AccountPeople({ spaceId }: { readonly spaceId: string }) {
  const { t } = useTranslation(['accounts', 'common'])
  const { data, error, refetch } = useQuery(accountQueries.people(spaceId))
  return (
    <DataTable
      caption={t('accounts:people.table')}
      columns={usePeopleColumns()}
      rowId={({ id }) => id}
      rows={data?.people}
      failed={{ title: t('accounts:people.error'), error, onRetry: () => void refetch() }}
      nothing={<EmptyState image={<BoardImage />} title={t('accounts:people.none')} />}
      testId="account-person"
    />
  )
}

function usePeopleColumns(): readonly DataColumn<Person>[] {
  const { t } = useTranslation(['accounts', 'common'])
  return [
    {
      id: 'name',
      header: t('accounts:people.name'),
      rowHeader: true,
      cell: ({ first_name, last_name }) => <span className="font-medium">{`${first_name} ${last_name}`.trim()}</span>,
    },
    { id: 'email', header: t('accounts:fields.email'), cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
    { id: 'phone', header: t('accounts:fields.phone'), cell: ({ phone }) => phone ?? '–' },
    {
      id: 'role',
      header: t('accounts:people.role'),
      cell: ({ roles }) =>
        ROLES.filter((role) => roles.includes(role))
          .map((role) => t(`common:role.${role}`))
          .join(', '),
    },
    { id: 'status', header: t('accounts:columns.status'), cell: (person) => <AccountStatus account={person} /> },
  ]
}
