import { useWatch, type Control } from 'react-hook-form'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import type { CampaignFormValues } from './form-schema.ts'
import type { TabKey } from './form-tabs.ts'

/** What stands beside the entries of the navigation (campaign.md §2, "Left navigation"). */
export function useBadges(
  control: Control<CampaignFormValues>,
  _campaign: Campaign | null,
): Partial<Readonly<Record<TabKey, string>>> {
  const banners = useWatch({ control, name: 'banners' })
  return banners.length === 0 ? {} : { bannerAds: String(banners.length) }
}
