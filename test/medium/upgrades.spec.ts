import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { account, createAccountCommands } from '#commands/account/account-commands'
import { createLedgerCommands } from '#commands/account/ledger-commands'
import { settlementPolicy } from '#commands/delivery/settle'
import { createHandler } from '#commands/handle'
import { accountStream, type AccountEvent } from '#domain/account/account'
import { ledgerStream } from '#domain/account/ledger'
import { systemContext } from '#domain/kit/event-metadata'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId } from '#platform/ids'
import { createSettlements } from '#platform/delivery/settlements'
import { databaseBefore, type OldDatabase } from '../support/upgrade.ts'

const PEOPLE = `
  insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, password_hash) values
    ('ada', 'dsp', 's', '{USER_OWNER}', 'Ada', 'L', 'ada@x.com', 'h'), ('bob', 'dsp', 't', '{USER_OWNER}', 'Bob', 'M', 'bob@x.com', 'h'),
    ('258626a3-57e7-5299-9ca2-52c08965a05e', 'dsp', 'd', '{USER_OWNER}', 'D', 'E', 'demo@x.com', 'h')`
const EVENT = `
  insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
  values ('campaign-1', 1, '018f0000-0000-7000-8000-000000000001', 'X', 1, '{}', '{}')`
/** Shards of read models, and the number of streams that each parked. */
const SHARDS = `
  insert into es.subscriptions (name, generation, version, status, tables, shard, shards, position, parked) values
    ('three', 1, 1, 'live', '{}', 0, 3, 90, 1), ('three', 1, 1, 'live', '{}', 1, 3, 40, 0), ('three', 1, 1, 'live', '{}', 2, 3, 70, 2),
    ('one', 1, 1, 'live', '{}', 0, 1, 50, 1)`
const BATCHES = `
  insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered) select 'b' || n, '', 1, 1, 0 from generate_series(1, 12) n`
const CHARGES = 'insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount, impressions, settlement'

/** Rows that a database had when these migrations ran. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  '0090_log_kind': [EVENT],
  '0141_file_rooms': [
    `insert into app.files (id, space_id, sha256, bytes, content_type, name, created_by, created_at, entries) values
      ('plain', 's', 'aa', 10, 'image/png', 'a', 'ada', '2026-01-02T03:04:05Z', null),
      ('archive', 's', 'bb', 20, 'application/zip', 'b', 'ada', '2026-01-02T03:04:05Z',
        '{"index.html": {"sha256": "cc", "bytes": 7}, "a.png": {"sha256": "aa", "bytes": 5}}')`,
    `insert into app.whitelists (owner_kind, owner_id, name, content, sha256, created_by) values
      ('space', 's', 'l', '', 'x', 'ada'), ('campaign', 'c', 'l', '', 'x', 'ada')`,
  ],
  '0150_sessions': [
    PEOPLE,
    `insert into identity.sessions (token_hash, family, person_id, space_id, expires_at, used_at, revoked_at) values
      ('1', 'open', 'ada', 's', '2026-02-01Z', '2026-01-20Z', null), ('2', 'open', 'ada', 's', '2026-02-19Z', null, null),
      ('3', 'ended', 'bob', 't', '2026-02-10Z', null, '2026-01-30Z')`,
  ],
  '0151_signing_keys': [
    `insert into app.secrets (name, value, created_at) values ('token-signing', 'the key', '2026-01-02Z'), ('other', 'kept', now())`,
  ],
  '0155_one_checkpoint': [
    SHARDS,
    `insert into es.leases (name, owner, until) values ('projector/three/0', 'p', now()), ('policies', 'p', now())`,
  ],
  '0220_charged_hours': [
    BATCHES,
    `insert into app.delivery_charges (batch_id, space_id, campaign_id, amount, charged_at)
     values ('b12', 'oldest', 'c', 5, '2026-01-31T23:59:59.999Z'), ('b11', 'oldest', 'c', 6, '2026-02-01T00:00:00Z')`,
  ],
  '0281_reviewed_files': [
    `insert into app.files (id, space_id, sha256, bytes, content_type, name, created_by, claimed_at)
     values ('loose', 's', 'dd', 1, 'image/png', 'b', 'ada', null)`,
  ],
  '0290_payment_attempts': ['stripe', 'test'].flatMap((provider) => [
    `insert into app.cards
      (id, space_id, provider, customer_id, method_id, brand, last4, exp_month, exp_year, fingerprint, added_by, created_at)
     values ('${provider}', 's', '${provider}', 'cus', 'pm', 'visa', '4242', 1, 2030, 'f', 'ada', now())`,
    `insert into app.payment_customers (space_id, provider, customer_id) values ('s', '${provider}', 'cus')`,
  ]),
  '0340_notifications': [
    `update identity.people set settings = '{"notifications": {"balance": false, "moderation": true}}' where id = 'ada'`,
    `update identity.people set settings = '{"notifications": {"moderation": false}}' where id = 'bob'`,
  ],
  '0380_charged_hours': [
    `insert into app.settlements (space_id, number, recorded) values
      ('s', 1, true), ('s', 2, true), ('s', 3, true), ('s', 4, false), ('t', 1, true)`,
    `${CHARGES}, invoice_id, late) values
      -- One hour: on an invoice, in part without a count, then open, then in a settlement that is no part of the books yet, then in none.
      ('b1', 's', 'c', '2026-01-10T08:00Z', 5, 10, 1, 'A', false),
      ('b2', 's', 'c', '2026-01-10T08:00Z', 7, 20, 1, 'A', false),
      ('b3', 's', 'c', '2026-01-10T08:00Z', 3, null, 2, 'A', false),
      ('b4', 's', 'c', '2026-01-10T08:00Z', 4, 1, 3, null, false),
      ('b5', 's', 'c', '2026-01-10T08:00Z', 6, 1, 4, null, false),
      ('b6', 's', 'c', '2026-01-10T08:00Z', 9, 1, null, null, false),
      -- The same hour of another campaign: on two invoices in turn, once as a late charge.
      ('b1', 's', 'd', '2026-01-10T08:00Z', 100, 1, 1, 'A', false),
      ('b2', 's', 'd', '2026-01-10T08:00Z', 200, 2, 2, 'B', true),
      ('b3', 's', 'd', '2026-01-10T08:00Z', 400, 3, 3, 'B', false),
      -- Open between two settlements of one invoice: settlements stay in order.
      ('b1', 's', 'e', '2026-01-10T08:00Z', 1, 1, 1, 'A', false),
      ('b2', 's', 'e', '2026-01-10T08:00Z', 2, 1, 2, null, false),
      ('b3', 's', 'e', '2026-01-10T08:00Z', 4, 1, 3, 'A', false),
      -- Another hour, and another account.
      ('b4', 's', 'c', '2026-01-10T09:00Z', 8, 2, 3, null, false),
      ('b5', 's', 'c', '2026-01-10T09:00Z', 16, 2, 2, null, false),
      ('b7', 't', 'c', '2026-01-10T08:00Z', 32, 4, 1, null, false)`,
  ],
  '0410_fact_groups': [
    `insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, facts) values
      ('waits', '', 1, 1, 0, '[]'), ('stored', '', 1, 1, 0, null)`,
  ],
}

describe('an upgrade of a database with rows of each age', () => {
  let old: OldDatabase
  beforeAll(async () => {
    const [first = ''] = Object.keys(ROWS)
    old = await databaseBefore(first)
    for (const [migration, statements] of Object.entries(ROWS)) {
      await old.upgradeUntil(migration)
      for (const statement of statements) await old.pool.query(statement)
    }
    await old.upgrade()
  })
  afterAll(() => old.drop())
  const query = async (text: string) => (await old.pool.query<Readonly<Record<string, unknown>>>(text)).rows

  it('knows its log by its events', async () => {
    expect(await query('select kind from es.log_kind')).toEqual([{ kind: 'postgresql' }])
  })

  it('counts the disk of every file with its archive entries, and keeps all of them', async () => {
    expect(
      await query(`select id, disk_bytes::int, disk_files, stored, claimed_at = created_at as claimed
        from app.files where id <> 'loose' order by id`),
    ).toEqual([
      { id: 'archive', disk_bytes: 32, disk_files: 3, stored: true, claimed: true },
      { id: 'plain', disk_bytes: 10, disk_files: 1, stored: true, claimed: true },
    ])
    expect(await query(`select file_id || ' ' || sha256 as blob from app.file_blobs order by 1`)).toEqual(
      ['archive aa', 'archive bb', 'archive cc', 'plain aa'].map((blob) => ({ blob })),
    )
    // Processes of before do not claim what they save: for a day nothing is removed.
    expect(await query(`select since > now() + interval '23 hours' as later from app.file_purge`)).toEqual([{ later: true }])
  })

  it('finds a list of placements by the account that has it', async () => {
    expect(await query('select owner_kind, space_id from app.whitelists order by owner_kind')).toEqual([
      { owner_kind: 'campaign', space_id: null },
      { owner_kind: 'space', space_id: 's' },
    ])
  })

  it('takes files that a campaign named as reviewed, and no others', async () => {
    expect(await query('select id, reviewed_at is not null as reviewed from app.files order by id')).toEqual([
      { id: 'archive', reviewed: true },
      { id: 'loose', reviewed: false },
      { id: 'plain', reviewed: true },
    ])
  })

  it('keeps sessions signed in, with the age of their first token, and those that were revoked ended', async () => {
    const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD') as ${column}`
    expect(
      await query(
        `select id, person_id, ${day('started_at')}, ${day('expires_at')}, ${day('revoked_at')} from identity.session_families order by id`,
      ),
    ).toEqual([
      { id: 'ended', person_id: 'bob', started_at: '2026-01-11', expires_at: '2026-02-10', revoked_at: '2026-01-30' },
      { id: 'open', person_id: 'ada', started_at: '2026-01-02', expires_at: '2026-02-19', revoked_at: null },
    ])
    expect(await query('select email from identity.people where demo')).toEqual([{ email: 'demo@x.com' }])
  })

  it('verifies access tokens with the key that signed them', async () => {
    const kid = createHash('sha256').update('the key').digest('hex').slice(0, 16)
    expect(await query(`select kid, key, signs_from = '2026-01-02Z' as since, verifies_until from app.signing_keys`)).toEqual([
      { kid, key: 'the key', since: true, verifies_until: null },
    ])
    expect(await query('select name from app.secrets')).toEqual([{ name: 'other' }])
  })

  it('continues at the lowest checkpoint of the shards of a read model', async () => {
    expect(await query('select name, position::int, parked, shard, shards from es.subscriptions order by name')).toEqual([
      { name: 'one', position: 50, parked: 1, shard: 0, shards: 1 },
      { name: 'three', position: 40, parked: 3, shard: 0, shards: 1 },
    ])
    expect(await query('select name from es.leases')).toEqual([{ name: 'policies' }])
  })

  it('does not take cards of an unknown mode of Stripe for those of its keys', async () => {
    for (const table of ['cards', 'payment_customers'])
      expect(await query(`select provider from app.${table} order by 1`)).toEqual([
        { provider: 'stripe_unknown' },
        { provider: 'test' },
      ])
  })

  it('mails nothing that a user had switched off', async () => {
    expect(
      await query(`select person_id || ' ' || kind as choice, in_app, mail from app.notification_choices order by 1`),
    ).toEqual(
      ['ada balance-low', 'bob campaign-approved', 'bob campaign-rejected'].map((choice) => ({
        choice,
        in_app: true,
        mail: 'never',
      })),
    )
  })

  it('stores batches that waited for the fact store under their own ids', async () => {
    expect(await query(`select id, fact_group from app.delivery_batches where id in ('stored', 'waits') order by id`)).toEqual([
      { id: 'stored', fact_group: null },
      { id: 'waits', fact_group: 'waits' },
    ])
  })

  it('gives charges without an hour the hour in which they were made', async () => {
    expect(
      await query(`select amount::int, to_char(hour at time zone 'UTC', 'MM-DD HH24:MI') as hour
        from app.delivery_charges where space_id = 'oldest' order by amount`),
    ).toEqual([
      { amount: 5, hour: '01-31 23:00' },
      { amount: 6, hour: '02-01 00:00' },
    ])
  })

  it('sums settled charges by hour, apart by invoice, and leaves out what is not settled', async () => {
    const rows = await query(
      `select space_id, campaign_id, extract(hour from hour at time zone 'UTC')::int as hour,
         first_settlement || '-' || last_settlement as settlements, amount::int, impressions::int, invoice_id, late
       from app.charged_hours order by space_id, campaign_id, hour, first_settlement`,
    )
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
      's c 8 1-2 15  A false',
      's c 8 3-3 4 1  false',
      's c 9 2-3 24 4  false',
      's d 8 1-1 100 1 A false',
      's d 8 2-2 200 2 B true',
      's d 8 3-3 400 3 B false',
      's e 8 1-1 1 1 A false',
      's e 8 2-2 2 1  false',
      's e 8 3-3 4 1 A false',
      't c 8 1-1 32 4  false',
    ])
  })
})

it('an upgrade knows a log elsewhere by checkpoints without events', async () => {
  const old = await databaseBefore('0090_log_kind')
  onTestFinished(old.drop)
  await old.pool.query(
    `insert into es.subscriptions (name, generation, version, status, tables, position) values ('x', 1, 1, 'live', '{}', 7)`,
  )
  await old.upgrade()
  expect((await old.pool.query('select kind from es.log_kind')).rows).toEqual([{ kind: 'kurrentdb' }])
})

describe('the first settlement after an upgrade', () => {
  /**
   * An account with the settlements 1 to 3 of before the books, of 10, 20 and 40, and an open charge of 80. The process ended before it
   * marked the third as recorded; the account's own stream has the first `inStream` of them.
   */
  async function accountOfBefore(inStream: 2 | 3) {
    const old = await databaseBefore('0370_ledgers')
    onTestFinished(old.drop)
    await old.pool.query(BATCHES)
    await old.pool.query(
      `insert into app.settlements (space_id, number, recorded) values ('s', 1, true), ('s', 2, true), ('s', 3, false)`,
    )
    await old.pool.query(`${CHARGES}) values
      ('b1', 's', 'c', '2026-01-10T08:00Z', 10, 1, 1), ('b2', 's', 'c', '2026-01-10T08:00Z', 20, 1, 2),
      ('b3', 's', 'c', '2026-01-10T08:00Z', 40, 1, 3), ('b4', 's', 'c', '2026-01-10T08:00Z', 80, 1, null)`)
    await old.upgrade()

    const store = createMemoryEventStore()
    let time = '2026-02-03T00:00:00.000Z'
    const handle = createHandler({ store, now: () => time, eventId: (command, n) => derivedId('event', command, String(n)) })
    const accounts = createAccountCommands(handle)
    const context = (name: string) => systemContext('delivery', derivedId(name))
    const opened = { spaceId: 's', whitelabelId: 'w', name: 'S', currency: 'USD', house: false }
    await accounts.execute('s', context('open'), { type: 'OpenAccount', ...opened })
    const none = { count: 1, first: '', last: '', sha256: '' }
    const settled = (settlement: number, amount: number): AccountEvent => ({
      type: 'SpendSettled',
      data: { settlement, amount, charges: none, campaigns: [] },
    })
    for (const [i, amount] of [10, 20, 40].slice(0, inStream).entries())
      await handle(account, {
        stream: accountStream('s'),
        context: context(`settled ${i}`),
        decide: async () => ({ kind: 'events', events: [settled(i + 1, amount)] }),
      })
    const policy = settlementPolicy({
      settlements: createSettlements(old.db),
      accounts,
      ledgers: createLedgerCommands(handle),
      commandId: derivedId,
      now: () => time,
      everyMs: 0,
    })
    const settle = async () => {
      for (let acts = await policy.scan([]); acts.length > 0; acts = await policy.scan([]))
        for (const { act } of acts) await act()
    }
    return {
      settle,
      charge: (amount: number, batch: string) =>
        old.pool.query(`${CHARGES}) values ('${batch}', 's', 'c', '2026-02-03T08:00Z', ${amount}, 1, null)`),
      later: (instant: string) => (time = instant),
      books: async (month: string) =>
        (await store.readStream(ledgerStream('s', month))).map(({ type, data }) => ({ type, ...JSON.parse(data) })),
      hours: async () =>
        (
          await old.pool.query<{ amount: number; settlements: string }>(
            `select amount::int, first_settlement || '-' || last_settlement as settlements from app.charged_hours order by hour`,
          )
        ).rows,
      isRecorded: async () =>
        (await old.pool.query<{ done: boolean }>('select bool_and(recorded) as done from app.settlements')).rows[0]?.done,
    }
  }

  it('opens the books with what the account has, and takes the settlement that no stream has', async () => {
    const { books, hours, isRecorded, settle } = await accountOfBefore(2)
    await settle()
    expect(await books('202602')).toMatchObject([
      { type: 'LedgerOpened', settlements: 2, settled: 30, balance: -30, previous: null },
      { type: 'SpendSettled', settlement: 3, amount: 40 },
      { type: 'SpendSettled', settlement: 4, amount: 80 },
    ])
    expect(await hours()).toEqual([{ amount: 150, settlements: '1-4' }])
    expect(await isRecorded()).toBe(true)
  })

  it('is not refused for ever when the account has a settlement that was not marked as recorded', async () => {
    const { books, charge, hours, isRecorded, later, settle } = await accountOfBefore(3)
    await settle()
    expect(await books('202602')).toMatchObject([
      { type: 'LedgerOpened', settlements: 3, settled: 70, balance: -70, previous: null },
      { type: 'SpendSettled', settlement: 4, amount: 80 },
    ])
    expect(await hours()).toEqual([{ amount: 150, settlements: '1-4' }])
    expect(await isRecorded()).toBe(true)

    later('2026-03-01T00:00:00.000Z')
    await charge(160, 'b5')
    await settle()
    expect(await books('202603')).toMatchObject([
      { type: 'LedgerOpened', settlements: 4, settled: 150, balance: -150, previous: '202602' },
      { type: 'SpendSettled', settlement: 5, amount: 160 },
    ])
  })
})
