import { flag, integer, list, record, texts, type ValueOf } from '#domain/kit/fields'

const selection = record({ includeAny: texts(), include: texts(), exclude: texts() })
export type Selection = ValueOf<typeof selection>

/** The tabs "Targeting" and "Geography" (campaigns.md §3). */
export const TARGETING = {
  targeting_on: flag(false),
  targeting: record({
    automaticTargeting: flag(true),
    gender: integer(1),
    fromAge: integer(18),
    toAge: integer(65),
    ageRange: list(integer(0), { max: 100, initial: [18, 65] }),
    target_languages: texts(),
    connection_types: texts(),
    regions: texts(),
    customer_attributes: texts(),
    interests: selection,
    apps: selection,
    segment_audiences: selection,
    similarity: integer(1),
    city_ids: texts(),
  }),
}
