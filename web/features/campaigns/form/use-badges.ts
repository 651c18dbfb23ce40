import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { verdictOf } from '../../../../domain/campaign/status/status.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { campaignQueries } from '@/data/campaign-queries'
import type { Decision } from '../creatives/serving-decision.tsx'
import { isSame } from './creatives/wire-values.ts'
import type { CampaignFormValues } from './form-schema.ts'
import type { TabContext, TabKey } from './form-tabs.ts'
import { placementSlice } from './tabs/placement/placement-slice.ts'

/** What stands beside an entry of the navigation (campaign.md §2, "Left navigation"). */
export type Badge = {
  readonly text: string | null
  /** What exchanges think of the creatives behind it: an icon. */
  readonly mark: 'disapproved' | 'pending' | null
}
export type Badges = Partial<Readonly<Record<TabKey, Badge>>>

type Verdict = 'approved' | 'pending' | 'disapproved' | null

/** What the badges say of what stands in the form. */
type Told = ReturnType<typeof toldBy>

const toldBy = ({
  targeting,
  bidding,
  responsive,
  native,
  video,
  tracks,
  frequency,
  placement,
  banners,
  goal,
}: CampaignFormValues) => ({
  // Audio campaigns are always targeted by hand (campaign.md §5).
  byHand: !targeting.automatic || goal === 'AUDIO_ADVERTISING',
  entries: bidding.entries.length,
  ads: { dynamic: responsive.enabled, native: native.enabled, video: video.enabled },
  banners: banners.map(({ id }) => id),
  tracks: tracks.tracks.length,
  scheduled: Object.values(frequency.scheduling).some((slots) => slots.length > 0),
  placed: !isSame(placement, placementSlice.empty('awareness')),
})

export const badgesOf = (values: CampaignFormValues, campaign: Campaign | null, on: string, changes: number | null): Badges =>
  badgesFor(toldBy(values), campaign, on, changes)

function badgesFor(told: Told, campaign: Campaign | null, on: string, changes: number | null): Badges {
  const shown = (active: boolean): Badge => ({ text: active ? on : null, mark: null })
  const counted = (count: number): Badge => ({ text: count === 0 ? null : String(count), mark: null })
  const judged = (badge: Badge, verdicts: readonly Verdict[]): Badge => {
    // Takes the place of what would be said otherwise: nothing else matters as much.
    if (verdicts.includes('disapproved')) return { text: null, mark: 'disapproved' }
    return verdicts.includes('pending') ? { ...badge, mark: 'pending' } : badge
  }
  const ad = (active: boolean, decision: Decision) => judged(shown(active), active && decision ? [verdictOf(decision)] : [])
  return {
    targeting: shown(told.byHand),
    advancedBidding: counted(told.entries),
    dynamicAds: ad(told.ads.dynamic, campaign?.dynamic_ad?.creativeServingDecision),
    nativeAds: ad(told.ads.native, campaign?.native_ad?.creativeServingDecision),
    videoAds: ad(told.ads.video, campaign?.video_ad?.creativeServingDecision),
    bannerAds: judged(counted(told.banners.length), decidedBanners(told.banners, campaign)),
    tracks: counted(told.tracks),
    frequency: shown(told.scheduled),
    placement: shown(told.placed),
    changeLog: counted(changes ?? 0),
  }
}

/** What is known of the banners that are still there; decisions come while the form is open, so they are not held in it. */
function decidedBanners(banners: Told['banners'], campaign: Campaign | null): readonly Verdict[] {
  const kept = new Set(banners)
  const stored = campaign?.visuals.banners.filter(({ id }) => kept.has(id)) ?? []
  return stored.map(({ creativeServingDecision: decision }) => (decision === null ? null : verdictOf(decision)))
}

/** Anew when a badge may say something else, not at every letter. */
export function useBadges(control: Control<CampaignFormValues>, campaign: Campaign | null, { withLog }: TabContext): Badges {
  const { t } = useTranslation('form')
  const told = useWatch({ control, compute: toldBy })
  const { data: changes = null } = useQuery({
    ...campaignQueries.logCount(campaign?.id ?? ''),
    enabled: withLog && campaign !== null,
  })
  return badgesFor(told, campaign, t('on'), changes)
}
