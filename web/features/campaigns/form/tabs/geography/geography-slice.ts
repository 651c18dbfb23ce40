import { z } from '../../../../../../api/contract/zod.ts'
import type { FormSlice } from '../../slices/slice.ts'

const schema = z.object({})
export type GeographyValues = z.infer<typeof schema>

export const geographySlice: FormSlice<GeographyValues> = {
  schema,
  empty: () => ({}),
  fromCampaign: () => ({}),
  toInput: () => ({}),
  fieldOf: () => null,
}
