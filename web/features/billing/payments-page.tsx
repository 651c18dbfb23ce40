import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { AccountFinder } from '@/session/account-finder'
import { AccountBilling } from './account-billing.tsx'
import type { BillingSearch } from './billing-search.ts'
import '@/i18n/texts/billing'

const AdminInvoices = lazy(async () => ({ default: (await import('./invoices/invoices-tab.tsx')).AdminInvoices }))
const route = getRouteApi('/_app/admin/payments')

/** `/admin/payments`: invoices of every account. The finder narrows them to one, and shows its money too. */
export function PaymentsPage() {
  const { t } = useTranslation('billing')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: account } = useQuery({
    ...accountQueries.space(search.space ?? ''),
    enabled: search.space !== undefined,
  })
  const chosen = search.space === undefined ? undefined : account
  const onSearch = (patch: Partial<BillingSearch>, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
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
        <Suspense fallback={<Skeleton className="h-64" />}>
          <AdminInvoices search={search} onSearch={onSearch} />
        </Suspense>
      ) : (
        <AccountBilling spaceId={chosen.space_id} currency={chosen.currency} search={search} onSearch={onSearch} />
      )}
    </Page>
  )
}
