import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { verdictOf } from '../../../../domain/campaign/status.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { campaignQueries } from '../campaign-queries.ts'
import type { Decision } from './creatives/serving-decision.tsx'
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

export function badgesOf(values: CampaignFormValues, campaign: Campaign | null, on: string, changes: number | null): Badges {
  const { targeting, bidding, responsive, native, video, tracks, frequency, placement, banners, goal } = values
  const shown = (active: boolean): Badge => ({ text: active ? on : null, mark: null })
  const counted = (count: number): Badge => ({ text: count === 0 ? null : String(count), mark: null })
  const judged = (badge: Badge, verdicts: readonly Verdict[]): Badge => {
    // Takes the place of what would be said otherwise: nothing else matters as much.
    if (verdicts.includes('disapproved')) return { text: null, mark: 'disapproved' }
    return verdicts.includes('pending') ? { ...badge, mark: 'pending' } : badge
  }
  const ad = (active: boolean, decision: Decision) => judged(shown(active), active && decision ? [verdictOf(decision)] : [])
  return {
    // Audio campaigns are always targeted by hand (campaign.md §5).
    targeting: shown(!targeting.automatic || goal === 'AUDIO_ADVERTISING'),
    advancedBidding: counted(bidding.entries.length),
    dynamicAds: ad(responsive.enabled, campaign?.dynamic_ad?.creativeServingDecision),
    nativeAds: ad(native.enabled, campaign?.native_ad?.creativeServingDecision),
    videoAds: ad(video.enabled, campaign?.video_ad?.creativeServingDecision),
    bannerAds: judged(counted(banners.length), decidedBanners(banners, campaign)),
    tracks: counted(tracks.tracks.length),
    frequency: shown(Object.values(frequency.scheduling).some((slots) => slots.length > 0)),
    placement: shown(!isSame(placement, placementSlice.empty('awareness'))),
    changeLog: counted(changes ?? 0),
  }
}

/** What is known of the banners that are still there; decisions come while the form is open, so they are not held in it. */
function decidedBanners(banners: CampaignFormValues['banners'], campaign: Campaign | null): readonly Verdict[] {
  const kept = new Set(banners.map(({ id }) => id))
  const stored = campaign?.visuals.banners.filter(({ id }) => kept.has(id)) ?? []
  return stored.map(({ creativeServingDecision: decision }) => (decision === null ? null : verdictOf(decision)))
}

export function useBadges(control: Control<CampaignFormValues>, campaign: Campaign | null, { withLog }: TabContext): Badges {
  const { t } = useTranslation('form')
  const values = useWatch({ control, compute: (all: CampaignFormValues) => all })
  const { data: changes = null } = useQuery({
    ...campaignQueries.logCount(campaign?.id ?? ''),
    enabled: withLog && campaign !== null,
  })
  return badgesOf(values, campaign, t('on'), changes)
}
