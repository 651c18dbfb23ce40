import { z } from '#contract/zod'
import { PLACEMENT } from '#domain/campaign/content/fields/placement'
import { fieldMapping } from '@/features/campaigns/form/slices/field-mapping'
import { recordSlice } from '@/features/campaigns/form/slices/record-slice'

const mapping = fieldMapping(PLACEMENT.placement, {
  names: {
    device_type_key: 'device',
    min_os_version: 'osVersion',
    excluded_game_category_ids: 'games',
    excluded_all_games: 'noGames',
    exclude_non_gambling_publishers: 'noNonGambling',
  },
  own: {
    /** 'all' is null on the wire (campaigns.md §3). */
    environment: {
      schema: z.string(),
      show: (stored: string | null) => stored ?? 'all',
      send: (shown: string) => (shown === 'all' ? null : shown),
    },
  },
  joined: {
    apps: { included: 'included_apps', excluded: 'excluded_apps' },
    categories: { included: 'included_app_category_ids', excluded: 'excluded_app_category_ids' },
  },
})

export const placementSlice = recordSlice('placement', mapping, z.object(mapping.shape))
