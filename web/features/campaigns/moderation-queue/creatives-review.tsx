import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { clickAddress } from '#domain/campaign/content/banner-clicks'
import { useBannerKind } from '@/features/campaigns/creatives/banner-kind'
import { BannerPicture } from '@/features/campaigns/creatives/banner-picture'
import { BannerNotes } from '@/features/campaigns/creatives/banner-notes'
import { ServingDecision } from '@/features/campaigns/creatives/serving-decision'
import { TrackPlayer } from '@/features/campaigns/creatives/track-player'
import { NativeReview, ResponsiveReview, VideoReview } from './phone-ads-review.tsx'

/** Previews of every ad of a campaign. Disabled ads are part of the submission too. */
export function CreativesReview({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('creatives')
  const { visuals, audio_ads } = campaign
  return (
    <div className="flex flex-col gap-4">
      {visuals.banners.map((banner) => (
        <BannerReview key={banner.id} banner={banner} clickAddress={clickAddress(campaign)} />
      ))}
      {campaign.dynamic_ad !== null && <ResponsiveReview campaign={campaign} />}
      {campaign.native_ad !== null && <NativeReview campaign={campaign} />}
      {campaign.video_ad !== null && <VideoReview campaign={campaign} />}
      {audio_ads.map((track) => (
        <article
          key={track.id}
          aria-label={track.name ?? t('tracks.track')}
          className="border-border rounded-lg flex flex-col gap-1.5 border p-4"
        >
          <TrackPlayer
            name={track.name ?? t('tracks.track')}
            url={track.url}
            size={track.size}
            seconds={null}
            decision={track.creativeServingDecision}
          />
        </article>
      ))}
    </div>
  )
}

type BannerReviewProps = {
  readonly banner: Campaign['visuals']['banners'][number]
  readonly clickAddress: string | null
}

const BOX = { width: 620, height: 420 }

function BannerReview({ banner, ...clicks }: BannerReviewProps) {
  const { t } = useTranslation('form')
  const size = { width: banner.width, height: banner.height }
  const pixels = `${banner.width}x${banner.height}`
  const kind = useBannerKind(banner.file_id, banner.url)
  const name = banner.creative_name || pixels
  return (
    <article aria-label={name} className="border-border rounded-lg flex flex-col gap-3 border p-4">
      <header className="text-[0.8125rem]/4.5 flex flex-wrap items-baseline gap-x-3">
        <h4 className="font-semibold">{name}</h4>
        <span className="text-muted-foreground text-xs tabular-nums">
          {kind.html ? `${pixels} · ${t('banners.html')}` : pixels}
        </span>
        <span className="ml-auto">
          <ServingDecision decision={banner.creativeServingDecision} />
        </span>
      </header>
      <BannerPicture fileId={banner.file_id} url={banner.url} size={size} html={kind.html} name={name} box={BOX} {...clicks} />
      <BannerNotes {...kind} />
    </article>
  )
}
