import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERASERS } from '#api/areas/index'
import { ConfigFault } from '#commands/config-fault'
import { openRow, SEALED_COLUMNS, sealRow, type SealedTable } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createDataKey, type DataKey } from '#platform/identity/data-key'
import { erasePerson } from '#platform/identity/erasure'
import { createPeople, phoneOf } from '#platform/identity/people'
import { createProfiles } from '#platform/identity/profiles'
import { sealStored } from '#platform/identity/seal-stored'
import { createOnce } from '#platform/limits/once'
import { createMailStore } from '#platform/mail/mail-store'
import { queueMail } from '#platform/mail/mail-queue'
import { createRegistrationStore } from '#platform/registration/registration-store'
import { tablesWith } from '../support/database-search.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const KEYS = { old: randomBytes(32), new: randomBytes(32) }
const NONE = createDataKey([])
const OLD = createDataKey([KEYS.old])
const BOTH = createDataKey([KEYS.new, KEYS.old])
const NEW = createDataKey([KEYS.new])

/** More than two pages. */
const MANY = 1200
const phoneOfNumber = (n: number) => `+2012${String(n).padStart(6, '0')}`

/** Fine print 94. */
describe('sealed columns', () => {
  let database: TestDatabase
  const dbOf = (dataKey: DataKey): Kysely<Db> => createKysely(database.pool, { dataKey })
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    await database.pool.query(
      'truncate identity.people, identity.legal_entities, identity.invoice_parties, app.mails, app.registration_requests, app.jobs, app.answers cascade',
    )
  })

  const person = (id: string, phone: string | null, email = `${id}@dsp.example`) => ({
    id,
    whitelabel_id: 'dsp',
    home_space_id: id,
    roles: ['USER_OWNER' as const],
    first_name: 'Some',
    last_name: 'Body',
    email,
    phone,
  })

  /** Rows as a build before these columns were sealed stored them. */
  async function storeAsBefore(people: number): Promise<void> {
    await database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, phone)
       select 'p' || n, 'dsp', 's' || n, '{USER_OWNER}', 'Some', 'Body', n || '@dsp.example', '+2012' || lpad(n::text, 6, '0')
       from generate_series(1, $1::int) n`,
      [people],
    )
    await database.pool.query(`insert into identity.legal_entities (space_id, legal_entity_name, tin_number, city, country)
      values ('s1', 'Quillon Kites', 'EG-771', 'Zerzura', 'EG')`)
    await database.pool.query(`insert into identity.invoice_parties (document_id, space_id, parties)
      values ('d1', 's1', '{"buyer": {"city": "Zerzura"}}')`)
    await database.pool.query(`insert into app.mails (id, whitelabel_id, address, template, data)
      values ('m1', 'dsp', 'ledger@kiosk.example', 'invoice', '{"number": "Q-1"}')`)
    await database.pool.query(`insert into app.registration_requests (id, whitelabel_id, context, form)
      values ('r1', 'dsp', '{}', '{"phone": "+2011"}')`)
  }

  /** Every value of a sealed column as it is stored, with its row. */
  async function stored(): Promise<readonly { readonly place: string; readonly value: string }[]> {
    const found = Object.entries<SealedTable>(SEALED_COLUMNS).flatMap(([table, { id, texts, json }]) =>
      [...texts, ...json].map((column) =>
        sql<{ place: string; value: string }>`
          select ${`${table}.${column} `} || ${id === null ? sql`'of several'` : sql.ref(id)} as place,
            to_jsonb(${sql.ref(column)}) #>> '{}' as value
          from ${sql.table(table)} where to_jsonb(${sql.ref(column)}) #>> '{}' <> '' order by 1`.execute(dbOf(NONE)),
      ),
    )
    return (await Promise.all(found)).flatMap(({ rows }) => rows)
  }
  const plainOf = (rows: Awaited<ReturnType<typeof stored>>) => rows.filter(({ value }) => !value.startsWith('sealed.'))
  const underKey = (rows: Awaited<ReturnType<typeof stored>>, { id }: DataKey) =>
    rows.filter(({ value }) =>
      Buffer.from(value.slice('sealed.'.length), 'base64url')
        .subarray(4, 12)
        .equals(id ?? randomBytes(8)),
    )

  const read = async (dataKey: DataKey) => {
    const db = dbOf(dataKey)
    const [entity, parties] = await Promise.all([
      db
        .selectFrom('identity.legal_entities')
        .select(['legal_entity_name', 'tin_number', 'city', 'country', 'address_line_1'])
        .executeTakeFirstOrThrow(),
      db.selectFrom('identity.invoice_parties').select('parties').executeTakeFirstOrThrow(),
    ])
    return {
      entity: openRow(db, 'identity.legal_entities', 's1', entity),
      parties: openRow(db, 'identity.invoice_parties', 'd1', parties).parties,
      mail: await createMailStore(db).find('m1'),
      form: (await createRegistrationStore(db).findRequest('r1'))?.form,
      phones: [await phoneOf(db, 'p1'), await phoneOf(db, `p${MANY}`)],
    }
  }
  const WHOLE = {
    entity: { legal_entity_name: 'Quillon Kites', tin_number: 'EG-771', city: 'Zerzura', country: 'EG', address_line_1: '' },
    parties: { buyer: { city: 'Zerzura' } },
    mail: expect.objectContaining({ address: 'ledger@kiosk.example', data: { number: 'Q-1' } }),
    form: { phone: '+2011' },
    phones: [phoneOfNumber(1), phoneOfNumber(MANY)],
  }

  // covers FP-94
  it('sealed columns are sealed by the next start, sealed again under a new key, and opened by no other', async () => {
    await storeAsBefore(MANY)
    const before = await stored()
    expect(plainOf(before)).toHaveLength(MANY + 3 + 1 + 2 + 1)
    // Values of a tax name, a number and a city; empty texts and the country stay.
    await Promise.all([1, 2, 3].map(() => sealStored(dbOf(OLD), OLD)))
    expect(underKey(await stored(), OLD)).toHaveLength(before.length)
    expect(await read(OLD)).toEqual(WHOLE)
    const once = await stored()
    await sealStored(dbOf(OLD), OLD)
    expect(await stored()).toEqual(once)

    await sealStored(dbOf(BOTH), BOTH)
    expect(underKey(await stored(), NEW)).toHaveLength(before.length)
    expect(await read(NEW)).toEqual(WHOLE)
    await expect(read(OLD)).rejects.toThrow(/sealed under the key [0-9a-f]{16}, which is not among the 1 given/)
    await expect(read(NONE)).rejects.toThrow(ConfigFault)
  })

  // covers FP-94
  it('sealed columns of answers that are kept for a day are sealed, and removed by a start that finds them otherwise', async () => {
    const asked = { user: 'ada', route: 'PUT /v1/user/legal', key: 'one', bodyHash: 'hash' }
    let runs = 0
    const answer = (dataKey: DataKey, key: string) =>
      createOnce(dbOf(dataKey), () => undefined)({ ...asked, key }, () => Promise.resolve({ city: 'Zerzura', run: ++runs }))
    expect(await answer(NONE, 'plain')).toEqual({ city: 'Zerzura', run: 1 })
    expect(await answer(OLD, 'sealed')).toEqual({ city: 'Zerzura', run: 2 })
    expect([await answer(NONE, 'plain'), await answer(OLD, 'sealed')]).toEqual([
      { city: 'Zerzura', run: 1 },
      { city: 'Zerzura', run: 2 },
    ])
    expect(await tablesWith(database.pool, 'Zerzura')).toEqual(['app.answers'])
    await sealStored(dbOf(OLD), OLD)
    expect(await tablesWith(database.pool, 'Zerzura')).toEqual([])
    expect(await answer(OLD, 'sealed')).toEqual({ city: 'Zerzura', run: 2 })
    expect(underKey(await stored(), OLD)).toHaveLength(1)
  })

  // covers FP-94
  it('sealed columns are sealed to the end by the start after one that was killed half way', async () => {
    await storeAsBefore(MANY)
    const before = await stored()
    await database.pool.query(`
      create function kill_here() returns trigger language plpgsql as
      $$ begin if old.id = 'p900' then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
      create trigger kill_here before update on identity.people for each row execute function kill_here()`)
    try {
      await expect(sealStored(dbOf(OLD), OLD)).rejects.toThrow()
    } finally {
      await database.pool.query('drop trigger kill_here on identity.people; drop function kill_here')
    }
    const between = plainOf(await stored())
    expect(between.length).toBeGreaterThan(0)
    expect(between.length).toBeLessThan(before.length - 500)
    await sealStored(dbOf(OLD), OLD)
    expect(underKey(await stored(), OLD)).toHaveLength(before.length)
    expect(await read(OLD)).toEqual(WHOLE)
  })

  // covers FP-94
  it('sealed columns are bound to their table, column and row', async () => {
    const db = dbOf(OLD)
    const { phone } = sealRow(db, 'identity.people', 'ada', { phone: '+201055' })
    expect(openRow(db, 'identity.people', 'ada', { phone }).phone).toBe('+201055')
    expect(() => openRow(db, 'identity.people', 'bola', { phone })).toThrow(/authenticate/)
    expect(() => openRow(db, 'identity.legal_entities', 'ada', { city: phone })).toThrow(/authenticate/)
    await createPeople(db, { demo: true }).create(person('ada', '+201055'))
    await createPeople(db, { demo: true }).create(person('bola', '+201066'))
    await database.pool.query(
      "update identity.people set phone = (select phone from identity.people where id = 'ada') where id = 'bola'",
    )
    expect(await phoneOf(db, 'ada')).toBe('+201055')
    await expect(phoneOf(db, 'bola')).rejects.toThrow(/authenticate/)
  })

  it('sealed columns hold a text that only looks sealed, with a key and without one', async () => {
    const forged = `sealed.${Buffer.concat([Buffer.from('pdk1'), randomBytes(60)]).toString('base64url')}`
    for (const text of [forged, 'sealed.', 'sealed.plain.', 'sealed.plain.sealed.', 'plain']) {
      for (const dataKey of [NONE, OLD]) {
        const db = dbOf(dataKey)
        expect(openRow(db, 'identity.people', 'ada', sealRow(db, 'identity.people', 'ada', { phone: text }))).toEqual({
          phone: text,
        })
      }
      // Stored before these columns could be sealed, and then before there was a key.
      await database.pool.query('truncate identity.people cascade')
      const people = createPeople(dbOf(NONE), { demo: true })
      await people.create(person('older', null))
      // As an upgrade to the first version that seals left it.
      const marked = text.startsWith('sealed.') ? `sealed.plain.${text}` : text
      await database.pool.query("update identity.people set phone = $1 where id = 'older'", [marked])
      await people.create(person('ada', text))
      const read = (dataKey: DataKey) => Promise.all(['older', 'ada'].map((id) => phoneOf(dbOf(dataKey), id)))
      expect(await read(NONE)).toEqual([text, text])
      await sealStored(dbOf(OLD), OLD)
      expect(await read(OLD)).toEqual([text, text])
    }
  })

  it('sealed columns do not report a phone number as changed that is saved again', async () => {
    const db = dbOf(OLD)
    await createPeople(db, { demo: true }).create(person('ada', '+201055'))
    const profiles = createProfiles(db)
    expect(await profiles.save('ada', { phone: '+201055' })).toEqual([])
    expect(await profiles.save('ada', { phone: '+201066', first_name: 'Ada' })).toEqual(['first_name', 'phone'])
    expect(await phoneOf(db, 'ada')).toBe('+201066')
    expect(await profiles.save('ada', { last_name: 'Moss' })).toEqual(['last_name'])
    expect(await phoneOf(db, 'ada')).toBe('+201066')
    expect(await profiles.save('ada', { phone: null })).toEqual(['phone'])
    expect(await phoneOf(db, 'ada')).toBeNull()
  })

  it.each([
    ['with a key', OLD],
    ['without a key', NONE],
  ])('sealed columns of waiting mails and forms are removed with their person, %s', async (_, dataKey) => {
    const db = dbOf(dataKey)
    await createPeople(db, { demo: true }).create(person('ada', '+201055', 'ada@quillon.example'))
    const mail = { whitelabelId: 'dsp', template: 'password-reset', data: {} } as const
    await queueMail(db, { ...mail, id: 'by-id', to: { personId: 'ada' } })
    await queueMail(db, { ...mail, id: 'by-address', to: { address: 'ada@quillon.example' } })
    await queueMail(db, { ...mail, id: 'of-another', to: { address: 'bola@quillon.example' } })
    await queueMail(db, { ...mail, id: 'elsewhere', whitelabelId: 'ng', to: { address: 'ada@quillon.example' } })
    const request = (id: string, email: string) =>
      db
        .insertInto('app.registration_requests')
        .values({ id, whitelabel_id: 'dsp', context: '{}', ...sealRow(db, 'app.registration_requests', id, { form: { email } }) })
        .execute()
    await request('own', 'ada@quillon.example')
    await request('other', 'bola@quillon.example')
    await erasePerson(db, 'ada', ERASERS)
    const left = async (table: string) =>
      (await database.pool.query(`select id from ${table} order by id`)).rows.map(({ id }) => id)
    expect(await left('app.mails')).toEqual(['elsewhere', 'of-another'])
    expect(await left('app.registration_requests')).toEqual(['other'])
  })
})
