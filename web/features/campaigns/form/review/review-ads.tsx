import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBannerKind } from '@/features/campaigns/creatives/banner-kind'
import { BannerPicture } from '@/features/campaigns/creatives/banner-picture'
import { NativeAdPreview, ResponsiveAdPreview, VideoAdPreview } from '@/features/campaigns/creatives/ad-previews'
import { TrackPlayer } from '@/features/campaigns/creatives/track-player'
import { useClickAddress } from '../use-click-address.ts'
import type { BannerValue, CampaignFormValues } from '../form-schema.ts'

type ReviewAdsProps = { readonly values: CampaignFormValues }

/** The ads as people will see them, side by side; ads that are switched off do not serve and are left out. */
export function ReviewAds({ values }: ReviewAdsProps) {
  const { t } = useTranslation('review')
  const { banners, responsive, native, video, tracks } = values
  const phones = [
    responsive.enabled && <ResponsiveAdPreview key="responsive" ad={responsive} />,
    native.enabled && <NativeAdPreview key="native" ad={native} appInstall={values.goal === 'APP_INSTALLS'} />,
    video.enabled && <VideoAdPreview key="video" ad={video} />,
  ].filter((one) => one !== false)
  const heard = values.goal === 'AUDIO_ADVERTISING' ? tracks.tracks : []
  if (banners.length === 0 && phones.length === 0 && heard.length === 0) return null
  return (
    <section aria-label={t('ads')} className="flex flex-col gap-2">
      <h3 className="text-[0.8125rem]/4.5 font-semibold">{t('ads')}</h3>
      {banners.length > 0 && (
        <Strip label={t('previews.banners')}>
          {banners.map((banner) => (
            <Banner key={banner.fileId} banner={banner} />
          ))}
        </Strip>
      )}
      {phones.length > 0 && (
        <Strip label={t('previews.phones')}>
          {phones.map((phone) => (
            <li key={phone.key} className="w-[252px] shrink-0 [zoom:0.75]">
              {phone}
            </li>
          ))}
        </Strip>
      )}
      {heard.map((track) => (
        <div key={track.fileId} className="border-border rounded-lg border p-3">
          <TrackPlayer name={track.name ?? t('track')} url={track.url} size={track.size} seconds={null} decision={null} />
        </div>
      ))}
    </section>
  )
}

/** Previews side by side. It scrolls, and keys must reach what is cut off. */
const Strip = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region
  <ul tabIndex={0} aria-label={label} className="-mx-6 flex items-start gap-3 overflow-x-auto px-6 pb-2">
    {children}
  </ul>
)

function Banner({ banner }: { readonly banner: BannerValue }) {
  const { width, height, fileId, url, creativeName } = banner
  const { html } = useBannerKind(fileId, url)
  const clickAddress = useClickAddress()
  return (
    <li className="flex shrink-0 flex-col gap-1">
      <BannerPicture
        fileId={fileId}
        url={url}
        size={{ width, height }}
        html={html}
        name={creativeName}
        clickAddress={clickAddress}
      />
      <span className="text-muted-foreground text-xs tabular-nums">{`${width} × ${height}`}</span>
    </li>
  )
}
