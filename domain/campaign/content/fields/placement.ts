import { flag, integer, optionalText, readOnly, record, texts } from '#domain/kit/fields'

/** The tab "Placement" (campaigns.md §3). */
export const PLACEMENT = {
  /** Follows from the campaign's whitelists. */
  has_whitelist: readOnly(flag(false)),
  placement: record({
    min_os_version: optionalText(),
    excluded_apps: texts(),
    included_apps: texts(),
    device_type_key: integer(1),
    /** Null means all. */
    environment: optionalText(),
    excluded_all_games: flag(false),
    exclude_non_gambling_publishers: flag(false),
    included_app_category_ids: texts(),
    excluded_app_category_ids: texts(),
    excluded_game_category_ids: texts(),
    languages: texts(),
  }),
}
