import { useTranslation } from 'react-i18next'
import { isSquare, type NativeValues } from '../form/tabs/native/native-slice.ts'
import type { ResponsiveValues } from '../form/tabs/responsive/responsive-slice.ts'
import type { VideoValues } from '../form/tabs/video/video-slice.ts'
import { PhoneFrame } from './preview-frame.tsx'
import { NativePreview } from './preview-native.tsx'
import { ResponsivePreview } from './preview-responsive.tsx'
import { VideoPreview } from './preview-video.tsx'

/** Previews of ads on a phone, from form values: while editing, and as stored during moderation. */

export function ResponsiveAdPreview({ ad }: { readonly ad: ResponsiveValues }) {
  const { t } = useTranslation('creatives')
  const firstOf = (rows: typeof ad.titles) => rows.find(({ value }) => value.trim() !== '')?.value ?? ''
  return (
    <PhoneFrame>
      <ResponsivePreview
        title={firstOf(ad.titles)}
        description={firstOf(ad.descriptions)}
        callToAction={ad.callToAction}
        color={ad.color}
        company={ad.companyName}
        image={ad.images[0]?.url ?? null}
        logo={ad.logos[0]?.url ?? null}
        sponsored={t('sponsored')}
      />
    </PhoneFrame>
  )
}

export function NativeAdPreview({ ad, appInstall }: { readonly ad: NativeValues; readonly appInstall: boolean }) {
  const { t } = useTranslation('creatives')
  const shown = ad.images.find((image) => !isSquare(image)) ?? ad.images[0]
  return (
    <PhoneFrame>
      <NativePreview
        appInstall={appInstall}
        headline={ad.headline}
        body={ad.body}
        callToAction={ad.callToAction}
        advertiser={ad.advertiser}
        rating={ad.starRating === '' ? null : Number(ad.starRating)}
        ratingText={t('native.stars', { rating: ad.starRating })}
        price={ad.price}
        logo={ad.logo?.url ?? null}
        image={shown?.url ?? null}
        square={shown !== undefined && isSquare(shown)}
        video={ad.video?.url ?? null}
        sponsored={t('sponsored')}
      />
    </PhoneFrame>
  )
}

export function VideoAdPreview({ ad }: { readonly ad: VideoValues }) {
  const { t } = useTranslation('creatives')
  return (
    <PhoneFrame>
      <VideoPreview
        video={ad.video?.url ?? null}
        headline={ad.headline}
        longHeadline={ad.longHeadline}
        cta={ad.cta}
        companion={ad.companions[0]?.url ?? null}
        companionText={t('video.companion')}
        sponsored={t('sponsored')}
      />
    </PhoneFrame>
  )
}
