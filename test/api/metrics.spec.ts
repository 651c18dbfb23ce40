import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { STATUS, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { readQuery, readScrape, type Scrape } from '../support/exposition.ts'
import { anchorsOf } from '../support/markdown.ts'
import { root } from '../support/product-process.ts'
import { eventually, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
type Rules = { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] }
type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

const rules = (parse(read('deploy/alerts.yml')) as Rules).groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read('deploy/grafana/placard.json')) as Dashboard
const queries = dashboard.panels.flatMap((panel) => panel.targets ?? [])

/** Labels that Prometheus adds to each series, and its own metric. */
const OF_PROMETHEUS = ['instance', 'job']
const UP = 'up'

describe('the metrics', () => {
  let product: TestProduct
  let scrape: Scrape
  const scraped = async (): Promise<Scrape> => readScrape(await (await fetch(`${product.base}/metrics`)).text())
  const valueOf = ({ samples }: Scrape, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
    samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value

  beforeAll(async () => {
    product = await startTestProduct()
    await product.as('ada@nile.example')
    await product.database.pool.query(
      `insert into app.campaign_spend_totals (campaign_id, billed, overdelivered)
       select id, 12500000, 0 from rm_campaign_list on conflict (campaign_id) do update set billed = excluded.billed`,
    )
    scrape = await eventually(scraped, (found) => valueOf(found, 'placard_lease_held', { lease: 'policies' }) === 1)
  })
  afterAll(() => product.stop())

  it('the metrics follow the conventions of Prometheus: base units, _total for counters alone, a help text', () => {
    const own = [...scrape.families.values()].filter(({ name }) => name.startsWith('placard_'))
    expect(own.length).toBeGreaterThan(20)
    for (const { name, type, help } of own) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
      expect(name).not.toMatch(
        /_(ms|milliseconds?|minutes?|hours?|days?|kb|mb|kilobytes|percent|count|sum|bucket|info|gauge|counter)$/,
      )
      expect(help).toMatch(/^[A-Z0-9].{8,}[^.]$/)
    }
  })

  it('the metrics have every series of an own metric under the same labels', () => {
    for (const name of scrape.families.keys()) {
      if (!name.startsWith('placard_')) continue
      const labels = scrape.samples
        .filter((sample) => sample.family === name)
        .map((sample) =>
          Object.keys(sample.labels)
            .filter((label) => label !== 'le')
            .toSorted()
            .join(),
        )
      expect([name, new Set(labels).size <= 1]).toEqual([name, true])
    }
  })

  it('the metrics count connections by purpose, queues, leaders and open streams', async () => {
    expect(valueOf(scrape, 'placard_pool_connections', { purpose: 'calls' })).toBe(5)
    for (const name of ['placard_pool_connections_in_use', 'placard_pool_waiting'])
      expect(valueOf(scrape, name, { purpose: 'calls' })).toBeGreaterThanOrEqual(0)
    const [used = 0, limit = 0] = ['', '_limit'].map((end) => valueOf(scrape, `placard_postgres_connections${end}`))
    expect(used).toBeGreaterThan(0)
    expect(limit).toBeGreaterThan(used)
    for (const queue of ['charges', 'settlements', 'facts', 'security events', 'conversions']) {
      expect(valueOf(scrape, 'placard_queue_items', { queue })).toBeGreaterThanOrEqual(0)
      expect(valueOf(scrape, 'placard_queue_oldest_seconds', { queue })).toBeGreaterThanOrEqual(0)
    }
    expect(valueOf(scrape, 'placard_lease_held', { lease: 'projector campaign-list' })).toBe(1)
    expect(valueOf(scrape, 'placard_open_streams', { stream: 'live' })).toBe(0)
    expect(valueOf(scrape, 'placard_open_streams', { stream: 'delivery' })).toBe(0)

    const ada = await product.as('ada@nile.example')
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${ada.token}` }
    await fetch(`${product.base}/v1/stream`, { headers, signal: stop.signal })
    expect(valueOf(await scraped(), 'placard_open_streams', { stream: 'live' })).toBe(1)
    stop.abort()
    await eventually(scraped, (found) => valueOf(found, 'placard_open_streams', { stream: 'live' }) === 0)
  })

  it('the metrics count campaigns by status, and the space of the disks of the process', async () => {
    const inList = async () => {
      const { rows } = await product.database.pool.query<{ all: number; drafts: number }>(
        'select count(*)::int as all, count(*) filter (where status_key = 0)::int as drafts from rm_campaign_list',
      )
      return rows[0] ?? { all: 0, drafts: 0 }
    }
    const { all, drafts } = await inList()
    expect(drafts).toBeGreaterThan(0)
    expect(valueOf(scrape, 'placard_campaigns', { status: 'draft' })).toBe(drafts)
    const counted = STATUS_KEYS.map((key) => valueOf(scrape, 'placard_campaigns', { status: STATUS[key] }) ?? NaN)
    expect(counted.reduce((sum, campaigns) => sum + campaigns, 0)).toBe(all)
    // The list is read once a minute at most, however often it is scraped.
    const ada = await product.as('ada@nile.example')
    expect((await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).code).toBe(0)
    await expect.poll(async () => (await inList()).drafts).toBe(drafts + 1)
    expect(valueOf(await scraped(), 'placard_campaigns', { status: 'draft' })).toBe(drafts)
    for (const place of ['data', 'files'])
      for (const kind of ['free', 'used'])
        expect(valueOf(scrape, `placard_disk_${kind}_bytes`, { place })).toBeGreaterThan(1_000_000)
  })

  it('the metrics count what was billed by currency, in the currency', async () => {
    const { rows } = await product.database.pool.query<{ currency: string; campaigns: number }>(
      `select currency, count(*)::int as campaigns from app.campaign_spend_totals t
       join rm_campaign_list l on l.id = t.campaign_id join rm_accounts using (space_id) group by currency`,
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { currency, campaigns } of rows)
      expect(valueOf(scrape, 'placard_spend_total', { currency })).toBe(campaigns * 12.5)
  })

  it('the metrics count sign-ins that fail', async () => {
    const failed = (found: Scrape) => valueOf(found, 'placard_security_events_total', { type: 'sign-in-failed' })
    const before = failed(await scraped())
    expect(before).toBe(0)
    const body = new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: 'wrong' })
    await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
    expect(failed(await scraped())).toBe(1)
  })

  it.each([
    { file: 'deploy/alerts.yml', of: rules.map(({ alert, expr }) => ({ title: alert, expr })) },
    { file: 'deploy/grafana/placard.json', of: queries.map(({ expr }) => ({ title: expr, expr })) },
  ])('the metrics include each that $file reads, with the labels and values that it selects', ({ of }) => {
    expect(of.length).toBeGreaterThan(15)
    const namesOf = new Set([...scrape.families.keys(), ...scrape.samples.map(({ name }) => name)])
    const wrong: string[] = []
    for (const { title, expr } of of) {
      const { metrics, matchers } = readQuery(expr)
      if (metrics.length === 0) wrong.push(`${title}: no metric`)
      for (const metric of metrics) if (metric !== UP && !namesOf.has(metric)) wrong.push(`${title}: ${metric} does not exist`)
      for (const { metric, label, operator, value } of matchers) {
        const values = scrape.samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label])
        if (OF_PROMETHEUS.includes(label) || values.length === 0) continue
        if (values.every((one) => one === undefined)) wrong.push(`${title}: ${metric} has no label ${label}`)
        else if (operator === '=' && !values.includes(value)) wrong.push(`${title}: ${metric} has no ${label} ${value}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the alerts', () => {
  it('the alerts have names of their own, a severity, a summary, and a section of docs/alerts.md that says what to do', () => {
    const anchors = anchorsOf(read('docs/alerts.md'))
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, annotations, labels, ...rule } of rules) {
      expect(alert).toMatch(/^Placard[A-Za-z]+$/)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(rule.for ?? '1m').toMatch(/^\d+m$/)
      expect(annotations.summary).not.toBe('')
      expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
      expect([alert, anchors.has(alert.toLowerCase())]).toEqual([alert, true])
    }
  })

  it('the alerts include each that docs/alerts.md has a section of', () => {
    const sections = [...read('docs/alerts.md').matchAll(/^### (Placard\w+)$/gm)].map(([, name]) => name)
    expect(rules.map(({ alert }) => alert)).toEqual(sections)
  })

  it('the alerts are about metrics that docs/observing.md explains', () => {
    const page = read('docs/observing.md')
    const unexplained = [...rules, ...queries]
      .flatMap(({ expr }) => readQuery(expr).metrics)
      .map((metric) => metric.replace(/_(bucket|count|sum)$/, ''))
      .filter((metric) => metric.startsWith('placard_') && !page.includes(`\`${metric}\``))
    expect([...new Set(unexplained)]).toEqual([])
  })
})

describe('the dashboard', () => {
  const { panels, templating } = dashboard

  it('the dashboard has panels with ids and titles of their own, side by side', () => {
    for (const values of [panels.map(({ id }) => String(id)), panels.map(({ title }) => title)])
      expect(new Set(values).size).toBe(values.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true)
  })

  it('uses only variables that it declares', () => {
    const known = [...templating.list.map(({ name }) => name), '__rate_interval', '__all']
    const used = [...read('deploy/grafana/placard.json').matchAll(/\$\{?(\w+)/g)].map(([, name]) => name)
    expect([...new Set(used)].filter((name) => !known.includes(name ?? ''))).toEqual([])
  })
})

describe('reading a scrape', () => {
  const HEAD = '# HELP a_total A\n# TYPE a_total counter\n'

  it.each([
    ['a line without its TYPE', 'a_total 1\n'],
    ['a family twice', `${HEAD}a_total 1\n${HEAD}`],
    ['a TYPE without HELP', '# TYPE a_total counter\na_total 1\n'],
    ['a series twice', `${HEAD}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 2\n`],
    ['a label twice', `${HEAD}a_total{x="1",x="2"} 1\n`],
    ['a quote within a value', `${HEAD}a_total{x="1"2"} 1\n`],
    ['no value', `${HEAD}a_total\n`],
    ['no end of the last line', `${HEAD}a_total 1`],
  ])('refuses %s', (_what, text) => {
    expect(() => readScrape(text)).toThrow()
  })

  it('finds metrics, labels and values of a query', () => {
    const query = 'sum by (le, kind) (rate(a_bucket{b="c",d=~"5.."}[5m])) / max(e) > bool 0.5 and f offset 5m'
    expect(readQuery(query).metrics).toEqual(['a_bucket', 'e', 'f'])
    expect(readQuery('a{b="c"} > 1').matchers).toEqual([{ metric: 'a', label: 'b', operator: '=', value: 'c' }])
  })
})
