import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { NativeAdPreview, ResponsiveAdPreview, VideoAdPreview } from '@/features/campaigns/creatives/ad-previews'
import { SlotVideo } from '@/features/campaigns/creatives/slot-video'
import { isAppInstall, nativeSlice } from '@/features/campaigns/form/tabs/native/native-slice'
import { responsiveSlice } from '@/features/campaigns/form/tabs/responsive/responsive-slice'
import { videoSlice } from '@/features/campaigns/form/tabs/video/video-slice'
import { CreativeCard, CreativePictures, CreativeTexts } from './creative-card.tsx'

type ReviewProps = { readonly campaign: Campaign }

const texts = (rows: readonly { readonly value: string }[]) => rows.map(({ value }) => value)
const urls = (images: readonly { readonly url: string | null }[]) => images.map(({ url }) => url)

export function ResponsiveReview({ campaign }: ReviewProps) {
  const { t } = useTranslation('creatives')
  const ad = responsiveSlice.fromCampaign(campaign)
  return (
    <CreativeCard
      title={t('responsive.title')}
      name={ad.creativeName}
      decision={campaign.dynamic_ad?.creativeServingDecision}
      enabled={ad.enabled}
      preview={<ResponsiveAdPreview ad={ad} />}
    >
      <CreativeTexts
        texts={[
          { label: t('responsive.titles'), values: texts(ad.titles) },
          { label: t('responsive.descriptions'), values: texts(ad.descriptions) },
          { label: t('responsive.companyName'), values: [ad.companyName] },
          { label: t('callToAction'), values: [ad.callToAction] },
        ]}
      />
      <CreativePictures label={t('responsive.image')} urls={urls(ad.images)} />
      <CreativePictures label={t('responsive.logo')} urls={urls(ad.logos)} />
    </CreativeCard>
  )
}

export function NativeReview({ campaign }: ReviewProps) {
  const { t } = useTranslation('creatives')
  const ad = nativeSlice.fromCampaign(campaign)
  const appInstall = isAppInstall(campaign.bidding_strategy.goal ?? '')
  const { video } = ad
  return (
    <CreativeCard
      title={t('native.title')}
      name={ad.creativeName}
      decision={campaign.native_ad?.creativeServingDecision}
      enabled={ad.enabled}
      preview={<NativeAdPreview ad={ad} appInstall={appInstall} />}
    >
      <CreativeTexts
        texts={[
          { label: t('headline'), values: [ad.headline] },
          { label: t('native.description'), values: [ad.body] },
          { label: t('callToAction'), values: [ad.callToAction] },
          { label: t('native.advertiser'), values: [ad.advertiser] },
        ]}
      />
      <CreativePictures label={t('native.images')} urls={urls(ad.images)} />
      <CreativePictures label={t(appInstall ? 'native.icon' : 'native.logo')} urls={[ad.logo?.url]} />
      {video !== null && (
        <SlotVideo
          url={video.url}
          label={t('native.video')}
          facts={{ name: video.filename, seconds: video.duration, bytes: video.size }}
        />
      )}
    </CreativeCard>
  )
}

export function VideoReview({ campaign }: ReviewProps) {
  const { t } = useTranslation('creatives')
  const ad = videoSlice.fromCampaign(campaign)
  const { video } = ad
  return (
    <CreativeCard
      title={t('video.title')}
      name={ad.creativeName}
      decision={campaign.video_ad?.creativeServingDecision}
      enabled={ad.enabled}
      preview={<VideoAdPreview ad={ad} />}
    >
      {video !== null && (
        <SlotVideo
          url={video.url}
          label={t('video.video')}
          facts={{ name: video.name, seconds: video.duration, bytes: video.size, size: video }}
        />
      )}
      <CreativeTexts
        texts={[
          { label: t('headline'), values: [ad.headline] },
          { label: t('video.longHeadline'), values: [ad.longHeadline] },
          { label: t('callToAction'), values: [ad.cta] },
        ]}
      />
      <CreativePictures label={t('video.companion')} urls={urls(ad.companions)} />
    </CreativeCard>
  )
}
