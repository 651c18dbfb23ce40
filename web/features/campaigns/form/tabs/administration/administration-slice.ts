import { z } from '../../../../../../api/contract/zod.ts'
import type { FormSlice } from '../../slices/slice.ts'

const schema = z.object({})
export type AdministrationValues = z.infer<typeof schema>

export const administrationSlice: FormSlice<AdministrationValues> = {
  schema,
  empty: () => ({}),
  fromCampaign: () => ({}),
  toInput: () => ({}),
  fieldOf: () => null,
}
