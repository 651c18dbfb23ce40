import { flag, integer, oneOf, optionalText, readOnly, record, texts } from '#domain/kit/fields'
import { AUDIENCE_LANGUAGES, codesOf, DEVICE_TYPES, ENVIRONMENTS } from '../options.ts'

/** The tab "Placement" (campaigns.md §3). */
export const PLACEMENT = {
  /** Follows from the campaign's whitelists. */
  has_whitelist: readOnly(flag(false)),
  placement: record({
    device_type_key: oneOf(integer(1), codesOf(DEVICE_TYPES)),
    /** Null means all. */
    environment: oneOf(optionalText(), ENVIRONMENTS),
    min_os_version: optionalText(),
    languages: oneOf(texts(), AUDIENCE_LANGUAGES),
    included_apps: texts(),
    excluded_apps: texts(),
    included_app_category_ids: texts(),
    excluded_app_category_ids: texts(),
    excluded_all_games: flag(false),
    excluded_game_category_ids: texts(),
    exclude_non_gambling_publishers: flag(false),
  }),
}
