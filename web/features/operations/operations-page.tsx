import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { ErrorsTab } from './errors-tab.tsx'
import { LicencesTab } from './licences-tab.tsx'
import { OPERATIONS_TABS, type SectionProps } from './operations-search.ts'
import { ProcessesTab } from './processes-tab.tsx'
import { QueuesTab } from './queues-tab.tsx'
import { ReadModelsTab } from './read-models-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import '@/i18n/texts/operations'

const route = getRouteApi('/_app/admin/operations')

/** `/admin/operations`: what those who run Placard see and do (fine print 98). */
export function OperationsPage() {
  const { t } = useTranslation('operations')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const section: SectionProps = {
    search,
    onSearch: (patch, history) =>
      void navigate({
        search: (before) => ({ ...before, ...patch }),
        replace: history === 'replace',
        resetScroll: false,
      }),
  }
  return (
    <Page title={t('title')}>
      <Tabs
        value={search.tab ?? 'queues'}
        onValueChange={(next) =>
          void navigate({
            search: { tab: OPERATIONS_TABS.find((one) => one === next && one !== 'queues') },
            resetScroll: false,
          })
        }
        className="gap-4"
      >
        <TabsList aria-label={t('tabs.label')}>
          {OPERATIONS_TABS.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`tabs.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="queues">
          <QueuesTab {...section} />
        </TabsContent>
        <TabsContent value="readModels">
          <ReadModelsTab />
        </TabsContent>
        <TabsContent value="processes">
          <ProcessesTab />
        </TabsContent>
        <TabsContent value="errors">
          <ErrorsTab {...section} />
        </TabsContent>
        <TabsContent value="settings">
          <SettingsTab />
        </TabsContent>
        <TabsContent value="licences">
          <LicencesTab {...section} />
        </TabsContent>
      </Tabs>
    </Page>
  )
}
