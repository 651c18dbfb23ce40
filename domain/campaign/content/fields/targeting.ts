import { flag, integer, list, record, texts, type ValueOf } from '#domain/kit/fields'

const selection = record({ includeAny: texts(), include: texts(), exclude: texts() })
export type Selection = ValueOf<typeof selection>

/** The tabs "Targeting" and "Geography" (campaigns.md §3). */
export const TARGETING = {
  targeting_on: flag(false),
  targeting: record({
    fromAge: integer(18),
    toAge: integer(65),
    ageRange: list(integer(0), { max: 100, initial: [18, 65] }),
    interests: selection,
    apps: selection,
    segment_audiences: selection,
    city_ids: texts(),
    gender: integer(1),
    similarity: integer(1),
    target_languages: texts(),
    regions: texts(),
    connection_types: texts(),
    customer_attributes: texts(),
    automaticTargeting: flag(true),
  }),
}
