import { createContext, useContext } from 'react'
import type { Campaign } from '#contract/campaign-body'

/** The current campaign. Its country, zone and currency are needed to show single values. */
export const ShownCampaign = createContext<Pick<Campaign, 'id' | 'country' | 'timezone_offset_seconds'> | null>(null)
export const useShownCampaign = () => useContext(ShownCampaign)
