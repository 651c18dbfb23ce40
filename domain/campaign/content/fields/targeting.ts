import { flag, integer, list, oneOf, record, texts, type ValueOf } from '#domain/kit/fields'
import { AUDIENCE_LANGUAGES, codesOf, CONNECTION_TYPES, CUSTOMER_ATTRIBUTES, GENDERS, REGIONS, SIMILARITIES } from '../options.ts'

const selection = record({ includeAny: texts(), include: texts(), exclude: texts() })
export type Selection = ValueOf<typeof selection>

/** The tabs "Targeting" and "Geography" (campaigns.md §3). */
export const TARGETING = {
  targeting_on: flag(false),
  targeting: record({
    automaticTargeting: flag(true),
    gender: oneOf(integer(1), codesOf(GENDERS)),
    fromAge: integer(18),
    toAge: integer(65),
    ageRange: list(integer(0), { max: 100, initial: [18, 65] }),
    target_languages: oneOf(texts(), AUDIENCE_LANGUAGES),
    connection_types: oneOf(texts(), CONNECTION_TYPES),
    regions: oneOf(texts(), REGIONS),
    customer_attributes: oneOf(texts(), CUSTOMER_ATTRIBUTES),
    interests: selection,
    apps: selection,
    segment_audiences: selection,
    similarity: oneOf(integer(1), codesOf(SIMILARITIES)),
    city_ids: texts(),
  }),
}
