import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { MEASURES, type Fact } from '#domain/delivery/batch'
import { initial } from '#domain/invoice/state'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import type { TestProduct } from './product.ts'

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

const DELIVERED = [
  { name: 'Cairo city breaks', impressions: 1000, clicks: 90, conversions: 30, billed: 5_000_000 },
  { name: 'Luxor by river', impressions: 3000, clicks: 30, conversions: 9, billed: 2_000_000 },
  { name: 'Aswan winter sun', impressions: 2000, clicks: 60, conversions: 5, billed: 9_000_000 },
] as const

type Measured = Readonly<Record<(typeof MEASURES)[number], number>>

export async function fillLists({ database, as }: TestProduct) {
  first = new Date(Date.now() - FIRST_DAYS_AGO * DAY_MS).toISOString().slice(0, 10)
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Record<string, string>[]> =>
    (await database.pool.query<Record<string, string>>(text, [...values])).rows
  /** Inserts rows; absent columns have their defaults. */
  const add = async (table: string, rows: readonly Row[]) => {
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    await query(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ])
  }
  /** Copies the row that satisfies a condition; `changes` is an expression of the row `t` and the number `n` of the copy. */
  const copy = async (table: string, condition: string, count: number, changes: string) => {
    const found = await query(
      `select attname from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'search_name'`,
      [table],
    )
    const columns = found.map(({ attname = '' }) => attname)
    await query(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((column) => `(jsonb_populate_record(t, ${changes})).${column}`).join(', ')}
       from ${table} t, generate_series(1, $1::int) n where ${condition}`,
      [count],
    )
  }

  const me = async (email: string) => (await (await as(email)).call<Record<string, string>>('GET', '/v1/user/me')).data
  const [ada, bola, moderator, owner] = await Promise.all(
    ['ada@nile', 'bola@lagos', 'moderator@dsp', 'owner@dsp'].map((name) => me(`${name}.example`)),
  )
  const idOf = (person: Record<string, string> | undefined) => person?.['id'] ?? ''
  const nile = ada?.['space_id'] ?? ''
  const lagos = bola?.['space_id'] ?? ''
  const campaigns = new Map((await query('select id, name from rm_campaign_list')).map(({ id = '', name = '' }) => [name, id]))
  const campaign = (name: string) => campaigns.get(name) ?? ''
  const place = { space_id: nile, whitelabel_id: 'dsp' }

  const facts: readonly Fact[] = DELIVERED.flatMap(({ name, ...measured }, c) =>
    times(30, (n) => ({
      ...(Object.fromEntries(MEASURES.map((measure, m) => [measure, 1 + ((n * 7 + m * 3 + c) % 11)])) as Measured),
      ...measured,
      ...place,
      spent: measured.billed,
      overdelivered: 0,
      campaign_id: campaign(name),
      hour: `${day(Math.floor(n / 10))}T10:00:00.000Z`,
      creative_id: `creative-${c}`,
      size: n % 2 === 0 ? '300x250' : '728x90',
      exchange: 'google',
      publisher: `Publisher ${n % 4}`,
      app_or_site: `site-${c}-${n % 10}.example`,
      device_type_key: [2, 3, 5][n % 3] ?? 2,
      os: 'android',
      country: 'EG',
      region: '',
      city: '',
    })),
  )
  await createPostgresFactStore(createKysely(database.pool)).store({ id: newId(), facts })

  // From tomorrow on, so that there is one of today also after midnight.
  const lastMonth = new Date()
  lastMonth.setUTCDate(0)
  const ages = [-1, 0, 1, 2, 4, 15, 45, 200, 500, Math.ceil((Date.now() - lastMonth.getTime()) / DAY_MS)]
  const people = times(30, (n) => ({
    id: `registrant-${n}`,
    whitelabel_id: 'dsp',
    home_space_id: `home-${n}`,
    roles: ['USER_OWNER'],
    first_name: 'Zoë',
    last_name: `Registrant ${n}`,
    email: `zoe-${n}@registrants.example`,
    company_name: n === 7 ? 'Zanzibar Ferries' : `Company ${n}`,
    status_key: (n % 3) + 1,
    created_at: new Date(Date.now() - (ages[n] ?? 900 + n) * DAY_MS).toISOString(),
  }))
  await add('identity.people', people)
  await add(
    'rm_registrations',
    people.map(({ id }, n) => ({
      person_id: id,
      whitelabel_id: 'dsp',
      currency: 'USD',
      status: 'submitted',
      submitted_at: noon(n),
      version: 1,
    })),
  )
  await add(
    'rm_accounts',
    times(4, (n) => ({
      space_id: `account-${n}`,
      whitelabel_id: 'dsp',
      name: ['Suspended Sails', 'Quiet Quays', 'Harbour Hotels', 'Windy Wharf'][n],
      currency: 'USD',
      house: false,
      balance: (4 - n) * 7_000_000,
      credit_limit: 0,
      settlements: 0,
      spent: [3, 9, 1, 5][n],
      settings: {},
      notices: [],
      movements: 0,
      assigned: 0,
      taxed: 0,
      suspended: n === 0,
      suspension_revision: 0,
      created_at: `2025-0${n + 1}-01T00:00:00.000Z`,
      version: 1,
    })),
  )
  await copy(
    'rm_account_history',
    `space_id = '${nile}' and version = 1`,
    30,
    `jsonb_build_object('version', 1000 + n, 'event_id', 'copy-' || n)`,
  )
  await add(
    'rm_account_ledger',
    times(48, (n) => ({
      space_id: nile,
      version: 1000 + n,
      event_id: `movement-${n}`,
      at: noon(n),
      type: MOVEMENT_TYPES[n % MOVEMENT_TYPES.length],
      amount: 1_000_000,
      balance_after: 1_000_000,
      actor: idOf(owner),
    })),
  )
  await add(
    'rm_invoices',
    times(60, (n) => {
      const state = n % 6
      const paid = state === 2 ? 9_000_000 : state === 3 ? 1_000_000 : 0
      const shown = {
        space_id: n % 4 === 0 ? lagos : nile,
        whitelabel_id: 'dsp',
        currency: 'USD',
        kind: 'invoice',
        stage: state === 0 ? 'draft' : state === 4 ? 'void' : 'issued',
        number: state === 0 ? null : `INV-${1000 + n}`,
        charge_from_date: day(n),
        charge_to_date: day(n),
        due_at: state === 5 ? noon(n) : '2099-01-01T00:00:00.000Z',
        total: 9_000_000,
        payable: 9_000_000,
      }
      return {
        ...shown,
        id: `invoice-${n}`,
        dated_at: noon(n),
        paid,
        credited: 0,
        payments: [],
        unfinished: false,
        changed_at: noon(n),
        state: { ...initial, ...shown, from: noon(n), to: noon(n + 1), payments: { one: { applied: paid, assigns: 0 } } },
        version: 1,
      }
    }),
  )
  await add(
    'rm_payments',
    times(25, (n) => ({
      id: `refill-${n}`,
      ...place,
      amount: 5_000_000,
      currency: 'USD',
      card_id: 'card',
      origin: 'refill',
      status: 'succeeded',
      actor: idOf(ada),
      created_at: noon(n),
      refunded: 0,
      disputes: {},
      version: 1,
    })),
  )
  await add(
    'rm_audiences',
    times(14, (n) => ({
      id: `audience-${n}`,
      ...place,
      kind: n % 2 === 0 ? 'static' : 'dynamic',
      name: n === 5 ? 'Island hoppers' : `Visitors ${n}`,
      folded_name: n === 5 ? 'island hoppers' : `visitors ${n}`,
      rules: null,
      status: (n % 3) + 1,
      ready: null,
      created_by: idOf(ada),
      created_at: noon(n),
      updated_at: noon(n),
      state: {},
      version: 1,
    })),
  )
  await add(
    'app.tracked_events',
    times(24, (n) => ({
      ...place,
      id: `event-${n}`,
      name: n % 2 === 0 ? 'search' : 'booking',
      time: noon(n),
      custom_parameters: {},
      source: 'server',
      visitor: '',
      received_at: noon(n),
    })),
  )
  await add(
    'app.notifications',
    times(60, (n) => ({
      person_id: idOf(ada),
      ...place,
      kind: n % 2 === 0 ? 'campaign-approved' : 'balance-low',
      cause: `cause ${n}`,
      data: { campaign_id: campaign('Luxor by river'), campaign: 'Luxor by river' },
      at: noon(n),
      created_at: noon(n),
      changed_at: noon(n),
      read_at: n % 3 === 0 ? noon(n) : null,
      in_app: true,
    })),
  )
  const waiting = campaign('Alexandria old town')
  await copy(
    'rm_campaign_list',
    `id = '${waiting}'`,
    30,
    `jsonb_build_object('id', t.id || '-' || n, 'name', 'Waiting ' || n, 'folded_name', 'waiting ' || n)`,
  )
  await copy('rm_campaign_states', `id = '${waiting}'`, 30, `jsonb_build_object('id', t.id || '-' || n)`)
  await copy(
    'rm_moderation_queue',
    `campaign_id = '${waiting}'`,
    30,
    `jsonb_build_object('campaign_id', t.campaign_id || '-' || n)`,
  )
  for (const [n, person] of [moderator, owner].entries())
    await query(
      `insert into app.review_assignments (campaign_id, whitelabel_id, moderation_start_at, person_id, changed_at)
       select campaign_id, whitelabel_id, moderation_start_at, $2, now() from rm_moderation_queue where campaign_id = $1`,
      [`${waiting}-${n + 1}`, idOf(person)],
    )
  await add(
    'app.second_looks',
    times(30, (n) => ({
      campaign_id: campaign('Luxor by river'),
      approval: 1000 + n,
      whitelabel_id: 'dsp',
      approver_id: idOf(moderator),
      approved_at: new Date().toISOString(),
      state: 'open',
    })),
  )
  await add(
    'app.scheduled_changes',
    times(60, (n) => ({
      id: `change-${n}`,
      person_id: idOf(ada),
      ...place,
      campaign_id: campaign(n % 2 === 0 ? 'Luxor by river' : 'Cairo city breaks'),
      act: { kind: 'pause' },
      due_at: `2099-01-01T00:00:${String(n).padStart(2, '0')}.000Z`,
      note: '',
      state: n > 56 ? 'done' : 'waiting',
      version: 1,
      created_at: noon(n),
      ended_at: n > 56 ? new Date().toISOString() : null,
      revision: n > 56 ? 2 : null,
    })),
  )
  const at = new Date().toISOString()
  await add(
    'app.jobs',
    times(25, (n) => ({
      kind: 'mail',
      key: `lost-${n}`,
      payload: {},
      created_at: at,
      run_at: at,
      tries: 4,
      error: 'refused',
      dead_at: at,
    })),
  )
  await add(
    'app.server_errors',
    times(25, (n) => ({
      at,
      host: 'here',
      pid: 1,
      request_id: `request-${n}`,
      route: 'GET /',
      status: 500,
      message: `fault ${n}`,
    })),
  )
  await add(
    'app.security_events',
    times(60, () => ({ at, type: 'sign-in', whitelabel_id: 'dsp', person_id: idOf(owner), details: {}, count: 1 })),
  )
  const chat = { whitelabel_id: 'dsp', last_at: at, last_text: 'Hello', waiting: true, read_by_person: 0, read_by_staff: 0 }
  await add('app.chats', [
    { ...chat, person_id: idOf(ada), messages: 120 },
    ...people.map(({ id }) => ({ ...chat, person_id: id, messages: 1 })),
  ])
  await add(
    'app.chat_messages',
    times(120, (n) => ({
      person_id: idOf(ada),
      number: n + 1,
      author_id: idOf(ada),
      from_staff: false,
      text: `Message ${n}`,
      at,
    })),
  )
  const owns = await as('ada@nile.example')
  for (const step of times(22, (n) => (n % 2 === 0 ? 'pause' : 'run')))
    await owns.call('POST', `/v1/campaign/${step}`, campaign('Cairo city breaks'))
  const labels = await owns.call<{ readonly id: string }>('POST', '/v1/labels', { name: 'Rivers', color: 'teal' })
  await owns.call('POST', '/v1/labels/campaigns', {
    changes: [{ campaign_id: campaign('Luxor by river'), add: [labels.data.id] }],
  })
  return { nile, lagos, ada: idOf(ada), moderator: idOf(moderator), campaign, facts, label: labels.data.id }
}
export type FilledLists = Awaited<ReturnType<typeof fillLists>>
