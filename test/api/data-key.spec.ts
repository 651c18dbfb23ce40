import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { createDataKey, ROWS } from '#platform/identity/data-key'
import { sealStored } from '#platform/identity/seal-stored'
import { createKysely } from '#platform/database/pool'
import { PASSWORD, signIn, startTestProduct, type TestProduct } from '../support/product.ts'

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]

/** Fine print 88. */
describe('keys under a key outside the database', () => {
  let plain: TestProduct
  let secret = ''
  const started: TestProduct[] = []
  beforeAll(async () => {
    plain = await startTestProduct()
    const ada = await plain.as('ada@nile.example')
    const begun = await ada.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
    secret = begun.data.secret
    expect((await ada.call('POST', '/v1/user/second-factor/confirm', { code: codeOf(secret) })).code).toBe(0)
  })
  afterAll(async () => {
    for (const product of started) await product.stop().catch(() => undefined)
    await plain.stop()
  })

  const codeOf = (of: string, at = Date.now()) => new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: at })
  /** Stored keys, with the plain 32 bytes of each key where it is not sealed. */
  async function stored() {
    const query = async (text: string) => (await plain.database.pool.query<{ row: string; value: string }>(text)).rows
    return [
      ...(await query('select name as row, value from app.secrets order by 1')),
      ...(await query('select kid as row, key as value from app.signing_keys order by 1')),
      ...(await query(
        "select person_id as row, encode(key, 'base64') as value from identity.person_keys where key is not null order by 1",
      )),
    ]
  }
  async function again(keys: string | null) {
    const env = { DATABASE_URL: plain.database.url, PLACARD_DATA_DIR: plain.dataDir }
    const product = await startTestProduct(keys === null ? env : { ...env, PLACARD_DATA_KEY: keys })
    started.push(product)
    return product
  }
  /** Signs in with the code of the app, whose secret is sealed under the key of the person. */
  async function works(product: TestProduct): Promise<void> {
    const body = new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: PASSWORD })
    const asked = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
    const { data }: { data: { challenge: string } } = await asked.json()
    expect(data.challenge).toEqual(expect.any(String))
    // A code works once: the next period's is right too.
    await plain.database.pool.query('update identity.second_factors set last_step = null')
    const answer = await fetch(`${product.base}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'otp', challenge: data.challenge, code: codeOf(secret) }),
    })
    expect(answer.status).toBe(200)
    await signIn(product.base, 'bola@lagos.example')
  }

  // covers FP-88
  it('keys are sealed at the next start, opened by the product, sealed again under a new key, and opened by nothing else', async () => {
    const before = await stored()
    expect(before.length).toBeGreaterThan(6)
    expect(before.filter(({ value }) => isSealed(value))).toEqual([])

    await works(await again(OLD))
    const sealed = await stored()
    expect(sealed.map(({ row }) => row)).toEqual(expect.arrayContaining(before.map(({ row }) => row)))
    expect(sealed.filter(({ value }) => !isSealed(value))).toEqual([])
    const all = JSON.stringify(sealed)
    for (const { value } of before) expect(all).not.toContain(value)

    await works(await again(`${NEW},${OLD}`))
    await works(await again(NEW))
    expect((await stored()).filter(({ value }) => !isSealed(value))).toEqual([])
    await expect(again(OLD)).rejects.toThrow(
      /PLACARD_DATA_KEY: .* is sealed under the key [0-9a-f]{16}, which is not among the 1 given/,
    )
    await expect(again(null)).rejects.toThrow(/PLACARD_DATA_KEY: .* which is not among the 0 given/)
  })

  const isSealed = (value: string) =>
    value.startsWith('sealed.') || Buffer.from(value, 'base64').subarray(0, 4).toString() === 'pdk1'

  it('keys under a key outside the database are the same after several processes sealed them at once', async () => {
    const { pool } = plain.database
    const db = createKysely(pool)
    const key = createDataKey([Buffer.from(NEW, 'base64')])
    const people = Array.from({ length: 1200 }, (_, n) => ({ person_id: `many-${n}`, key: randomBytes(32) }))
    await db.insertInto('identity.person_keys').values(people).execute()
    await Promise.all([1, 2, 3].map(() => sealStored(db, key)))
    const rows = await db
      .selectFrom('identity.person_keys')
      .select(['person_id', 'key'])
      .where('person_id', 'like', 'many-%')
      .execute()
    expect(rows).toHaveLength(people.length)
    const opened = new Map(rows.map((row) => [row.person_id, key.open(row.key ?? Buffer.alloc(0), ROWS.person(row.person_id))]))
    expect(people.filter((one) => opened.get(one.person_id)?.equals(one.key) !== true)).toEqual([])
    expect(rows.filter((row) => row.key?.length === 32)).toEqual([])
  })

  // covers FP-88
  it('keys under a key outside the database are bound to their row', () => {
    const key = createDataKey([Buffer.from(NEW, 'base64')])
    const sealed = key.seal(randomBytes(32), ROWS.person('ada'))
    expect(() => key.open(sealed, ROWS.person('bola'))).toThrow(/authenticate/)
  })
})
