import type { Language } from '#domain/kit/languages'
import { fileAddress } from '#domain/campaign/content/file-addresses'
import { SITES } from '#domain/estimates/sites'
import type { FactFilter } from '#factstore/fact-store'
import { campaignNames, creativesNamed } from '#projections/campaign/list/report-queries'
import type { ReportTableRow } from '#contract/report-tables'
import type { TableGrouping } from '#domain/reports/groupings'
import type { Needs } from '#api/areas/services'
import { DEVICE_WORDS, EXCHANGE_NAMES, FILE_WORDS } from './table-words.ts'

export type RowName = Pick<ReportTableRow, 'label' | 'detail' | 'url'>
export type NameOf = (key: string) => RowName

/** Campaigns whose creatives are named at once: those that spent the most. */
const MOST_CAMPAIGNS = 2000

type Deps = Needs<'accounts' | 'db' | 'facts' | 'reference'>

const plain = (label: string): RowName => ({ label, detail: null, url: null })

type Asked = { readonly filter: FactFilter; readonly keys: readonly string[]; readonly language: Language }

/** How rows are called by grouping; those of the others by their keys. */
const NAMES: Readonly<Partial<Record<TableGrouping, (deps: Deps, asked: Asked) => NameOf | Promise<NameOf>>>> = {
  async campaign({ db }, { keys }) {
    const names = await campaignNames(db, keys)
    return (key) => plain(names.get(key) ?? key)
  },

  async advertiser({ accounts }, { keys }) {
    const found = await Promise.all(keys.map((key) => accounts.opened(key)))
    const names = new Map(found.flatMap((account) => (account === null ? [] : [[account.space_id, account.name] as const])))
    return (key) => plain(names.get(key) ?? key)
  },

  async creative({ db, facts }, { filter, keys }) {
    const spent = [...(await facts.byCampaign(filter))].toSorted(([, a], [, b]) => b.spent - a.spent)
    const campaigns = spent.slice(0, MOST_CAMPAIGNS).map(([id]) => id)
    const found = await creativesNamed(db, campaigns, keys)
    return (key) => {
      const creative = found.get(key)
      if (creative === undefined) return plain(key)
      const { name, campaign, fileId } = creative
      return { label: name || key, detail: campaign, url: fileId === null ? null : fileAddress(fileId) }
    }
  },

  app_or_site:
    ({ reference }) =>
    (key) => {
      const app = reference.findApp('android', key) ?? reference.findApp('ios', key)
      const name = app?.name ?? SITES.find(({ domain }) => domain === key)?.name
      return name === undefined ? plain(key) : { label: name, detail: key, url: null }
    },

  exchange: () => (key) => plain(EXCHANGE_NAMES[key] ?? key),

  country(_, { language }) {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return (key) => plain(/^[A-Z]{2}$/.test(key) ? (names.of(key) ?? key) : key)
  },

  platforms:
    (_, { language }) =>
    (key) =>
      plain(DEVICE_WORDS[key]?.[language] ?? key),

  day_of_week(_, { language }) {
    const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
    // 2024 began on a Monday, day 1 of the week.
    return (key) => plain(format.format(Date.UTC(2024, 0, Number(key))))
  },

  hour: () => (key) => plain(`${key}:00`),
}

/** Returns how the rows of a grouping with these keys are called. Keys without a name are their own names. */
export async function namesOf(deps: Deps, grouping: TableGrouping, asked: Asked): Promise<NameOf> {
  const known = (await NAMES[grouping]?.(deps, asked)) ?? plain
  return (key) => {
    const name = known(key)
    return name.label === '' ? { ...name, label: FILE_WORDS.unnamed[asked.language] } : name
  }
}
