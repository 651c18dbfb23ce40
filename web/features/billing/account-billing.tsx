import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { BILLING_TABS, type BillingSearch } from './billing-search.ts'
import { CardsTab } from './cards/cards-tab.tsx'
import { FundsSummary } from './funds-summary.tsx'
import { MovementsTab } from './movements-tab.tsx'

const InvoicesTab = lazy(async () => ({ default: (await import('./invoices/invoices-tab.tsx')).InvoicesTab }))

type AccountBillingProps = {
  readonly spaceId: string
  /** ISO 4217. */
  readonly currency: string
  readonly search: BillingSearch
  /** Writes a change of the view to the URL. */
  readonly onSearch: (patch: Partial<BillingSearch>, history?: 'push' | 'replace') => void
}

const TAB_RIGHT = { movements: 'balance.read', cards: 'balance.read', invoices: 'invoice.read' } as const

/** Funds of one account, and what moved them: the parts that the user may read. */
export function AccountBilling({ spaceId, currency, search, onSearch }: AccountBillingProps) {
  const { t } = useTranslation('billing')
  const me = useMe()
  const tabs = BILLING_TABS.filter((one) => can(me, TAB_RIGHT[one]))
  const tab = tabs.find((one) => one === search.tab) ?? tabs[0] ?? 'movements'
  return (
    <>
      {can(me, 'balance.read') && <FundsSummary spaceId={spaceId} />}
      <Tabs
        value={tab}
        onValueChange={(next) =>
          onSearch({
            tab: tabs.find((one) => one === next && one !== tabs[0]),
            page: undefined,
            type: undefined,
            status: undefined,
            q: undefined,
            start: undefined,
            end: undefined,
          })
        }
        className="gap-4"
      >
        <TabsList aria-label={t('page.tabs')}>
          {tabs.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`page.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="movements">
          <MovementsTab spaceId={spaceId} currency={currency} search={search} onSearch={onSearch} />
        </TabsContent>
        <TabsContent value="invoices">
          <Suspense fallback={<Skeleton className="h-64" />}>
            <InvoicesTab spaceId={spaceId} search={search} onSearch={onSearch} />
          </Suspense>
        </TabsContent>
        <TabsContent value="cards">
          <CardsTab spaceId={spaceId} opensCard={search.open === 'card'} onOpened={() => onSearch({ open: undefined })} />
        </TabsContent>
      </Tabs>
    </>
  )
}
