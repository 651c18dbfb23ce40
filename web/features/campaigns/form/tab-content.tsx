import { lazy, memo, Suspense, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/ui/skeleton'
import { ReviewedNote } from './reviewed-mark.tsx'
import { TABS, tabsFor, type TabContext, type TabKey } from './form-tabs.ts'
import { useFormBase } from './campaign-form-context.ts'
import { BasicInfoTab } from './tabs/setup/basic-info-tab.tsx'

type Loaded = { readonly default: ComponentType }
const LOADERS: Readonly<Record<Exclude<TabKey, 'changeLog' | 'basicInfo'>, () => Promise<Loaded>>> = {
  bannerAds: async () => ({ default: (await import('./tabs/banner/banner-ads-tab.tsx')).BannerAdsTab }),
  administration: () => import('./tabs/administration/administration-tab.tsx'),
  advancedBidding: () => import('./tabs/bidding/bidding-tab.tsx'),
  targeting: () => import('./tabs/targeting/targeting-tab.tsx'),
  dynamicAds: () => import('./tabs/responsive/responsive-tab.tsx'),
  nativeAds: () => import('./tabs/native/native-tab.tsx'),
  videoAds: () => import('./tabs/video/video-tab.tsx'),
  tracks: () => import('./tabs/tracks/tracks-tab.tsx'),
  frequency: () => import('./tabs/frequency/frequency-tab.tsx'),
  placement: () => import('./tabs/placement/placement-tab.tsx'),
  geography: () => import('./tabs/geography/geography-tab.tsx'),
}

/** The first tab is bundled with the form, the others load when opened. */
const CONTENT: Readonly<Record<Exclude<TabKey, 'changeLog'>, ComponentType>> = {
  basicInfo: BasicInfoTab,
  bannerAds: lazy(LOADERS.bannerAds),
  administration: lazy(LOADERS.administration),
  advancedBidding: lazy(LOADERS.advancedBidding),
  targeting: lazy(LOADERS.targeting),
  dynamicAds: lazy(LOADERS.dynamicAds),
  nativeAds: lazy(LOADERS.nativeAds),
  videoAds: lazy(LOADERS.videoAds),
  tracks: lazy(LOADERS.tracks),
  frequency: lazy(LOADERS.frequency),
  placement: lazy(LOADERS.placement),
  geography: lazy(LOADERS.geography),
}

/** Preloads the tabs of this form. Without that, opening one while offline would replace the form with an error. */
export function preloadTabs(context: TabContext) {
  for (const { key } of tabsFor(context)) if (key !== 'changeLog' && key !== 'basicInfo') LOADERS[key]().catch(() => undefined)
}

const DropAll = lazy(() => import('./all-kinds/drop-all.tsx'))

/** Below the creatives of every kind, whose own zone comes first. */
function AllKinds({ tab }: { readonly tab: TabKey }) {
  const { readOnly } = useFormBase()
  const takesFiles = tab === 'tracks' || TABS.some(({ key, group }) => key === tab && group === 'creatives')
  return takesFiles && !readOnly ? <DropAll /> : null
}

type TabContentProps = { readonly tab: TabKey; readonly changeLog?: ReactNode }

/** The fields of a tab. They subscribe to the form themselves, so re-renders of the form skip them. */
export const TabContent = memo(function TabContent({ tab, changeLog }: TabContentProps) {
  const { t } = useTranslation('form')
  const Content = tab === 'changeLog' ? null : CONTENT[tab]
  return (
    <Suspense
      fallback={
        <div data-slot="loading" className="border-border bg-card flex flex-col gap-5 rounded-lg border p-6">
          <output className="sr-only">{t('loadingTab')}</output>
          <Skeleton className="h-6 w-48" />
          {[1, 2, 3].map((field) => (
            <div key={field} className="flex flex-col gap-2">
              <Skeleton className="w-32" />
              <Skeleton className="h-9 w-full rounded-md" />
            </div>
          ))}
        </div>
      }
    >
      <ReviewedNote tab={tab} />
      {Content === null ? changeLog : <Content />}
      <AllKinds tab={tab} />
    </Suspense>
  )
})
