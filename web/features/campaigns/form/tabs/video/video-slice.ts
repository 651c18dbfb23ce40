import { z } from '../../../../../../api/contract/zod.ts'
import type { FormSlice } from '../../slices/slice.ts'

const schema = z.object({})
export type VideoValues = z.infer<typeof schema>

export const videoSlice: FormSlice<VideoValues> = {
  schema,
  empty: () => ({}),
  fromCampaign: () => ({}),
  toInput: () => ({}),
  fieldOf: () => null,
}
