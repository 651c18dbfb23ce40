import type { CampaignContent } from './content.ts'
import { fault } from './faults.ts'
import { AUDIENCE_LANGUAGES, CONNECTION_TYPES, CUSTOMER_ATTRIBUTES, ENVIRONMENTS, REGIONS } from './options.ts'
import { when, type RuleOf } from './save-context.ts'

/** Lists whose entries are offered, not free. */
const OFFERED: readonly {
  readonly path: string
  readonly of: (content: CampaignContent) => readonly string[]
  readonly options: readonly string[]
}[] = [
  { path: 'targeting.regions', of: ({ targeting }) => targeting.regions, options: REGIONS },
  { path: 'targeting.connection_types', of: ({ targeting }) => targeting.connection_types, options: CONNECTION_TYPES },
  { path: 'targeting.customer_attributes', of: ({ targeting }) => targeting.customer_attributes, options: CUSTOMER_ATTRIBUTES },
  { path: 'targeting.target_languages', of: ({ targeting }) => targeting.target_languages, options: AUDIENCE_LANGUAGES },
  { path: 'placement.languages', of: ({ placement }) => placement.languages, options: AUDIENCE_LANGUAGES },
]

/** Whom and where (campaign.md §5, §9). Entries that are stored already were judged when they were new. */
export const targetingRules: RuleOf = (content, { before }) => {
  const { targeting: who, attribution, scheduling, campaign_type_key, placement } = content
  return [
    when(who.fromAge < 18 || who.toAge > 65, () => fault('targeting.fromAge', 2, 'outOfRange', { min: 18, max: 65 })),
    when(who.fromAge > who.toAge, () => fault('targeting.fromAge', 2, 'orderedAges')),
    when(![0, 1, 2, 3].includes(who.similarity), () => fault('targeting.similarity', 2, 'outOfRange', { min: 0, max: 3 })),
    when(![1, 2, 3].includes(who.gender), () => fault('targeting.gender', 2, 'notAllowed')),
    when(attribution.length > 10, () => fault('attribution', 2, 'tooMany', { max: 10 })),
    when(
      Object.values(scheduling)
        .flat()
        .some((hour) => !/^([01]\d|2[0-3])$/.test(hour)),
      () => fault('scheduling', 2, 'notAllowed'),
    ),
    when(![1, 2, 3, 4, 5].includes(campaign_type_key), () => fault('campaign_type_key', 2, 'notAllowed')),
    when(![1, 3, 4].includes(placement.device_type_key), () => fault('placement.device_type_key', 2, 'notAllowed')),
    when(placement.environment !== null && !(ENVIRONMENTS as readonly string[]).includes(placement.environment), () =>
      fault('placement.environment', 2, 'notAllowed'),
    ),
    ...OFFERED.map(({ path, of, options }) => {
      const stored = before === null ? [] : of(before)
      const strange = of(content).some((entry) => !options.includes(entry) && !stored.includes(entry))
      return when(strange, () => fault(path, 2, 'notAllowed'))
    }),
  ]
}
