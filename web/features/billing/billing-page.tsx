import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SearchImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { AccountFinder } from '@/session/account-finder'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { AccountBilling } from './account-billing.tsx'
import { RefillButton } from './cards/refill-button.tsx'
import type { BillingSearch } from './billing-search.ts'
import '@/i18n/texts/billing'

const route = getRouteApi('/_app/payments/history')

/**
 * `/payments/history`: billing of an advertiser, and the transactions of accountants. Staff choose the account, and begin with the one
 * that they act in.
 */
export function BillingPage() {
  const { t } = useTranslation('billing')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const me = useMe()
  const staff = can(me, 'account.list')
  const spaceId = staff ? (search.space ?? me.space_id) : me.space_id
  const { data: account, error, refetch } = useQuery(accountQueries.space(spaceId))
  const onSearch = (patch: Partial<BillingSearch>, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
  return (
    <Page
      title={t(can(me, 'page.billing') ? 'page.billing' : 'page.transactions')}
      actions={
        <>
          {staff && (
            <AccountFinder
              label={t('page.account')}
              chosen={account === undefined || account.house ? null : { space_id: spaceId, space_name: account.space_name }}
              onChoose={({ space_id: space }) => void navigate({ search: { space } })}
              onClear={() => void navigate({ search: {} })}
            />
          )}
          {account?.house === false && can(me, 'card.write') && (
            <RefillButton
              key={spaceId}
              spaceId={spaceId}
              opens={search.open === 'refill'}
              onOpened={() => onSearch({ open: undefined })}
            />
          )}
        </>
      }
      failed={error !== null && account === undefined ? { title: t('page.error'), error, onRetry: () => void refetch() } : null}
    >
      {account === undefined ? (
        <Skeleton className="h-24" />
      ) : account.house ? (
        <EmptyState image={<SearchImage />} title={t('page.choose')} text={t('page.chooseText')} />
      ) : (
        <AccountBilling spaceId={spaceId} currency={account.currency} search={search} onSearch={onSearch} />
      )}
    </Page>
  )
}
