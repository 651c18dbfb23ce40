import { z } from '../../../../../../api/contract/zod.ts'
import type { FormSlice } from '../../slices/slice.ts'

const schema = z.object({})
export type NativeValues = z.infer<typeof schema>

export const nativeSlice: FormSlice<NativeValues> = {
  schema,
  empty: () => ({}),
  fromCampaign: () => ({}),
  toInput: () => ({}),
  fieldOf: () => null,
}
