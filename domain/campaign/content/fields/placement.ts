import { flag, integer, optionalText, readOnly, record, texts } from '#domain/kit/fields'

/** The tab "Placement" (campaigns.md §3). */
export const PLACEMENT = {
  /** Follows from the campaign's whitelists. */
  has_whitelist: readOnly(flag(false)),
  placement: record({
    device_type_key: integer(1),
    /** Null means all. */
    environment: optionalText(),
    min_os_version: optionalText(),
    languages: texts(),
    included_apps: texts(),
    excluded_apps: texts(),
    included_app_category_ids: texts(),
    excluded_app_category_ids: texts(),
    excluded_all_games: flag(false),
    excluded_game_category_ids: texts(),
    exclude_non_gambling_publishers: flag(false),
  }),
}
