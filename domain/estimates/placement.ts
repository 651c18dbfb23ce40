import { users } from './audience.ts'
import { anyOf, between, both, either, everybody, remembered, share, standing, without, type People } from './panel.ts'

/** Allowed places of advertisements (campaigns.md §3, "placement"); an empty list allows all. */
export type Placement = {
  /** 1 all, 3 iOS, 4 Android. */
  readonly device_type_key: number
  /** Null means all. */
  readonly environment: string | null
  readonly min_os_version: string | null
  readonly included_apps: readonly string[]
  readonly excluded_apps: readonly string[]
  readonly excluded_all_games: boolean
  readonly exclude_non_gambling_publishers: boolean
  readonly included_app_category_ids: readonly string[]
  readonly excluded_app_category_ids: readonly string[]
  readonly excluded_game_category_ids: readonly string[]
  readonly languages: readonly string[]
}

/** The share of phones with Android; the others run iOS. */
export const ANDROID = 0.78
const device = (key: number): People => {
  if (key === 4) return remembered('android', () => between('device', 0, ANDROID))
  return key === 3 ? remembered('ios', () => between('device', ANDROID, 1)) : everybody()
}

/** The share of people who use the web. */
export const ON_THE_WEB = 0.88
/** Users of apps, and of the web; most use both. */
const ENVIRONMENTS: Readonly<Record<string, number>> = { app: 0.93, web: ON_THE_WEB }

/** Each required version excludes some older phones; versions are compared by their first number. */
function recent(version: string | null): People {
  const major = Number(/\d+/.exec(version ?? '')?.[0] ?? 0)
  return share('os version', Math.max(0.02, 1 - Math.max(0, major - 4) * 0.06))
}

/** Each person spends most time in one kind of app; these people see little else. */
const mainly = (kind: 'category' | 'game', key: string): People =>
  remembered(`mainly ${kind}:${key}`, () => {
    const from = standing(`${kind}:${key}`) * 0.97
    return between(`main ${kind}`, from, from + 0.03)
  })
const gamers = (): People => share('gamer', 0.18)

/** The people of the panel that advertisements in these places reach. */
export function reachedBy(placement: Placement): People {
  const included = either(
    users(placement.included_apps),
    placement.included_app_category_ids
      .map((key) => share(`category:${key}`, 0.1 + 0.4 * standing(`uses ${key}`)))
      .reduce(either, users([])),
  )
  const restricted = placement.included_apps.length + placement.included_app_category_ids.length > 0
  const lost = [
    // A user of one app mostly uses others too.
    users(placement.excluded_apps, 0.2),
    ...placement.excluded_app_category_ids.map((key) => mainly('category', key)),
    ...placement.excluded_game_category_ids.map((key) => both(gamers(), mainly('game', key))),
    ...(placement.excluded_all_games ? [gamers()] : []),
    ...(placement.exclude_non_gambling_publishers ? [share('no gambling', 0.9)] : []),
  ]
  const open = [
    device(placement.device_type_key),
    placement.environment === null ? everybody() : share(`on ${placement.environment}`, ENVIRONMENTS[placement.environment] ?? 0),
    recent(placement.min_os_version),
    restricted ? included : everybody(),
    anyOf(
      placement.languages.map((language) => share(`language:${language}`, 0.3)),
      everybody,
    ),
  ].reduce(both)
  return lost.reduce(without, open)
}
