import { useQuery } from '@tanstack/react-query'
import { administrationQueries } from '@/data/administration-queries'
import { referenceQueries } from '@/data/reference-queries'
import { useAppNames } from '@/data/use-app-names'
import { useLanguage } from '@/i18n/use-language'
import { campaignQueries } from '@/data/campaign-queries'
import { useShownCampaign } from '../shown-campaign.ts'
import { useWords } from '../form/tabs/bidding/use-words.ts'
import { isBlank, type Change } from './field-changes.ts'
import { plainPath } from './log-lookup.ts'
import type { Names } from './values.ts'

const APPS = /^(targeting\.apps\.|placement\.(in|ex)cluded_apps$)/
const idsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const MONEY = /^(budget|user_cpx|cpm|cpx|fixed_cpm)$/

/** Returns the names that these changes need, and fetches nothing else. Until they load, ids stand for themselves. */
export function useNames(changes: readonly Change[]): Names {
  const language = useLanguage()
  const bidding = useWords()
  const campaign = useShownCampaign()
  const asks = (path: RegExp) =>
    changes.some((change) => path.test(plainPath(change.path)) && !(isBlank(change.from) && isBlank(change.to)))
  const place = campaign?.country ?? ''
  const total = useQuery({ ...campaignQueries.total(campaign?.id ?? ''), enabled: campaign !== null && asks(MONEY) })
  const countries = useQuery({ ...campaignQueries.countries(language), enabled: asks(/^country$/) })
  const cities = useQuery({ ...referenceQueries.cities(place), enabled: place !== '' && asks(/^targeting\.city_ids$/) })
  const interests = useQuery({
    ...referenceQueries.dictionary('interests', language),
    enabled: asks(/^targeting\.interests\./),
  })
  const categories = useQuery({ ...administrationQueries.categories(language), enabled: asks(/^campaign_category_keys$/) })
  const apps = useQuery({ ...referenceQueries.appCategories('app', language), enabled: asks(/_app_category_ids$/) })
  const games = useQuery({ ...referenceQueries.appCategories('game', language), enabled: asks(/_game_category_ids$/) })
  const app = useAppNames(
    changes.filter(({ path }) => APPS.test(plainPath(path))).flatMap(({ from, to }) => [...idsIn(from), ...idsIn(to)]),
    place,
  )
  return {
    currency: total.data?.currency ?? null,
    zone: campaign?.timezone_offset_seconds ?? 0,
    country: (code) => countries.data?.find(({ iso_code }) => iso_code === code)?.name ?? code,
    city: (id) => cities.data?.find((city) => city.id === id)?.name ?? id,
    interest: (id) => interests.data?.find(({ key }) => key === id)?.title ?? id,
    category: (id) => categories.data?.find(({ key }) => key === id)?.title ?? id,
    appCategory: (id) =>
      [...(apps.data ?? []), ...(games.data ?? [])].find(({ category_id }) => category_id === id)?.category_name ?? id,
    app,
    bidding,
  }
}
