import { z } from '../../../../../../api/contract/zod.ts'
import type { FormSlice } from '../../slices/slice.ts'

const schema = z.object({})
export type BiddingValues = z.infer<typeof schema>

export const biddingSlice: FormSlice<BiddingValues> = {
  schema,
  empty: () => ({}),
  fromCampaign: () => ({}),
  toInput: () => ({}),
  fieldOf: () => null,
}
