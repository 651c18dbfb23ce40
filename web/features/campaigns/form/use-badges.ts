import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { verdictOf } from '#domain/campaign/status/status'
import type { Campaign } from '#contract/campaign-body'
import { campaignQueries } from '@/data/campaign-queries'
import type { Decision } from '../creatives/serving-decision.tsx'
import { isSame } from './creatives/wire-values.ts'
import type { CampaignFormValues } from './form-schema.ts'
import type { TabContext, TabKey } from './form-tabs.ts'
import { placementSlice } from './tabs/placement/placement-slice.ts'

/** The badge of a navigation entry (campaigns.md §2, "Left navigation"). */
export type Badge = {
  readonly text: string | null
  /** The exchanges' decision about its creatives, shown as an icon. */
  readonly mark: 'disapproved' | 'pending' | null
}
export type Badges = Partial<Readonly<Record<TabKey, Badge>>>

type Verdict = 'approved' | 'pending' | 'disapproved' | null

/** The form values that badges depend on. */
type FormSummary = ReturnType<typeof summarise>

const summarise = ({
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
  // Audio campaigns always use manual targeting (campaigns.md §5).
  byHand: !targeting.automatic || goal === 'AUDIO_ADVERTISING',
  entries: bidding.entries.length,
  ads: { dynamic: responsive.enabled, native: native.enabled, video: video.enabled },
  banners: banners.map(({ id }) => id),
  tracks: tracks.tracks.length,
  scheduled: Object.values(frequency.scheduling).some((slots) => slots.length > 0),
  placed: !isSame(placement, placementSlice.empty('awareness')),
})

export const badgesOf = (values: CampaignFormValues, campaign: Campaign | null, on: string, changes: number | null): Badges =>
  badgesFor(summarise(values), campaign, on, changes)

function badgesFor(summary: FormSummary, campaign: Campaign | null, on: string, changes: number | null): Badges {
  const shown = (active: boolean): Badge => ({ text: active ? on : null, mark: null })
  const counted = (count: number): Badge => ({ text: count === 0 ? null : String(count), mark: null })
  const judged = (badge: Badge, verdicts: readonly Verdict[]): Badge => {
    // A disapproval replaces all other badges.
    if (verdicts.includes('disapproved')) return { text: null, mark: 'disapproved' }
    return verdicts.includes('pending') ? { ...badge, mark: 'pending' } : badge
  }
  const ad = (active: boolean, decision: Decision) => judged(shown(active), active && decision ? [verdictOf(decision)] : [])
  return {
    targeting: shown(summary.byHand),
    advancedBidding: counted(summary.entries),
    dynamicAds: ad(summary.ads.dynamic, campaign?.dynamic_ad?.creativeServingDecision),
    nativeAds: ad(summary.ads.native, campaign?.native_ad?.creativeServingDecision),
    videoAds: ad(summary.ads.video, campaign?.video_ad?.creativeServingDecision),
    bannerAds: judged(counted(summary.banners.length), decidedBanners(summary.banners, campaign)),
    tracks: counted(summary.tracks),
    frequency: shown(summary.scheduled),
    placement: shown(summary.placed),
    changeLog: counted(changes ?? 0),
  }
}

/**
 * Returns the decisions about banners still in the form. Decisions arrive while the form is open, so the form does not store
 * them.
 */
function decidedBanners(banners: FormSummary['banners'], campaign: Campaign | null): readonly Verdict[] {
  const kept = new Set(banners)
  const stored = campaign?.visuals.banners.filter(({ id }) => kept.has(id)) ?? []
  return stored.map(({ creativeServingDecision: decision }) => (decision === null ? null : verdictOf(decision)))
}

/** Returns the badges. Re-renders only when a badge may change, not on every keystroke. */
export function useBadges(control: Control<CampaignFormValues>, campaign: Campaign | null, { withLog }: TabContext): Badges {
  const { t } = useTranslation('form')
  const summary = useWatch({ control, compute: summarise })
  const { data: changes = null } = useQuery({
    ...campaignQueries.logCount(campaign?.id ?? ''),
    enabled: withLog && campaign !== null,
  })
  return badgesFor(summary, campaign, t('on'), changes)
}
