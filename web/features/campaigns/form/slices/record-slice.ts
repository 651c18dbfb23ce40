import type { Campaign } from '#contract/campaign-body'
import type { z } from '#contract/zod'
import { headOf, isSame, under } from '../creatives/wire-values.ts'
import type { FieldMapping } from './field-mapping.ts'
import type { FormSlice } from './slice.ts'

/** The slice of one record. Parts of the stored record that the form does not show are sent back: a save replaces the record. */
export function recordSlice<Values>(
  key: 'placement' | 'targeting',
  mapping: FieldMapping<Values, object>,
  schema: z.ZodMiniType<Values, Values>,
): FormSlice<Values> {
  return {
    schema,
    paths: pathsUnder(key, mapping),
    empty: () => mapping.show(null),
    fromCampaign: (campaign) => mapping.show(campaign[key]),
    toInput: (values, campaign) => {
      const stored = campaign?.[key] ?? null
      return { [key]: { ...stored, ...mapping.send(values, stored) } }
    },
    fieldOf: (path) => {
      const rest = under(path, key)
      return rest === null ? null : (mapping.names.get(headOf(rest)) ?? '')
    },
  }
}

/** The form fields of a mapping by wire path; `at` is the path of its record. */
export const pathsUnder = (at: string, { names }: Pick<FieldMapping<unknown, unknown>, 'names'>): ReadonlyMap<string, string> =>
  new Map([...names].map(([key, field]) => [`${at}.${key}`, field]))

type AdKey = 'dynamic_ad' | 'native_ad' | 'video_ad'

/** The slice of an ad and its switch. An untouched ad is not sent. A fault of the ad as a whole is led to its name. */
export function adSlice<Values extends { readonly creativeName: string }>(
  key: AdKey,
  mapping: FieldMapping<Values, object>,
  schema: z.ZodMiniType<Values & { enabled: boolean }, Values & { enabled: boolean }>,
  rowOf: (rest: string, values: Values) => string | null = () => null,
): FormSlice<Values & { enabled: boolean }> {
  const enabledKey = `${key}_enabled` as const
  const shown = (enabled: boolean, ad: Campaign[AdKey]) => ({ enabled, ...mapping.show(ad) })
  return {
    schema,
    paths: new Map([[enabledKey, 'enabled'], ...pathsUnder(key, mapping)]),
    empty: () => shown(false, null),
    fromCampaign: (campaign) => shown(campaign[enabledKey], campaign[key]),
    toInput: (values, campaign) => {
      const stored = campaign?.[key] ?? null
      const enabled = { [enabledKey]: values.enabled }
      if (isSame({ ...values, enabled: true }, shown(true, stored))) return enabled
      return { ...enabled, [key]: { ...withoutDecisions(stored), ...mapping.send(values, stored) } }
    },
    fieldOf: (path, values) => {
      if (path === enabledKey) return 'enabled'
      const rest = under(path, key)
      return rest === null ? null : (rowOf(rest, values) ?? mapping.names.get(headOf(rest)) ?? 'creativeName')
    },
  }
}

/** A stored creative without what only reads carry. */
export const withoutDecisions = (stored: object | null): object =>
  Object.fromEntries(Object.entries(stored ?? {}).filter(([key]) => !DECISIONS.has(key)))
const DECISIONS: ReadonlySet<string> = new Set(['creativeServingDecision', 'exchange_decisions', 'content_version'])
