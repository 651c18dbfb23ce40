import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { DEVICE_TYPES, GENDERS, SIMILARITIES } from '#domain/campaign/content/options'
import { referenceQueries } from '@/data/reference-queries'
import { useAppNames } from '@/data/use-app-names'
import { lookUp } from '@/i18n/look-up'
import { useLanguage } from '@/i18n/use-language'
import { summaryOf } from '@/features/campaigns/form/tabs/frequency/schedule-summary'
import { fieldLabel } from '@/features/campaigns/form/field-label'
import { useDayNames } from '@/features/campaigns/form/tabs/frequency/use-day-names'
import { contentOf, differs, type FurtherContent } from './further-content.ts'

type Row = { readonly label: string; readonly value: string }
export type Section = { readonly title: string; readonly rows: readonly Row[] }

type Selection = FurtherContent['targeting']['interests']

const named = (texts: string, key: string) => lookUp(`${texts}.${key}`) ?? key
/** The name of a stored number, or the number itself. */
const coded = (texts: string, names: Readonly<Record<number, string>>, code: number) => named(texts, names[code] ?? String(code))
const listed = (texts: string, keys: readonly string[]) => keys.map((key) => named(texts, key)).join(', ')

/** Returns the values that differ from a new campaign as text, by the tabs and labels of the form. */
export function useFurtherContent(campaign: Campaign): readonly Section[] {
  const { t } = useTranslation(['moderation', 'targeting', 'placement'])
  const names = useNames(campaign)
  const { short: days } = useDayNames()
  const content = contentOf(campaign)
  const { targeting, frequency, placement } = content
  const yesNo = (on: boolean) => t(on ? 'moderation:yes' : 'moderation:no')
  const parts = (entries: readonly (readonly [string, readonly string[]])[]) =>
    entries.flatMap(([label, keys]) => (keys.length === 0 ? [] : [`${label}: ${names(keys)}`])).join('; ')
  const selection = ({ includeAny, include, exclude }: Selection) =>
    parts([
      [t('targeting:includeAny'), includeAny],
      [t('targeting:include'), include],
      [t('targeting:exclude'), exclude],
    ])
  const modes = ({ included, excluded }: FurtherContent['placement']['apps']) =>
    parts([
      [t('placement:allowed'), included],
      [t('placement:blocked'), excluded],
    ])

  /** Values that are not their own text. */
  const said: Readonly<Record<keyof FurtherContent, Readonly<Record<string, string>>>> = {
    targeting: {
      automatic: t(targeting.automatic ? 'targeting:automatic' : 'targeting:manual'),
      gender: coded('targeting:genders', GENDERS, targeting.gender),
      interests: selection(targeting.interests),
      apps: selection(targeting.apps),
      audiences: selection(targeting.audiences),
      similarity: coded('targeting:similarities', SIMILARITIES, targeting.similarity),
      languages: listed('targeting:language', targeting.languages),
      connections: listed('targeting:connection', targeting.connections),
      regions: listed('targeting:region', targeting.regions),
      attributes: listed('targeting:attribute', targeting.attributes),
    },
    placement: {
      device: coded('placement:devices', DEVICE_TYPES, placement.device),
      environment: named('placement:environments', placement.environment),
      apps: modes(placement.apps),
      categories: modes(placement.categories),
      languages: listed('placement:language', placement.languages),
    },
    frequency: { scheduling: summaryOf(frequency.scheduling, days) },
    geography: {},
  }
  const plainly = (value: unknown): string =>
    typeof value === 'boolean' ? yesNo(value) : Array.isArray(value) ? names(value.map(String)) : String(value)
  const section = (name: keyof FurtherContent): Section => ({
    title: fieldLabel(name),
    rows: Object.entries(content[name]).flatMap(([field, stored]) => {
      const value = said[name][field] ?? plainly(stored)
      return value === '' || !differs(content, name, field) ? [] : [{ label: fieldLabel(`${name}.${field}`), value }]
    }),
  })
  return [section('targeting'), section('geography'), section('placement'), section('frequency')].filter(
    ({ rows }) => rows.length > 0,
  )
}

/** Names of stored keys: interests, cities, apps and categories. A key without a name stands for itself. */
function useNames(campaign: Campaign) {
  const language = useLanguage()
  const { interests } = campaign.targeting
  const has = (...lists: readonly (readonly string[])[]) => lists.some(({ length }) => length > 0)
  const chosen = has(interests.include, interests.includeAny, interests.exclude)
  const placement = campaign.placement
  const { data: dictionary = [] } = useQuery({ ...referenceQueries.dictionary('interests', language), enabled: chosen })
  const { data: cities = [] } = useQuery({
    ...referenceQueries.cities(campaign.country ?? ''),
    enabled: campaign.country !== null && has(campaign.targeting.city_ids),
  })
  const { data: apps = [] } = useQuery({
    ...referenceQueries.appCategories('app', language),
    enabled: has(placement.included_app_category_ids, placement.excluded_app_category_ids),
  })
  const { data: games = [] } = useQuery({
    ...referenceQueries.appCategories('game', language),
    enabled: has(placement.excluded_game_category_ids),
  })
  const { targeting } = campaign
  const app = useAppNames(
    [
      ...targeting.apps.include,
      ...targeting.apps.includeAny,
      ...targeting.apps.exclude,
      ...placement.included_apps,
      ...placement.excluded_apps,
    ],
    campaign.country ?? '',
  )
  const known = new Map([
    ...dictionary.map(({ key, title }) => [key, title] as const),
    ...cities.map(({ id, name }) => [id, name] as const),
    ...[...apps, ...games].map(({ category_id, category_name }) => [category_id, category_name] as const),
  ])
  return (keys: readonly string[]) => keys.map((key) => known.get(key) ?? app(key)).join(', ')
}
