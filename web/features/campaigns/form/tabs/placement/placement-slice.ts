import { z } from '#contract/zod'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { fieldByPath } from '@/features/campaigns/form/slices/wire-paths'

const keys = z.array(z.string())
const modeList = z.object({ included: keys, excluded: keys })

const schema = z.object({
  device: z.number(),
  /** 'all' is null on the wire (campaigns.md §3). */
  environment: z.string(),
  osVersion: z.string().check(z.maxLength(5000, 'long')),
  apps: modeList,
  categories: modeList,
  games: keys,
  noGames: z.boolean(),
  noNonGambling: z.boolean(),
  languages: keys,
})
export type PlacementValues = z.infer<typeof schema>

type Keys = readonly string[]
type Wire = {
  readonly device_type_key: number
  readonly environment: string | null
  readonly min_os_version: string | null
  readonly included_apps: Keys
  readonly excluded_apps: Keys
  readonly included_app_category_ids: Keys
  readonly excluded_app_category_ids: Keys
  readonly excluded_game_category_ids: Keys
  readonly excluded_all_games: boolean
  readonly exclude_non_gambling_publishers: boolean
  readonly languages: Keys
}

const fromWire = (wire: Wire): PlacementValues => ({
  device: wire.device_type_key,
  environment: wire.environment ?? 'all',
  osVersion: wire.min_os_version ?? '',
  apps: { included: [...wire.included_apps], excluded: [...wire.excluded_apps] },
  categories: { included: [...wire.included_app_category_ids], excluded: [...wire.excluded_app_category_ids] },
  games: [...wire.excluded_game_category_ids],
  noGames: wire.excluded_all_games,
  noNonGambling: wire.exclude_non_gambling_publishers,
  languages: [...wire.languages],
})

/** Unchanged text is sent back with all its spaces. */
function versionOf(typed: string, stored: string | null) {
  return typed === (stored ?? '') ? stored : typed.trim() || null
}

const FIELDS: Readonly<Record<string, string>> = {
  placement: '',
  'placement.device_type_key': 'device',
  'placement.environment': 'environment',
  'placement.min_os_version': 'osVersion',
  'placement.included_apps': 'apps',
  'placement.excluded_apps': 'apps',
  'placement.included_app_category_ids': 'categories',
  'placement.excluded_app_category_ids': 'categories',
  'placement.excluded_game_category_ids': 'games',
  'placement.excluded_all_games': 'noGames',
  'placement.exclude_non_gambling_publishers': 'noNonGambling',
  'placement.languages': 'languages',
}

export const placementSlice: FormSlice<PlacementValues> = {
  schema,
  empty: () => fromWire(DEFAULT_CONTENT.placement),
  fromCampaign: ({ placement }) => fromWire(placement),
  toInput: (values, campaign) => ({
    placement: {
      device_type_key: values.device,
      environment: values.environment === 'all' ? null : values.environment,
      min_os_version: versionOf(values.osVersion, campaign?.placement.min_os_version ?? null),
      included_apps: values.apps.included,
      excluded_apps: values.apps.excluded,
      included_app_category_ids: values.categories.included,
      excluded_app_category_ids: values.categories.excluded,
      excluded_game_category_ids: values.games,
      excluded_all_games: values.noGames,
      exclude_non_gambling_publishers: values.noNonGambling,
      languages: values.languages,
    },
  }),
  fieldOf: (path) => fieldByPath(path, FIELDS),
}
