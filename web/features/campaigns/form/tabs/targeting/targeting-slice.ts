import { z } from '#contract/zod'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { Campaign } from '#contract/campaign-body'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { fieldByPath } from '@/features/campaigns/form/slices/wire-paths'

export const AGE = { min: 18, max: 65 } as const

const keys = z.array(z.string())
const selection = z.object({ includeAny: keys, include: keys, exclude: keys })
export type SelectionValue = z.infer<typeof selection>

const isAge = (text: string) => /^\s*\d{1,3}\s*$/.test(text) && Number(text) >= AGE.min && Number(text) <= AGE.max
const age = z.string().check(z.refine(isAge, `faults:outOfRange?min=${AGE.min}&max=${AGE.max}`))

const schema = z
  .object({
    automatic: z.boolean(),
    fromAge: age,
    toAge: age,
    interests: selection,
    apps: selection,
    audiences: selection,
    gender: z.number(),
    similarity: z.number(),
    languages: keys,
    regions: keys,
    connections: keys,
    attributes: keys,
  })
  .check(z.refine(({ fromAge, toAge }) => Number(fromAge) <= Number(toAge), { path: ['fromAge'], error: 'faults:orderedAges' }))
export type TargetingValues = z.infer<typeof schema>

const copied = (wire: { readonly [key in keyof SelectionValue]: readonly string[] }): SelectionValue => ({
  includeAny: [...wire.includeAny],
  include: [...wire.include],
  exclude: [...wire.exclude],
})

type Wire = Omit<Campaign['targeting'], 'city_ids' | 'ageRange'> | typeof DEFAULT_CONTENT.targeting

const fromWire = (wire: Wire): TargetingValues => ({
  automatic: wire.automaticTargeting,
  fromAge: String(wire.fromAge),
  toAge: String(wire.toAge),
  interests: copied(wire.interests),
  apps: copied(wire.apps),
  audiences: copied(wire.segment_audiences),
  gender: wire.gender,
  similarity: wire.similarity,
  languages: [...wire.target_languages],
  regions: [...wire.regions],
  connections: [...wire.connection_types],
  attributes: [...wire.customer_attributes],
})

/** Returns the whole key except the cities, which have their own tab. */
export const targetingInput = (values: TargetingValues) => ({
  automaticTargeting: values.automatic,
  fromAge: Number(values.fromAge),
  toAge: Number(values.toAge),
  interests: values.interests,
  apps: values.apps,
  segment_audiences: values.audiences,
  gender: values.gender,
  similarity: values.similarity,
  target_languages: values.languages,
  regions: values.regions,
  connection_types: values.connections,
  customer_attributes: values.attributes,
})

const FIELDS: Readonly<Record<string, string>> = {
  targeting: '',
  targeting_on: 'automatic',
  'targeting.automaticTargeting': 'automatic',
  'targeting.fromAge': 'fromAge',
  'targeting.toAge': 'toAge',
  'targeting.ageRange': 'fromAge',
  'targeting.interests': 'interests',
  'targeting.apps': 'apps',
  'targeting.segment_audiences': 'audiences',
  'targeting.gender': 'gender',
  'targeting.similarity': 'similarity',
  'targeting.target_languages': 'languages',
  'targeting.regions': 'regions',
  'targeting.connection_types': 'connections',
  'targeting.customer_attributes': 'attributes',
}

export const targetingSlice: FormSlice<TargetingValues> = {
  schema,
  empty: () => fromWire(DEFAULT_CONTENT.targeting),
  fromCampaign: ({ targeting }) => fromWire(targeting),
  toInput: (values, campaign) => {
    const targeting = targetingInput(values)
    const before = campaign?.targeting
    const sameAges = before?.fromAge === targeting.fromAge && before.toAge === targeting.toAge
    // The pair is derived from the two ages (decisions G-109). Unchanged ages are sent back as stored.
    return { targeting: { ...targeting, ...(sameAges ? {} : { ageRange: [targeting.fromAge, targeting.toAge] }) } }
  },
  fieldOf: (path) => (path.startsWith('targeting.city_ids') ? null : fieldByPath(path, FIELDS)),
}
