import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SearchImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { EmptyState } from '@/components/ui/empty-state'
import { accountQueries } from '@/data/account-queries'
import { AccountFinder } from '@/session/account-finder'
import { AccountBilling } from './account-billing.tsx'
import '@/i18n/texts/billing'

const route = getRouteApi('/_app/admin/payments')

/** `/admin/payments`: money of every account. The finder narrows it to one, and shows what moved its balance. */
export function PaymentsPage() {
  const { t } = useTranslation('billing')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: account } = useQuery({
    ...accountQueries.space(search.space ?? ''),
    enabled: search.space !== undefined,
  })
  const chosen = search.space === undefined ? undefined : account
  return (
    <Page
      title={t('page.payments')}
      actions={
        <AccountFinder
          label={t('page.account')}
          chosen={chosen ?? null}
          onChoose={({ space_id: space }) => void navigate({ search: { space } })}
          onClear={() => void navigate({ search: {} })}
        />
      }
    >
      {chosen === undefined ? (
        <EmptyState image={<SearchImage />} title={t('page.choose')} text={t('page.chooseText')} />
      ) : (
        <AccountBilling
          spaceId={chosen.space_id}
          currency={chosen.currency}
          search={search}
          onSearch={(patch) => void navigate({ search: (previous) => ({ ...previous, ...patch }), resetScroll: false })}
        />
      )}
    </Page>
  )
}
