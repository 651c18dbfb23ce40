import { createContext, useContext } from 'react'
import type { Campaign } from '../../../api/contract/campaign-body.ts'

/** The campaign that the screen speaks of: its country, zone and money explain values that are shown alone. */
export const ShownCampaign = createContext<Pick<Campaign, 'id' | 'country' | 'timezone_offset_seconds'> | null>(null)
export const useShownCampaign = () => useContext(ShownCampaign)
