import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { FeedEntry } from '#contract/audit-feed'
import { someEvent } from '../support/events.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Feed = { readonly entries: readonly FeedEntry[]; readonly next: string | null; readonly head: string }

let product: TestProduct
let ada: Session
let owner: Session
let auditor: Session
let admin: Session
let nile: string
let campaign: string

beforeAll(async () => {
  product = await startTestProduct()
  ;[ada, owner, auditor, admin] = (await Promise.all(
    ['ada@nile', 'owner@dsp', 'auditor@dsp', 'admin@dsp'].map((name) => product.as(`${name}.example`)),
  )) as [Session, Session, Session, Session]
  nile = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  const body = await publishable(product.base, ada, { name: '=HYPERLINK("https://evil.example")' })
  campaign = (await ada.call('POST', '/v1/campaign', body)).data.id
  await ada.call('PUT', '/v1/campaign', { id: campaign, budget: 61 })
  await owner.call('PUT', '/v1/campaign', { id: campaign, test_devices: ['device-one'] })
  await owner.call('PUT', `/v1/space/${nile}/credit-limit`, { credit_limit: 100 })
  await owner.call('PUT', `/v1/space/${nile}/credit-limit`, { credit_limit: 250.5 })
  await owner.call('PUT', '/v1/whitelabel/dsp', { name: 'Nile Ads' })
  await owner.call('PUT', '/v1/whitelabel/dsp', { name: 'Delta Ads' })
  const draft = { space_id: nile, charge_from_date: '2026-01-01', charge_to_date: '2026-01-31' }
  await owner.call('POST', '/v1/invoice/create', draft)
  // Another white-label, and an account of it.
  const store = createPostgresEventStore(product.database)
  const opened = { space_id: 'ng-space', whitelabel_id: 'ng', name: 'Ng Foods', currency: 'USD', house: false }
  await store.append({ stream: 'account-ng-space', expected: 0, events: [eventOf('AccountOpened', opened)] })
  await store.append({ stream: 'ledger-ng-space-202601', expected: 0, events: [eventOf('LedgerClosed', { count: 0 })] })
  await store.close()
})
afterAll(() => product.stop())

const eventOf = (type: string, data: object) =>
  someEvent({
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify({
      actor: 'system:test',
      role: 'SYSTEM',
      on_behalf_of: null,
      source: 'policy',
      at: '2026-03-01T00:00:00.000Z',
      revision: 1,
      index: 0,
      hash: 'h',
    }),
  })

const feed = async (session: Session, query: Readonly<Record<string, string>> = {}): Promise<Feed> => {
  const answer = await session.call<Feed>('GET', `/v1/audit/feed?${new URLSearchParams(query)}`)
  expect([answer.code, answer.status]).toEqual([0, 200])
  return answer.data
}

/** Every entry, page by page, up to this position. */
async function everyEntry(
  session: Session,
  query: Readonly<Record<string, string>>,
  upTo: bigint,
): Promise<readonly FeedEntry[]> {
  const descending = query.order === 'desc'
  const found: FeedEntry[] = []
  let at: Readonly<Record<string, string>> = descending
    ? { before: String(upTo + 1n) }
    : { before: String(upTo + 1n), after: '0' }
  for (let pages = 0; pages < 1000; pages++) {
    const { entries, next } = await feed(session, { ...query, ...at })
    expect(entries.length).toBeLessThanOrEqual(Number(query.limit ?? 100))
    found.push(...entries)
    if (next === null) return found
    at = descending ? { before: next } : { ...at, after: next }
  }
  throw new Error('the feed does not end')
}

describe('the audit feed', () => {
  it('lists every event of the log once, in both orders and in pages of any size', async () => {
    const { rows } = await product.database.pool.query<{ position: string }>(
      'select position::text from es.events e order by e.position',
    )
    const expected = rows.map(({ position }) => position)
    const last = BigInt(expected.at(-1) ?? 0)
    await eventually(
      () => feed(admin, { limit: '1' }),
      ({ head }) => BigInt(head) >= last,
    )
    const positions = async (query: Readonly<Record<string, string>>) =>
      (await everyEntry(admin, query, last)).map(({ position }) => position)
    for (const limit of ['1000', '37']) expect(await positions({ limit })).toEqual(expected)
    expect(await positions({ limit: '61', order: 'desc' })).toEqual(expected.toReversed())
  })

  it('shows of each event of a campaign what the log says', async () => {
    const { rows } = await product.database.pool.query<{ version: number; type: string; metadata: Record<string, string> }>(
      'select version, type, metadata::json as metadata from es.events where stream_id = $1 order by version',
      [`campaign-${campaign}`],
    )
    const of = { kind: 'campaign', subject_id: campaign, whitelabel_id: 'dsp', space_id: nile }
    const expected = rows.map(({ version, type, metadata: { actor = '', role, source, at, revision, on_behalf_of, hash } }) => ({
      ...of,
      version,
      type,
      role,
      source,
      at,
      revision,
      on_behalf_of,
      hash,
      actor_id: actor.startsWith('system:') ? null : actor,
    }))
    expect(expected.length).toBeGreaterThan(2)
    expect((await feed(auditor, { kind: 'campaign', subject: campaign, limit: '1000' })).entries).toMatchObject(expected)
  })

  it('shows a changed credit limit with its values before and after, in micros', async () => {
    const { entries } = await feed(auditor, { type: 'CreditLimitChanged', space: nile })
    expect(
      entries.map(({ changes, author, subject_name, space_name }) => ({ changes, author, subject_name, space_name })),
    ).toEqual([
      {
        changes: [{ path: 'credit_limit', from: 0, to: 100_000_000 }],
        author: 'Olivia Mbeki',
        subject_name: 'Nile Travel',
        space_name: 'Nile Travel',
      },
      {
        changes: [{ path: 'credit_limit', from: 100_000_000, to: 250_500_000 }],
        author: 'Olivia Mbeki',
        subject_name: 'Nile Travel',
        space_name: 'Nile Travel',
      },
    ])
  })

  it('shows the values before and after of a campaign and of a white-label', async () => {
    const { entries: saved } = await feed(auditor, { kind: 'campaign', subject: campaign, field: 'budget' })
    expect(saved.filter(({ type }) => type === 'CampaignUpdated').map(({ changes }) => changes)).toEqual([
      [{ path: 'budget', from: 50_000_000, to: 61_000_000 }],
    ])
    const { entries: named } = await feed(auditor, { kind: 'white-label', field: 'name' })
    expect(named.map(({ changes, subject_name, space_id }) => ({ changes, subject_name, space_id })).slice(-1)).toEqual([
      { changes: [{ path: 'name', from: 'Nile Ads', to: 'Delta Ads' }], subject_name: 'Delta Ads', space_id: null },
    ])
  })

  it('shows personal values of a campaign in plain text', async () => {
    const { entries } = await feed(auditor, { kind: 'campaign', subject: campaign, field: 'test_devices', order: 'desc' })
    expect(entries[0]?.changes.find(({ path }) => path === 'test_devices')?.to).toEqual(['device-one'])
    const { rows } = await product.database.pool.query(`select 1 from es.events where data::text like '%device-one%'`)
    expect(rows).toEqual([])
  })

  it('resumes after the head that an end named, with no event twice or left out', async () => {
    const { head } = await feed(auditor, { kind: 'campaign', subject: campaign, after: '0' })
    await ada.call('PUT', '/v1/campaign', { id: campaign, budget: 62 })
    await auditor.call('GET', `/v1/campaign/${campaign}`)
    const later = await eventually(
      () => feed(auditor, { kind: 'campaign', subject: campaign, after: head }),
      ({ entries }) => entries.length > 0,
    )
    expect(later.entries.flatMap(({ changes }) => changes)).toContainEqual({ path: 'budget', from: 61_000_000, to: 62_000_000 })
  })

  it('keeps each white-label to itself', async () => {
    const all = await feed(admin, { limit: '1000' })
    expect(all.entries.some(({ whitelabel_id }) => whitelabel_id === 'ng')).toBe(true)
    for (const session of [owner, auditor]) {
      const { entries } = await feed(session, { limit: '1000' })
      expect(new Set(entries.map(({ whitelabel_id }) => whitelabel_id))).toEqual(new Set(['dsp']))
      expect((await feed(session, { space: 'ng-space' })).entries).toEqual([])
      expect((await feed(session, { kind: 'account', subject: 'ng-space' })).entries).toEqual([])
      expect((await session.call('GET', '/v1/audit/feed?whitelabel_id=ng')).code).toBe(131)
    }
    const { entries } = await feed(admin, { whitelabel_id: 'ng' })
    expect(entries.map(({ kind, space_id }) => [kind, space_id])).toEqual([
      ['account', 'ng-space'],
      ['ledger', 'ng-space'],
    ])
    expect((await ada.call('GET', '/v1/audit/feed')).code).toBe(3)
  })

  it('refuses lists, instants, positions and limits that it cannot read', async () => {
    const refusals = [
      'type=a,,b',
      'field=',
      'from=yesterday',
      'to=2026-02-30',
      'after=x',
      'before=-1',
      'limit=1001',
      'limit=0',
      'order=up',
      'kind=chat',
    ]
    for (const query of refusals)
      expect([query, (await auditor.call('GET', `/v1/audit/feed?${query}`)).status]).toEqual([query, 400])
  })

  it('answers the same entries as CSV, which no spreadsheet reads as formulas', async () => {
    const get = (query: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${product.base}/v1/audit/feed?${query}`, { headers: { authorization: `Bearer ${auditor.token}`, ...headers } })
    const subject = `kind=campaign&subject=${campaign}`
    const byFormat = await get(`${subject}&format=csv`)
    expect([byFormat.status, byFormat.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(byFormat.headers.get('content-disposition')).toBe('attachment; filename="audit-feed.csv"')
    const bytes = Buffer.from(await byFormat.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(Buffer.from(await (await get(subject, { accept: 'text/csv' })).arrayBuffer()).equals(bytes)).toBe(true)
    const rows = rowsOf(bytes.toString())
    const { entries } = await feed(auditor, { kind: 'campaign', subject: campaign, limit: '1000' })
    expect(rows.length).toBe(entries.reduce((sum, { changes }) => sum + Math.max(1, changes.length), 0))
    expect([...new Set(rows.map(({ position }) => position))]).toEqual(entries.map(({ position }) => position))
    const name = rows.find(({ path }) => path === 'name')
    expect(name?.to).toBe(`'=HYPERLINK("https://evil.example")`)
    expect(rows.findLast(({ path }) => path === 'test_devices')?.to).toBe('["device-one"]')
    const descending = rowsOf(await (await get('format=csv&order=desc')).text())
    const positions = [...new Set(descending.map(({ position }) => BigInt(position ?? 0)))]
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? 1 : -1)))
    expect(positions.length).toBeGreaterThan(50)
  })
})

/** Records of a CSV file, by the names in its first line. */
function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
  }
  const [header = [], ...rows] = lines
  return rows
    .filter((row) => row.length === header.length)
    .map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])))
}
