import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { asOfQuery, type Endpoint } from '#contract/http'
import { mayEver } from '#domain/kit/access'
import { MEASURES } from '#domain/delivery/batch'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import {
  expected,
  PERSONAS,
  SPACES,
  type ActionName,
  type Persona,
  type RoleName,
  type SpaceKey,
} from '../support/access-table.ts'
import { listen } from '../support/event-stream.ts'
import { LISTS, NO_LISTS, PERIOD, type ListCall, type OfWhiteLabel, type Shown } from '../support/lists.ts'
import { eventually, type Session } from '../support/product.ts'
import { insertRows } from '../support/rows.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

type Label = 'A' | 'B'
const labelOf = (space: SpaceKey): Label => (space.startsWith('A') ? 'A' : 'B')
const ID: Readonly<Record<Label, string>> = { A: 'dsp', B: 'other' }

/** Users of both white-labels, with the same roles. */
const STAFF_OF_B: readonly RoleName[] = ['WL_OWNER', 'WL_MODERATOR', 'WHITELABEL_ACCOUNTANT', 'AUDITOR']
const CALLERS: readonly Persona[] = [
  ...PERSONAS,
  ...STAFF_OF_B.map((role): Persona => ({ name: `B ${role}`, roles: [role], home: 'B1' })),
  ...(['A2', 'B1', 'B2'] as const).map((home): Persona => ({ name: `${home} USER_OWNER`, roles: ['USER_OWNER'], home })),
]
const OF_ACCOUNTS: readonly RoleName[] = ['USER_OWNER', 'ACCOUNTANT']
const isStaff = ({ roles }: Persona): boolean => roles.some((role) => !OF_ACCOUNTS.includes(role))

/** Impressions of each space: the digits of a sum name its spaces. */
const IMPRESSIONS: Readonly<Record<SpaceKey, number>> = { A1: 1, A2: 10, 'A house': 100, B1: 1000, B2: 10_000 }
/** Automatic refills are of this amount and the impressions, units. */
const REFILLS = 7_000_000
const spacesIn = (sum: number): readonly string[] => {
  const digits = [...String(sum)].reverse()
  const known = SPACES.filter((_, place) => digits[place] === '1')
  return known.reduce((total, space) => total + IMPRESSIONS[space], 0) === sum ? known : [`${sum} impressions`]
}

describe('lists without a space', () => {
  let world: World
  let marks: Readonly<Record<SpaceKey, readonly string[]>>
  let ofLabel: Readonly<Record<Label, Readonly<Record<OfWhiteLabel, string>>>>

  const as = (name: string): Session => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no user ${name}`)
    return session
  }
  const OWNERS: Readonly<Record<SpaceKey, string>> = {
    A1: 'USER_OWNER',
    A2: 'A2 USER_OWNER',
    'A house': 'WL_OWNER',
    B1: 'B1 USER_OWNER',
    B2: 'B2 USER_OWNER',
  }
  const query = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> =>
    (await world.product.database.pool.query<T>(text, [...values])).rows

  beforeAll(async () => {
    world = await startTwoWhiteLabels()
    for (const space of SPACES) await furnish(space)
    ofLabel = { A: await whiteLabelRows('A'), B: await whiteLabelRows('B') }
    marks = Object.fromEntries(await Promise.all(SPACES.map(async (space) => [space, await marksOf(space)]))) as typeof marks
  })
  afterAll(() => world.stop())

  /** Facts, an event, a message and a refill of a space. */
  async function furnish(space: SpaceKey): Promise<void> {
    const { spaceId, campaignId, invoiceId, registrantId } = world.targets[space]
    const owner = as(OWNERS[space])
    const { pool } = world.product.database
    const measures = Object.fromEntries(MEASURES.map((measure) => [measure, 0])) as Record<(typeof MEASURES)[number], number>
    const dimensions = { creative_id: 'c', size: '300x250', exchange: 'google', app_or_site: `site-${space}`, os: 'android' }
    await createPostgresFactStore(createKysely(pool)).store({
      id: newId(),
      facts: [
        {
          ...measures,
          ...dimensions,
          impressions: IMPRESSIONS[space],
          publisher: `publisher-${space}`,
          device_type_key: 3,
          country: 'EG',
          region: '',
          city: '',
          hour: `${PERIOD.from_date}T10:00:00.000Z`,
          campaign_id: campaignId,
          space_id: spaceId,
          whitelabel_id: ID[labelOf(space)],
          spent: 1,
          billed: 1,
          overdelivered: 0,
        },
      ],
    })
    const events = [{ name: `event_${space.replace(' ', '_')}`, id: `event-of-${spaceId}` }]
    expect((await owner.call('POST', '/v1/events', { space_id: spaceId, events })).code).toBe(0)
    if (space !== 'A house') expect((await owner.call('POST', '/v1/chat', { text: `From ${space}` })).code).toBe(0)
    await pool.query(
      `insert into rm_payments (id, space_id, whitelabel_id, amount, currency, card_id, origin, status, actor, created_at, refunded, version)
       values ($1, $2, $3, 5000000, 'USD', 'card', 'manual', 'succeeded', 'u', '2026-06-01T00:00:00.000Z', 0, 1)`,
      [`refill-of-${spaceId}`, spaceId, ID[labelOf(space)]],
    )
    const card = `card-of-${spaceId}`
    await query(
      `insert into app.cards (id, space_id, provider, customer_id, method_id, brand, last4, exp_month, exp_year, fingerprint, added_by, created_at)
       values ($1, $2, 'test', 'c', 'm', 'visa', '4242', 1, 2099, $1, 'u', now())`,
      [card, spaceId],
    )
    await query('insert into rm_account_cards (card_id, space_id, is_default, version) values ($1, $2, true, 1)', [card, spaceId])
    await query(
      `insert into rm_auto_refills (space_id, enabled, threshold, amount, monthly_limit, version)
       values ($1, true, 5000000, $2, 9000000000000000, 1)`,
      [spaceId, (REFILLS + IMPRESSIONS[space]) * 1_000_000],
    )
    const draft = { id: `draft-of-${spaceId}`, stage: 'draft', number: null }
    await insertRows(pool, 'rm_invoices', [draft], `id = '${invoiceId}'`)
    // Campaigns of an account that is not opened yet.
    const newcomer = {
      id: `registrant-of-${spaceId}`,
      email: `new-${spaceId}@registrants.example`,
      home_space_id: `new-${spaceId}`,
    }
    await insertRows(pool, 'identity.people', [newcomer], `id = '${registrantId}'`)
  }

  /** Rows that belong to a white-label, and to none of its spaces. */
  async function whiteLabelRows(label: Label): Promise<Readonly<Record<OfWhiteLabel, string>>> {
    const target = world.targets[`${label}1`]
    await query(
      `insert into app.second_person (id, whitelabel_id, space_id, kind, user_id, day, counted, state, command)
       values ($1, $2, $3, 'credit', 'someone', '', 0, 'pending', '{"kind": "credit", "amount": 5000000, "comment": "x"}')`,
      [`money-by-hand-${label}`, ID[label], target.spaceId],
    )
    await query(
      `insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
       values (now(), 'sign-in', $1, $2, '{}', 1)`,
      [ID[label], `security-event-${label}`],
    )
    const [staff] = await query<{ id: string }>(
      `select id from identity.people where whitelabel_id = $1 and 'WL_OWNER' = any(roles) and not 'SYSTEM_ADMIN' = any(roles)`,
      [ID[label]],
    )
    return {
      credential: await world.newCredential(target),
      webhook: await world.newWebhook(target),
      staff: staff?.id ?? '',
      'security event': `security-event-${label}`,
      'money by hand': `money-by-hand-${label}`,
    }
  }

  /** Ids and names that no user outside the reach of a space may see. */
  async function marksOf(space: SpaceKey): Promise<readonly string[]> {
    const { spaceId } = world.targets[space]
    const rows = await query<{ mark: string }>(
      `select id as mark from rm_campaign_list where space_id = $1 union all select id from rm_audiences where space_id = $1
       union all select id from rm_invoices where space_id = $1 union all select name from rm_accounts where space_id = $1
       union all select id from identity.people where home_space_id = $1
       union all select email from identity.people where home_space_id = $1`,
      [spaceId],
    )
    const own = ['event', 'payment', 'card', 'autoRefill', 'draft', 'newcomer', 'campaignName'] as const
    const texts = [spaceId, `publisher-${space}`, `site-${space}`, `From ${space}`]
    return [...texts, ...own.map((kind) => shown(kind, space) ?? spaceId), ...rows.map(({ mark }) => mark)]
  }

  /** Value that a list must show of a space; null where the space has none. */
  function shown(kind: Shown, space: SpaceKey): string | null {
    const target = world.targets[space]
    const isHouse = space === 'A house'
    const ids: Readonly<Record<Shown, string | null>> = {
      account: isHouse ? null : target.spaceId,
      campaign: target.campaignId,
      audience: target.audienceId,
      invoice: target.invoiceId,
      registrant: target.registrantId,
      newcomer: `registrant-of-${target.spaceId}`,
      draft: `draft-of-${target.spaceId}`,
      card: `card-of-${target.spaceId}`,
      autoRefill: String(REFILLS + IMPRESSIONS[space]),
      campaignName: `Of ${space}`,
      user: isHouse ? null : target.userId,
      event: `event_${space.replace(' ', '_')}`,
      payment: `refill-of-${target.spaceId}`,
    }
    return ids[kind]
  }

  type Received = {
    readonly status: number
    readonly code: number
    readonly text: string
    readonly data: Readonly<Record<string, unknown>>
  }
  async function ask(name: string, endpoint: Endpoint, { params, query: asked, body }: ListCall): Promise<Received> {
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, key: string) => params?.[key] ?? '')
    const response = await fetch(`${world.product.base}${path}?${new URLSearchParams(asked).toString()}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${as(name).token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.subarray(0, 2).toString() === 'PK' ? unzipped(bytes) : bytes.toString()
    if (!text.startsWith('{"')) return { status: response.status, code: 0, text, data: {} }
    const { type, data } = JSON.parse(text)
    return { status: response.status, code: type.code, text, data }
  }

  /** The sizes of audiences at a moment of the past are not known (fine print 62). */
  const withoutSizes = (data: unknown): unknown =>
    JSON.parse(JSON.stringify(data), (name, value) =>
      name === 'status_reasons' ? value.filter(({ key }: { readonly key: string }) => key !== 'audience_small') : value,
    )

  /** The spaces whose data the caller may see in an answer; null when the call is refused. */
  function inReach(caller: Persona, { action, home }: ListCall): readonly SpaceKey[] | null {
    const all = SPACES.filter((space) => expected(caller, { action, missing: 130 }, space) === 'allowed')
    if (all.length === 0) return null
    return home === true ? all.filter((space) => space === caller.home && !caller.name.startsWith('B ')) : all
  }

  // covers FP-68
  it('lists without a space are all known: a read of the contract without an id is in the matrix, or says why not', () => {
    const reads = ENDPOINTS.filter(
      ({ path, access, command, write, body }) =>
        access !== 'public' && command !== true && write !== true && body !== 'multipart' && !/\/:(?!exchange\/)/.test(path),
    ).map(({ id }) => id)
    expect(reads.filter((id) => LISTS[id] === undefined && NO_LISTS[id] === undefined)).toEqual([])
    expect([...Object.keys(LISTS), ...Object.keys(NO_LISTS)].filter((id) => !reads.includes(id))).toEqual([])
  })

  it.each(CALLERS)('lists without a space show $name the same as of now, where the log may be read', async (caller) => {
    const dated = ENDPOINTS.filter(({ id, query }) => LISTS[id] !== undefined && query === asOfQuery)
    expect(dated.map(({ id }) => id).sort()).toEqual(['account.list', 'campaign.adminList', 'campaign.list', 'invoice.list'])
    for (const endpoint of dated) {
      const list = LISTS[endpoint.id] as ListCall
      const then = await ask(caller.name, endpoint, { ...list, query: { ...list.query, as_of: '2199-01-01' } })
      const now = await ask(caller.name, endpoint, list)
      const mayReadLog = mayEver(caller, 'log.read')
      expect([endpoint.id, then.code, mayReadLog ? then.data : null]).toEqual([
        endpoint.id,
        mayReadLog || now.code !== 0 ? now.code : 3,
        mayReadLog ? withoutSizes(now.data) : null,
      ])
    }
  })

  // covers FP-68
  it.each(CALLERS)(
    'lists without a space show $name what is in reach, and nothing of other accounts and white-labels',
    async (caller) => {
      const faults: string[] = []
      for (const [id, list] of Object.entries(LISTS)) {
        const endpoint = ENDPOINTS.find((one) => one.id === id)
        if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`)
        const answer = await ask(caller.name, endpoint, list)
        const reach = inReach(caller, list)
        const say = (what: string) => faults.push(`${id}: ${what}`)
        if (reach === null) {
          if (answer.code !== 3) say(`answers ${answer.code}, and is forbidden`)
          continue
        }
        if (answer.code !== 0) {
          say(`answers ${answer.code} ${answer.text.slice(0, 200)}`)
          continue
        }
        for (const space of SPACES.filter(
          (one) => !reach.includes(one) && (!isStaff(caller) || labelOf(one) !== labelOf(caller.home)),
        )) {
          const leaked = marks[space].filter((mark) => answer.text.includes(mark))
          if (leaked.length > 0) say(`shows ${leaked.join(', ')} of ${space}`)
        }
        for (const kind of list.shows ?? [])
          for (const space of reach) {
            const mark = shown(kind, space)
            const isVisible = kind !== 'draft' || isStaff(caller)
            if (mark !== null && answer.text.includes(mark) !== isVisible)
              say(`${isVisible ? 'does not show' : 'shows'} the ${kind} of ${space}`)
          }
        if (list.figures === true) for (const wrong of wrongFigures(answer.data, reach)) say(wrong)
        if (list.ofWhiteLabel !== undefined)
          for (const label of ['A', 'B'] as const) {
            // System administrators name the white-label whose staff they want.
            const isOwn = list.ofWhiteLabel !== 'staff' || label === labelOf(caller.home)
            const isInReach = isOwn && reach.some((space) => labelOf(space) === label)
            if (answer.text.includes(ofLabel[label][list.ofWhiteLabel]) !== isInReach)
              say(`${isInReach ? 'does not show' : 'shows'} the ${list.ofWhiteLabel} of ${label}`)
          }
      }
      expect(faults).toEqual([])
    },
  )

  /** Sums of an answer that are not those of the spaces in reach. */
  function wrongFigures(data: Readonly<Record<string, unknown>>, reach: readonly SpaceKey[]): readonly string[] {
    type Values = { readonly values: { readonly impressions: number } }
    const { totals, points, rows } = data as {
      totals: { impressions: number }
      points: readonly Values[]
      rows: readonly Values[]
    }
    const sumOf = (all: readonly Values[]) => all.reduce((sum, { values }) => sum + values.impressions, 0)
    const sums = { totals: totals.impressions, points: sumOf(points), rows: sumOf(rows) }
    return Object.entries(sums)
      .filter(([name, sum]) => !(name !== 'totals' && sum === 0 && (name === 'rows' ? rows : points).length === 0))
      .filter(([, sum]) => spacesIn(sum).join() !== reach.join())
      .map(([name, sum]) => `${name} are those of ${spacesIn(sum).join()}`)
  }

  /** The condition for rows that a caller may count. */
  function inScope(caller: Persona, action: ActionName, column: string): string {
    const isAllowed = (space: SpaceKey) => expected(caller, { action, missing: 130 }, space) === 'allowed'
    if (SPACES.every(isAllowed)) return 'true'
    const ofLabelOf = SPACES.filter((space) => labelOf(space) === labelOf(caller.home))
    if (ofLabelOf.every(isAllowed)) return `whitelabel_id = '${ID[labelOf(caller.home)]}'`
    return `${column} = '${world.targets[caller.home].spaceId}'`
  }
  const count = async (table: string, where: string): Promise<number> =>
    (await query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))[0]?.n ?? -1
  const allowedTo = (action: ActionName): readonly Persona[] =>
    CALLERS.filter((caller) => expected(caller, { action, missing: 130 }, caller.home) === 'allowed')

  it.each(allowedTo('answer chats'))('lists without a space count for $name the conversations in reach', async (caller) => {
    const { data } = await as(caller.name).call<{ readonly waiting: number }>('GET', '/v1/chat/waiting')
    expect(data.waiting).toBe(await count('app.chats', inScope(caller, 'answer chats', 'person_id')))
  })

  it.each(allowedTo('search'))('lists without a space count for $name what waits in reach', async (caller) => {
    const { data } = await as(caller.name).call('POST', '/v1/whitelabel/search', {})
    const queued = 'rm_moderation_queue q join (select id, space_id from rm_campaign_list) l on l.id = q.campaign_id'
    expect(data).toMatchObject({
      campaigns_in_moderation_count: await count(queued, `submission is not null and ${inScope(caller, 'search', 'space_id')}`),
      registrants_in_moderation_count: await count(
        'identity.people',
        `status_key = 1 and ${inScope(caller, 'search', 'home_space_id')}`,
      ),
    })
  })

  it.each(allowedTo('read accounts'))(
    'lists without a space count for $name the accounts and registrants in reach',
    async (caller) => {
      const totals = await as(caller.name).call<{ readonly count: number }>('POST', '/v1/whitelabel/admin/accounts/totals', {})
      const opened = await count('rm_accounts', `not house and ${inScope(caller, 'read accounts', 'space_id')}`)
      const waiting = `status_key <> 5 and not exists (select from rm_accounts a where a.space_id = home_space_id)`
      expect(totals.data.count).toBe(
        opened + (await count('identity.people', `${waiting} and ${inScope(caller, 'read accounts', 'home_space_id')}`)),
      )
    },
  )

  // A second attempt must change something too.
  let budget = 77
  // covers FP-68
  it('each user gets the changes in reach by the stream, and no others', async () => {
    budget++
    const listeners = allowedTo('read campaigns')
    const streams = await Promise.all(listeners.map(({ name }) => listen(world.product.base, as(name))))
    for (const stream of streams) expect((await stream.next()).event).toBe('ready')
    for (const space of SPACES) {
      const { campaignId: id } = world.targets[space]
      expect((await as(OWNERS[space]).call('PUT', '/v1/campaign', { id, budget })).code).toBe(0)
    }
    const ids = SPACES.map((space) => world.targets[space].campaignId)
    await Promise.all(
      streams.map(async ({ messages, end, over }, i) => {
        const caller = listeners[i] as Persona
        const seen = () => SPACES.filter((_, n) => messages.some(({ data }) => data.includes(ids[n] ?? '-')))
        const wanted = inReach(caller, { action: 'read campaigns' }) ?? []
        await eventually(
          async () => seen(),
          (found) => wanted.every((space) => found.includes(space)),
        )
        end()
        await over
        expect([caller.name, ...seen()]).toEqual([caller.name, ...wanted])
      }),
    )
  })
})

/** The texts of the files in a ZIP archive. */
function unzipped(archive: Buffer): string {
  const texts: string[] = []
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? archive.readUInt32LE(at + offset) : archive.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(start, start + size)
    texts.push((archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes).toString())
    at += 46 + name + extra + comment
  }
  return texts.join('\n')
}
