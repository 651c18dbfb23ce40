import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { READ_MODELS } from '#projections/read-models'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { searchAccounts, searchBoth, type SearchScope } from './search.ts'

const STAFF: SearchScope = { whitelabelId: 'dsp', spaceId: null, ownId: 'house' }
const LAGOS: SearchScope = { whitelabelId: 'dsp', spaceId: 'lagos', ownId: 'lagos' }

describe('the search for accounts and campaigns', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
    for (const model of READ_MODELS) await ensureLive(db, model)
    await sql`
      insert into rm_accounts (space_id, whitelabel_id, name, currency, house, balance, credit_limit, settlements, version)
      values ('house', 'dsp', 'DSP House', 'USD', true, 0, 0, 0, 1), ('nile', 'dsp', 'Nile Travel', 'USD', false, 0, 0, 0, 1),
        ('lagos', 'dsp', 'Lagos Foods', 'USD', false, 0, 0, 0, 1)`.execute(db)
    await sql`
      insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email)
      values ('ada', 'dsp', 'nile', '{USER_OWNER}', 'Ada', 'Hassan', 'ada@river.example')`.execute(db)
    await sql`
      insert into rm_campaign_list (id, space_id, whitelabel_id, name, status_key, campaign_type_key, budget_type_key,
        need_moderation, review, approved, archived, funding, suspended, day_budget, total_budget, timezone_offset_seconds, creatives,
        exchange_pending, created_at, updated_at, changed_at, revision, version, position)
      select id, space, 'dsp', name, 0, 1, 1, false, 'none', false, false, 'ok', false, 'open', 'open', 0, 1, false, '2026', '2026',
        '2026', 1, 1, 1
      from (values ('lagoon', 'nile', 'Lagoon'), ('felucca', 'nile', 'Felucca'), ('cruise', 'lagos', 'Nile Cruise')) c (id, space, name)`.execute(
      db,
    )
  })
  afterAll(() => database.drop())

  const found = async (query: string, scope = STAFF) => {
    const { accounts, campaigns } = await searchBoth(db, scope, query, 50)
    return [accounts.map((one) => one.space_name), campaigns.map((one) => one.campaign_name)]
  }

  it.each([
    ['trvel', 'a missing letter'],
    ['traavel', 'a doubled letter'],
    ['trawel', 'a wrong letter'],
    ['tarvel', 'two swapped letters'],
    ['nlie', 'two swapped letters in a short word'],
    ['Nile Travle', 'an error in one of two words'],
    ['TRAVÉL', 'accents and capitals'],
    ['hasan', 'an error in the name of the owner'],
    ['tra', 'the beginning of a word'],
    ['ni', 'two letters'],
  ])('finds an account by "%s": %s', async (query) => {
    expect((await found(query))[0]).toContain('Nile Travel')
    expect((await searchAccounts(db, STAFF, query, 50)).map(({ space_name }) => space_name)).toContain('Nile Travel')
  })

  // covers SEARCH-28
  it('finds a campaign in spite of an error', async () => expect(await found('feluca')).toEqual([[], ['Felucca']]))

  it.each(['%', '_', 'xqzw', 'trxvxl', '\\', "' or 1=1 --"])('finds nothing by "%s"', async (query) =>
    expect(await found(query)).toEqual([[], []]),
  )

  // covers SEARCH-04 SEARCH-22 WL-19 WL-20
  it('begins with the own account before anything is typed', async () => {
    expect((await found(''))[0]).toEqual(['DSP House', 'Lagos Foods', 'Nile Travel'])
    expect((await searchAccounts(db, STAFF, '', 50)).map(({ space_id }) => space_id)).toEqual(['house', 'lagos', 'nile'])
  })

  // covers SEARCH-27 SEARCH-35
  it('ranks the best match first over both kinds, without names that are only alike', async () => {
    const { accounts, campaigns } = await searchBoth(db, STAFF, 'lag', 50)
    expect([accounts, campaigns].map((some) => some.map(({ rank }) => rank))).toEqual([[1], [1]])
    const nile = await searchBoth(db, STAFF, 'nile travel', 50)
    expect([nile.accounts[0]?.rank, nile.campaigns]).toEqual([0, []])
    expect(await found('lagoon')).toEqual([[], ['Lagoon']])
  })

  it('finds an account by those who own it beside another one, who stand for it where it has no owner of its own', async () => {
    await sql`
      insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email)
      values ('zuwena', 'dsp', 'nile', '{USER_OWNER}', 'Zuwena', 'Okoro', 'zuwena@river.example')`.execute(db)
    const join = (role: string) =>
      sql`
        insert into identity.memberships (person_id, space_id, roles, state, invited_by, invited_at)
        values ('zuwena', 'lagos', array[${role}], 'active', 'ada', now())
        on conflict (person_id, space_id) do update set roles = excluded.roles`.execute(db)
    await join('USER_OWNER')
    expect((await found('zuwena'))[0]).toEqual(['Lagos Foods', 'Nile Travel'])
    const [lagos] = await searchAccounts(db, STAFF, 'lagos', 50)
    expect(lagos).toMatchObject({ space_id: 'lagos', user_id: 'zuwena' })
    // A viewer stands for none.
    await join('USER_VIEWER')
    expect((await found('zuwena'))[0]).toEqual(['Nile Travel'])
  })

  it('shows a user the own account and its campaigns alone', async () => {
    expect(await found('', LAGOS)).toEqual([['Lagos Foods'], ['Nile Cruise']])
    expect(await found('nile', LAGOS)).toEqual([[], ['Nile Cruise']])
    expect(await found('felucca', LAGOS)).toEqual([[], []])
  })
})
