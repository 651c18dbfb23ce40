import type { Page, Route } from 'playwright-core'
import { opened } from './opened.ts'
import type { Screen } from './screen.ts'

/** Reports with figures, and with every menu and dialog open. The checked product delivers nothing: the figures are answered here. */

const DAY_MS = 86_400_000

type Asked = {
  readonly from_date: string
  readonly to_date: string
  readonly granularity_type_key: number
  readonly grouping?: string
}

/** Keys of rows by their grouping; those of days are dates. */
const KEYS: Readonly<Record<string, string>> = { country: 'EG' }

async function answerFigures(route: Route): Promise<void> {
  const { from_date: from, to_date: to, granularity_type_key: step, grouping } = route.request().postDataJSON() as Asked
  const length = step === 1 ? DAY_MS / 24 : DAY_MS
  const count = Math.round((Date.parse(to) + DAY_MS - Date.parse(from)) / length)
  const valuesOf = (index: number) => ({ impressions: 1000 + 37 * index, clicks: 9 + index, ctr: 0.9, spent: 12.5, cpm: 12.1 })
  const points = Array.from({ length: count }, (_, index) => ({
    name: Date.parse(from) + index * length,
    values: valuesOf(index),
  }))
  const now = new Date().toISOString()
  const data = {
    points,
    totals: { ...valuesOf(count), impressions: 1000 * count },
    rows: [{ key: KEYS[grouping ?? ''] ?? from, label: 'Egypt', detail: null, url: null, values: valuesOf(count) }],
    current_page: 0,
    page_size: 25,
    total_size: 1,
    left_out: 0,
    time_zone: 'UTC',
    currency: 'USD',
    as_of: now,
    complete_through: now,
  }
  await route.fulfill({ json: { type: { code: 0, key: 'ok', message: 'OK' }, data } })
}

async function answerChanges(route: Route): Promise<void> {
  const { from_date: from } = route.request().postDataJSON() as Asked
  const campaigns = [{ id: 'campaign', name: 'Nile dinner cruise', count: 3 }]
  const data = { points: [{ name: Date.parse(from), count: 3, total_size: 12, campaigns }] }
  await route.fulfill({ json: { type: { code: 0, key: 'ok', message: 'OK' }, data } })
}

const delivered = (screen: Screen): Screen => ({
  ...screen,
  arrange: async (page: Page) => {
    await page.route(/\/v1\/(reports\/(total|dashboard|table)|campaign\/report)$/, answerFigures)
    await page.route('**/v1/reports/changes', answerChanges)
  },
})

const COMPARED = '/reports?compare=previous&metric=impressions,spent'

export const REPORTS: readonly Screen[] = [
  opened('report-compared', ['advertiser'], () => COMPARED, '[role=slider]'),
  opened('report-devices', ['advertiser'], () => '/reports?devices=2,3&step=hours', '[role=slider]'),
  opened(
    'report-table',
    ['advertiser'],
    () => COMPARED,
    'section[tabindex] table thead',
    'section button[role=radio]:has(.lucide-table-2)',
  ),
  opened(
    'report-filters',
    ['advertiser'],
    () => '/reports?devices=2',
    '[role=dialog] [role=checkbox]',
    'button[aria-haspopup=dialog]:has(.lucide-list-filter)',
  ),
  opened(
    'report-metrics',
    ['advertiser'],
    ({ running }) => `/reports?campaignId=${running}`,
    '[role=menuitemcheckbox]',
    'button[aria-haspopup=menu]:has(.lucide-columns-3)',
  ),
  opened(
    'report-changes',
    ['owner'],
    ({ running }) => `/reports?campaignId=${running}&metric=spent,ctr`,
    '[role=dialog] a',
    '[role=slider] ~ button',
  ),
].map(delivered)
