import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CsvButton } from '@/components/data-table/csv-button'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { useCan } from '@/session/can'
import { feedCsv } from './audit-queries.ts'
import { AUDIT_TABS, filtersOf } from './audit-search.ts'
import { ChangesTab } from './changes-tab.tsx'
import '@/i18n/texts/accounts'
import '@/i18n/texts/audit'
import '@/i18n/texts/form'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

const SecurityTab = lazy(async () => ({ default: (await import('./security-tab.tsx')).SecurityTab }))

const ProofTab = lazy(async () => ({ default: (await import('./proof-tab.tsx')).ProofTab }))

const route = getRouteApi('/_app/audit')

/** `/audit`: what happened in the white-label, the security events, and the proof of the log. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const can = useCan()
  const tabs = AUDIT_TABS.filter((tab) => tab !== 'security' || can('security.read'))
  const tab = tabs.find((one) => one === search.tab) ?? 'changes'
  return (
    <Page
      title={t('title')}
      actions={
        tab === 'changes' ? <CsvButton label={t('csv')} file="audit.csv" load={() => feedCsv(filtersOf(search))} /> : undefined
      }
    >
      <Tabs
        value={tab}
        onValueChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, tab: AUDIT_TABS.find((one) => one === next && one !== 'changes') }),
            resetScroll: false,
          })
        }
        className="gap-4"
      >
        <TabsList aria-label={t('tabs.label')}>
          {tabs.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`tabs.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="changes">
          <ChangesTab
            search={search}
            onSearch={(patch, history) =>
              void navigate({
                search: (before) => ({ ...before, ...patch }),
                replace: history === 'replace',
                resetScroll: false,
              })
            }
          />
        </TabsContent>
        <TabsContent value="security">
          <Suspense fallback={<Skeleton className="h-64" />}>
            <SecurityTab />
          </Suspense>
        </TabsContent>
        <TabsContent value="proof">
          <Suspense fallback={<Skeleton className="h-64" />}>
            <ProofTab />
          </Suspense>
        </TabsContent>
      </Tabs>
    </Page>
  )
}
