import { z } from '#contract/zod'
import { TARGETING } from '#domain/campaign/content/fields/targeting'
import { fieldMapping } from '@/features/campaigns/form/slices/field-mapping'
import { recordSlice } from '@/features/campaigns/form/slices/record-slice'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const AGE = { min: 18, max: 65 } as const

const isAge = (text: string) => /^\s*\d{1,3}\s*$/.test(text) && Number(text) >= AGE.min && Number(text) <= AGE.max
const age = {
  schema: z.string().check(z.refine(isAge, `faults:outOfRange?min=${AGE.min}&max=${AGE.max}`)),
  show: String,
  send: Number,
}

/** The whole key except the cities, which have their own tab, and the pair that is derived from the two ages (decisions G-109). */
export const targetingFields = fieldMapping(TARGETING.targeting, {
  names: {
    automaticTargeting: 'automatic',
    segment_audiences: 'audiences',
    target_languages: 'languages',
    connection_types: 'connections',
    customer_attributes: 'attributes',
  },
  own: { fromAge: age, toAge: age },
  without: ['city_ids', 'ageRange'],
})
const schema = z
  .object(targetingFields.shape)
  .check(z.refine(({ fromAge, toAge }) => Number(fromAge) <= Number(toAge), { path: ['fromAge'], error: 'faults:orderedAges' }))
export type TargetingValues = z.infer<typeof schema>
export type SelectionValue = TargetingValues['interests']

const slice = recordSlice('targeting', targetingFields, schema)

export const targetingSlice: FormSlice<TargetingValues> = {
  ...slice,
  toInput: (values, campaign) => {
    const { targeting } = slice.toInput(values, campaign)
    const [fromAge, toAge] = [Number(values.fromAge), Number(values.toAge)]
    const before = campaign?.targeting
    // Unchanged ages are sent back with the stored pair.
    const pair = before?.fromAge === fromAge && before.toAge === toAge ? {} : { ageRange: [fromAge, toAge] }
    return { targeting: { ...targeting, ...pair } }
  },
  fieldOf: (path, values) => {
    if (path === 'targeting_on') return 'automatic'
    if (path.startsWith('targeting.city_ids')) return null
    return path.startsWith('targeting.ageRange') ? 'fromAge' : slice.fieldOf(path, values)
  },
}
