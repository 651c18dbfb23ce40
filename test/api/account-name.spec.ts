import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountNames } from '#platform/account/names'
import { createKysely } from '#platform/database/pool'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'
import type { Session } from '../support/product.ts'

/** Fine print 96. */
describe('the name of an account', () => {
  let world: World
  let owner: Session
  let spaceId: string
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
    owner = await world.product.as('ada@nile.example')
    spaceId = (await owner.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => world.stop())

  type Refused = { readonly errors?: readonly { readonly path: string; readonly key: string }[] }
  const rename = (name: string, session = owner, id = spaceId) => session.call<Refused>('PUT', `/v1/space/${id}/name`, { name })
  const nameOf = async (session = owner, id = spaceId) =>
    (await session.call<{ space_name: string }>('GET', `/v1/space/${id}`)).data.space_name

  // covers FP-96
  it('the name of an account is changed by its owner, at once, everywhere, and in its history', async () => {
    expect((await rename('  Nile Group ')).code).toBe(0)
    expect(await nameOf()).toBe('Nile Group')
    expect((await owner.call<{ space_name: string }>('GET', '/v1/user/me')).data.space_name).toBe('Nile Group')
    const staff = await world.product.as('owner@dsp.example')
    const found = await staff.call<{ data: readonly { space_name: string }[] }>('POST', '/v1/whitelabel/admin/accounts/list', {
      search: 'nile group',
    })
    expect(found.data.data.map(({ space_name }) => space_name)).toEqual(['Nile Group'])
    const history = await staff.call<{ data: readonly { type: string; changes: unknown }[] }>(
      'GET',
      `/v1/space/${spaceId}/history`,
    )
    expect(history.data.data.find(({ type }) => type === 'AccountRenamed')?.changes).toEqual([
      { field: 'name', from: null, to: 'Nile Group' },
    ])
    // The same name is no change.
    expect((await rename('Nile Group')).code).toBe(0)
    const again = await staff.call<{ data: readonly { type: string }[] }>('GET', `/v1/space/${spaceId}/history`)
    expect(again.data.data.filter(({ type }) => type === 'AccountRenamed')).toHaveLength(1)
    // Only its case.
    expect((await rename('NILE group')).code).toBe(0)
  })

  // covers FP-96
  it('the name of an account is refused empty, with characters that do not show, or too long', async () => {
    expect((await rename(' \u00a0 ')).code).toBe(1410)
    expect((await rename('Nile\u202eTravel')).code).toBe(2)
    expect((await rename('N'.repeat(256))).code).toBe(2)
    expect((await rename('N'.repeat(255))).code).toBe(0)
  })

  // covers FP-96
  it('the name of an account is of one account of a white-label, in whatever case, and free once it is given up', async () => {
    const staff = await world.product.as('owner@dsp.example')
    const [one, two] = [world.targets.A1.spaceId, world.targets.A2.spaceId]
    expect((await rename('Karnak Foods', staff, one)).code).toBe(0)
    const refused = await rename('karnak FOODS', staff, two)
    expect([refused.code, refused.data.errors?.[0]]).toMatchObject([1411, { path: 'name', key: 'accountNameTaken' }])
    expect((await rename('Edfu Foods', staff, one)).code).toBe(0)
    // A reservation that is over leaves the word to the read model, so it has to have the new name.
    expect(await nameOf(staff, one)).toBe('Edfu Foods')
    await world.product.database.pool.query(`update app.account_names set reserved_at = now() - interval '31 seconds'`)
    expect((await rename('Karnak FOODS', staff, two)).code).toBe(0)
    expect((await rename('Karnak Foods', staff, one)).code).toBe(1411)
    expect([await nameOf(staff, one), await nameOf(staff, two)]).toEqual(['Edfu Foods', 'Karnak FOODS'])
  })

  // covers FP-96
  it('goes to one of thirty accounts that take it at once', async () => {
    const reserve = createAccountNames(createKysely(world.product.database.pool))
    const asked = Array.from({ length: 30 }, (_, i) =>
      reserve({ whitelabelId: 'dsp', spaceId: `space ${i}`, name: i % 2 === 0 ? 'Oasis' : 'OASIS' }),
    )
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
    expect(await reserve({ whitelabelId: 'other', spaceId: 'space 1', name: 'Oasis' })).toBe(true)
  })

  // covers FP-96
  it('the name of an account that was reserved and never taken is free after thirty seconds', async () => {
    const { pool } = world.product.database
    const reserve = createAccountNames(createKysely(pool))
    const [one, two] = ['one', 'two'].map((spaceId) => ({ whitelabelId: 'dsp', spaceId, name: 'Sinai' }))
    if (one === undefined || two === undefined) throw new Error('two accounts')
    expect([await reserve(one), await reserve(one), await reserve(two)]).toEqual([true, true, false])
    await pool.query(`update app.account_names set reserved_at = now() - interval '31 seconds' where name_key = 'sinai'`)
    expect([await reserve(two), await reserve(one)]).toEqual([true, false])
  })
})
