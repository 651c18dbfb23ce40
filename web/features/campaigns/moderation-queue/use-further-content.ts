import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { DEVICE_TYPES, GENDERS, SIMILARITIES } from '#domain/campaign/content/options'
import { referenceQueries } from '@/data/reference-queries'
import { useAppNames } from '@/data/use-app-names'
import { lookUp } from '@/i18n/look-up'
import { useLanguage } from '@/i18n/use-language'
import { summaryOf } from '@/features/campaigns/form/tabs/frequency/schedule-summary'
import { useDayNames } from '@/features/campaigns/form/tabs/frequency/use-day-names'
import { frequencyLabels } from '@/features/campaigns/form/tabs/frequency/frequency-labels'
import { geographyLabels } from '@/features/campaigns/form/tabs/geography/geography-labels'
import { placementLabels } from '@/features/campaigns/form/tabs/placement/placement-labels'
import { targetingLabels } from '@/features/campaigns/form/tabs/targeting/targeting-labels'
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
  const labels = {
    targeting: targetingLabels(),
    frequency: frequencyLabels(),
    placement: placementLabels(),
    geography: geographyLabels(),
  }
  const content = contentOf(campaign)
  const { targeting, frequency, placement, geography } = content
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

  const values: Readonly<Record<keyof FurtherContent, Readonly<Record<string, string>>>> = {
    targeting: {
      automatic: t(targeting.automatic ? 'targeting:automatic' : 'targeting:manual'),
      fromAge: targeting.fromAge,
      toAge: targeting.toAge,
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
    geography: { cities: names(geography.cities) },
    placement: {
      device: coded('placement:devices', DEVICE_TYPES, placement.device),
      environment: named('placement:environments', placement.environment),
      osVersion: placement.osVersion,
      apps: modes(placement.apps),
      categories: modes(placement.categories),
      games: names(placement.games),
      noGames: yesNo(placement.noGames),
      noNonGambling: yesNo(placement.noNonGambling),
      languages: listed('placement:language', placement.languages),
    },
    frequency: {
      on: yesNo(frequency.on),
      daily: frequency.daily,
      weekly: frequency.weekly,
      monthly: frequency.monthly,
      scheduling: summaryOf(frequency.scheduling, days),
    },
  }
  const section = (name: keyof FurtherContent): Section => ({
    title: labels[name][''] ?? '',
    rows: Object.entries(values[name]).flatMap(([field, value]) =>
      value === '' || !differs(content, name, field) ? [] : [{ label: labels[name][field] ?? field, value }],
    ),
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
