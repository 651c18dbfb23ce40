import { lazy, memo, Suspense, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TabKey } from './form-tabs.ts'
import { BasicInfoTab } from './tabs/setup/basic-info-tab.tsx'

/** The first one comes with the form, the others when they are opened. */
const CONTENT: Readonly<Record<Exclude<TabKey, 'changeLog'>, ComponentType>> = {
  basicInfo: BasicInfoTab,
  bannerAds: lazy(async () => ({ default: (await import('./tabs/banner/banner-ads-tab.tsx')).BannerAdsTab })),
  administration: lazy(() => import('./tabs/administration/administration-tab.tsx')),
  advancedBidding: lazy(() => import('./tabs/bidding/bidding-tab.tsx')),
  targeting: lazy(() => import('./tabs/targeting/targeting-tab.tsx')),
  dynamicAds: lazy(() => import('./tabs/responsive/responsive-tab.tsx')),
  nativeAds: lazy(() => import('./tabs/native/native-tab.tsx')),
  videoAds: lazy(() => import('./tabs/video/video-tab.tsx')),
  tracks: lazy(() => import('./tabs/tracks/tracks-tab.tsx')),
  frequency: lazy(() => import('./tabs/frequency/frequency-tab.tsx')),
  placement: lazy(() => import('./tabs/placement/placement-tab.tsx')),
  geography: lazy(() => import('./tabs/geography/geography-tab.tsx')),
}

type TabContentProps = { readonly tab: TabKey; readonly changeLog?: ReactNode }

/** Its fields keep up with the form by themselves: what the form around them tells does not draw them anew. */
export const TabContent = memo(function TabContent({ tab, changeLog }: TabContentProps) {
  const { t } = useTranslation('form')
  const Content = tab === 'changeLog' ? null : CONTENT[tab]
  return (
    <Suspense
      fallback={
        <p data-slot="loading" className="text-ink-soft py-10 text-center">
          {t('loadingTab')}
        </p>
      }
    >
      {Content === null ? changeLog : <Content />}
    </Suspense>
  )
})
