import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { MEASURES, type Fact } from '#domain/delivery/batch'
import { initial } from '#domain/invoice/state'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import type { TestProduct } from './product.ts'
import { insertRows } from './rows.ts'

/** More rows than the first page of any list holds, with different values in each field that a list is filtered or sorted by. */

type Row = Readonly<Record<string, unknown>>
const times = <T>(count: number, row: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => row(n))
const DAY_MS = 86_400_000
/** Within what the product keeps of everything. */
const FIRST_DAYS_AGO = 90
let first = ''
/** The nth day of the rows, the first one 90 days ago. Known once they are there. */
export const day = (n: number): string => new Date(Date.parse(first) + n * DAY_MS).toISOString().slice(0, 10)
const noon = (n: number) => `${day(n)}T12:00:00.000Z`

export const [CAIRO, LUXOR] = ['Cairo city breaks', 'Luxor by river'] as const
type Measure = (typeof MEASURES)[number]
const DELIVERED = [
  { name: CAIRO, impressions: 1000, clicks: 90, conversions: 30, billed: 5_000_000 },
  { name: LUXOR, impressions: 3000, clicks: 30, conversions: 9, billed: 2_000_000 },
  { name: 'Aswan winter sun', impressions: 2000, clicks: 60, conversions: 5, billed: 9_000_000 },
]

export async function fillLists({ database: { pool }, as }: TestProduct) {
  const at = new Date().toISOString()
  first = new Date(Date.now() - FIRST_DAYS_AGO * DAY_MS).toISOString().slice(0, 10)
  /** Inserts so many rows, which share these columns; those of `like` are copied from a row. */
  const add = (table: string, count: number, shared: Row, row: (n: number) => Row, like?: string) =>
    insertRows(
      pool,
      table,
      times(count, (n) => ({ ...shared, ...row(n) })),
      like,
    )

  const me = async (email: string) => (await (await as(email)).call<{ id: string; space_id: string }>('GET', '/v1/user/me')).data
  const { id: ada, space_id: nile } = await me('ada@nile.example')
  const { space_id: lagos } = await me('bola@lagos.example')
  const { id: moderator } = await me('moderator@dsp.example')
  const { id: owner } = await me('owner@dsp.example')
  const { rows } = await pool.query<{ id: string; name: string }>('select id, name from rm_campaign_list')
  const campaign = (name: string) => rows.find((row) => row.name === name)?.id ?? ''
  const place = { space_id: nile, whitelabel_id: 'dsp' }

  const where = { creative_id: 'creative', exchange: 'google', os: 'android', country: 'EG', region: '', city: '' }
  const measures = (n: number, c: number) =>
    Object.fromEntries(MEASURES.map((measure, m) => [measure, 1 + ((n * 7 + m * 3 + c) % 11)])) as Record<Measure, number>
  const facts: readonly Fact[] = DELIVERED.flatMap(({ name, ...measured }, c) =>
    times(30, (n) => ({
      ...measures(n, c),
      ...measured,
      ...place,
      ...where,
      spent: measured.billed,
      overdelivered: 0,
      campaign_id: campaign(name),
      hour: `${day(Math.floor(n / 10))}T10:00:00.000Z`,
      size: n % 2 === 0 ? '300x250' : '728x90',
      publisher: `Publisher ${n % 4}`,
      app_or_site: `site-${c}-${n % 10}.example`,
      device_type_key: [2, 3, 5][n % 3] ?? 2,
    })),
  )
  await createPostgresFactStore(createKysely(pool)).store({ id: newId(), facts })

  // From tomorrow on, so that there is one of today also after midnight.
  const ages = [-1, 0, 1, 2, 4, 15, 45, 200, 500, new Date().getUTCDate()]
  await add('identity.people', 30, { whitelabel_id: 'dsp', roles: ['USER_OWNER'], first_name: 'Zoë', last_name: 'New' }, (n) => ({
    id: `registrant-${n}`,
    home_space_id: `home-${n}`,
    email: `zoe-${n}@registrants.example`,
    company_name: n === 7 ? 'Zanzibar Ferries' : `Company ${n}`,
    status_key: (n % 3) + 1,
    created_at: new Date(Date.now() - (ages[n] ?? 900 + n) * DAY_MS).toISOString(),
  }))
  const submitted = { whitelabel_id: 'dsp', currency: 'USD', status: 'submitted', version: 1 }
  await add('rm_registrations', 30, submitted, (n) => ({ person_id: `registrant-${n}`, submitted_at: noon(n) }))
  const account = (n: number) => ({
    space_id: `account-${n}`,
    name: ['Suspended Sails', 'Quiet Quays', 'Harbour Hotels', 'Windy Wharf'][n],
    balance: (4 - n) * 7_000_000,
    spent: [3, 9, 1, 5][n],
    suspended: n === 0,
    created_at: `2025-0${n + 1}-01T00:00:00.000Z`,
  })
  await add('rm_accounts', 4, {}, account, `space_id = '${lagos}'`)
  const history = (n: number) => ({ version: 1000 + n, event_id: `copy-${n}` })
  await add('rm_account_history', 30, {}, history, `space_id = '${nile}' and version = 1`)
  const moved = { space_id: nile, amount: 1_000_000, balance_after: 1_000_000, actor: owner }
  const kind = (n: number) => MOVEMENT_TYPES[n % MOVEMENT_TYPES.length]
  await add('rm_account_ledger', 48, moved, (n) => ({ ...history(n), at: noon(n), type: kind(n) }))
  const billed = { whitelabel_id: 'dsp', currency: 'USD', kind: 'invoice', total: 9_000_000, payable: 9_000_000 }
  await add('rm_invoices', 60, { ...billed, credited: 0, payments: [], unfinished: false, version: 1 }, (n) => {
    const state = n % 6
    const paid = state === 2 ? 9_000_000 : state === 3 ? 1_000_000 : 0
    const shown = {
      space_id: n % 4 === 0 ? lagos : nile,
      stage: state === 0 ? 'draft' : state === 4 ? 'void' : 'issued',
      number: state === 0 ? null : `INV-${1000 + n}`,
      due_at: state === 5 ? noon(n) : '2099-01-01T00:00:00.000Z',
      charge_from_date: day(n),
      charge_to_date: day(n),
    }
    const period = { from: noon(n), to: noon(n + 1), payments: { one: { applied: paid, assigns: 0 } } }
    const row = { id: `invoice-${n}`, dated_at: noon(n), changed_at: noon(n), paid }
    return { ...shown, ...row, state: { ...initial, ...billed, ...shown, ...period } }
  })
  const refill = {
    ...place,
    amount: 5_000_000,
    currency: 'USD',
    card_id: 'card',
    origin: 'refill',
    status: 'succeeded',
    actor: ada,
  }
  const refilled = (n: number) => ({ id: `refill-${n}`, created_at: noon(n) })
  await add('rm_payments', 25, { ...refill, refunded: 0, disputes: {}, version: 1 }, refilled)
  await add('rm_audiences', 14, { ...place, rules: null, ready: null, created_by: ada, state: {}, version: 1 }, (n) => ({
    id: `audience-${n}`,
    kind: n % 2 === 0 ? 'static' : 'dynamic',
    name: n === 5 ? 'Island hoppers' : `Visitors ${n}`,
    status: (n % 3) + 1,
    created_at: noon(n),
    updated_at: noon(n),
  }))
  await add('app.tracked_events', 24, { ...place, custom_parameters: {}, source: 'server', visitor: '' }, (n) => ({
    id: `event-${n}`,
    name: n % 2 === 0 ? 'search' : 'booking',
    mark: n % 8 === 7 ? 'origin' : null,
    time: noon(n),
    received_at: noon(n),
  }))
  const about = { data: { campaign_id: campaign(LUXOR), campaign: LUXOR }, in_app: true }
  await add('app.notifications', 60, { ...place, ...about, person_id: ada }, (n) => ({
    kind: n % 2 === 0 ? 'campaign-approved' : 'balance-low',
    cause: `cause ${n}`,
    at: noon(n),
    created_at: noon(n),
    changed_at: noon(n),
    read_at: n % 3 === 0 ? noon(n) : null,
  }))
  const waiting = campaign('Alexandria old town')
  const waits = (n: number) => ({ id: `${waiting}-${n}`, name: `Waiting ${n}` })
  await add('rm_campaign_list', 30, {}, waits, `id = '${waiting}'`)
  await add('rm_campaign_states', 30, {}, (n) => ({ id: `${waiting}-${n}` }), `id = '${waiting}'`)
  await add('rm_moderation_queue', 30, {}, (n) => ({ campaign_id: `${waiting}-${n}` }), `campaign_id = '${waiting}'`)
  await pool.query(
    `insert into app.review_assignments (campaign_id, whitelabel_id, moderation_start_at, person_id, changed_at)
     select campaign_id, whitelabel_id, moderation_start_at, person_id, now()
     from (values ($1 || '-1', $2), ($1 || '-2', $3)) assigned (campaign_id, person_id) join rm_moderation_queue using (campaign_id)`,
    [waiting, moderator, owner],
  )
  const approved = { campaign_id: campaign(LUXOR), whitelabel_id: 'dsp', approver_id: moderator, approved_at: at, state: 'open' }
  await add('app.second_looks', 30, approved, (n) => ({ approval: 1000 + n }))
  await add('app.scheduled_changes', 60, { ...place, person_id: ada, act: { kind: 'pause' }, note: '', version: 1 }, (n) => ({
    id: `change-${n}`,
    campaign_id: campaign(n % 2 === 0 ? LUXOR : CAIRO),
    due_at: `2099-01-01T00:00:${String(n).padStart(2, '0')}.000Z`,
    created_at: noon(n),
    ...(n > 56 ? { state: 'done', ended_at: at, revision: 2 } : { state: 'waiting', ended_at: null, revision: null }),
  }))
  const dead = { kind: 'mail', payload: {}, created_at: at, run_at: at, tries: 4, error: 'refused', dead_at: at }
  await add('app.jobs', 25, dead, (n) => ({ key: `lost-${n}` }))
  const fault = { at, host: 'here', pid: 1, route: 'GET /', status: 500 }
  await add('app.server_errors', 25, fault, (n) => ({ request_id: `request-${n}`, message: `fault ${n}` }))
  const signIn = { at, type: 'sign-in', whitelabel_id: 'dsp', person_id: owner, details: {}, count: 1 }
  await add('app.security_events', 60, signIn, () => ({}))
  const chat = { whitelabel_id: 'dsp', last_at: at, last_text: 'Hello', waiting: true, read_by_person: 0, read_by_staff: 0 }
  await add('app.chats', 31, chat, (n) =>
    n === 30 ? { person_id: ada, messages: 120 } : { person_id: `registrant-${n}`, messages: 1 },
  )
  const message = { person_id: ada, author_id: ada, from_staff: false, at }
  await add('app.chat_messages', 120, message, (n) => ({ number: n + 1, text: `Message ${n}` }))

  const owns = await as('ada@nile.example')
  for (const step of times(22, (n) => (n % 2 === 0 ? 'pause' : 'run')))
    await owns.call('POST', `/v1/campaign/${step}`, campaign(CAIRO))
  const { id: label } = (await owns.call<{ readonly id: string }>('POST', '/v1/labels', { name: 'Rivers', color: 'teal' })).data
  await owns.call('POST', '/v1/labels/campaigns', { changes: [{ campaign_id: campaign(LUXOR), add: [label] }] })
  return { nile, lagos, ada, moderator, campaign, facts, label }
}
export type FilledLists = Awaited<ReturnType<typeof fillLists>>
