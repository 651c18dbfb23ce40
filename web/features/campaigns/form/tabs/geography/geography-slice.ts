import { z } from '#contract/zod'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

const schema = z.object({ cities: z.array(z.string()) })
export type GeographyValues = z.infer<typeof schema>

export const geographySlice: FormSlice<GeographyValues> = {
  schema,
  paths: new Map([['targeting.city_ids', 'cities']]),
  empty: () => ({ cities: [] }),
  fromCampaign: ({ targeting }) => ({ cities: [...targeting.city_ids] }),
  toInput: ({ cities }) => ({ targeting: { city_ids: cities } }),
  fieldOf: (path) => (path.startsWith('targeting.city_ids') ? 'cities' : null),
}
