import type { CampaignContent } from './content.ts'
import { fault } from '../saving/faults.ts'
import {
  AUDIENCE_LANGUAGES,
  CAMPAIGN_FORMATS,
  codesOf,
  CONNECTION_TYPES,
  CUSTOMER_ATTRIBUTES,
  DEVICE_TYPES,
  ENVIRONMENTS,
  GENDERS,
  REGIONS,
  SIMILARITIES,
} from './options.ts'
import type { Rule } from '../saving/save-context.ts'

/** Lists whose entries are limited to the offered ones. */
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

const HOUR = /^([01]\d|2[0-3])$/

/** Rules of audience and geography (campaigns.md §5, §9). Stored entries are not checked again. */
export const targetingRules: Rule = (content, { before }, report) => {
  const { targeting: who, attribution, scheduling, campaign_type_key, placement } = content
  if (who.fromAge < 18 || who.toAge > 65) report(fault('targeting.fromAge', 2, 'outOfRange', { min: 18, max: 65 }))
  if (who.fromAge > who.toAge) report(fault('targeting.fromAge', 2, 'orderedAges'))
  if (!codesOf(SIMILARITIES).includes(who.similarity)) report(fault('targeting.similarity', 2, 'outOfRange', { min: 0, max: 3 }))
  if (!codesOf(GENDERS).includes(who.gender)) report(fault('targeting.gender', 2, 'notAllowed'))
  if (attribution.length > 10) report(fault('attribution', 2, 'tooMany', { max: 10 }))
  if (Object.values(scheduling).some((hours) => hours.some((hour) => !HOUR.test(hour))))
    report(fault('scheduling', 2, 'notAllowed'))
  if (!codesOf(CAMPAIGN_FORMATS).includes(campaign_type_key)) report(fault('campaign_type_key', 2, 'notAllowed'))
  if (!codesOf(DEVICE_TYPES).includes(placement.device_type_key)) report(fault('placement.device_type_key', 2, 'notAllowed'))
  if (placement.environment !== null && !(ENVIRONMENTS as readonly string[]).includes(placement.environment))
    report(fault('placement.environment', 2, 'notAllowed'))
  for (const { path, of, options } of OFFERED) {
    const stored = before === null ? [] : of(before)
    if (of(content).some((entry) => !options.includes(entry) && !stored.includes(entry))) report(fault(path, 2, 'notAllowed'))
  }
}
