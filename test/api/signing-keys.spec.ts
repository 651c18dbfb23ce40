import { createHash } from 'node:crypto'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDataKey } from '#platform/identity/data-key'
import { givenKeys, rotateKeys, storedKeys } from '#platform/identity/signing-keys'
import { createTokens } from '#commands/identity/tokens'
import { createKysely } from '#platform/database/pool'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'
import { sessionOf, startTestProduct } from '../support/product.ts'

const ACTOR = { userId: 'u', roles: ['AUDITOR'], whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home' } as const
const SESSION = { family: 'f', version: 1, seconds: 3600 }
const key = (name: string) => createHash('sha256').update(name).digest('base64url')

describe('signing keys', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const open = () => storedKeys({ db: createKysely(database.pool), dataKey: createDataKey([]) }, () => undefined, 20)
  const rotate = (compromised = false) =>
    rotateKeys({ db: createKysely(database.pool), dataKey: createDataKey([]) }, { compromised })
  const passed = (seconds: number) =>
    database.pool.query(
      `update app.signing_keys set signs_from = signs_from - $1 * interval '1 second',
         verifies_until = verifies_until - $1 * interval '1 second'`,
      [seconds],
    )

  // covers FP-21
  it('signing keys are the same for processes that start concurrently', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, open))
    expect(new Set(keys.map(({ signer }) => signer().kid)).size).toBe(1)
    for (const { stop } of keys) stop()
  })

  it('a rotated signing key is known to every process before it signs, and the old one verifies for an hour', async () => {
    const [a, b] = [await open(), await open()]
    const old = a.signer()
    const token = await createTokens(a, Date.now).sign(ACTOR, SESSION)
    const kid = await rotate()
    await eventually(() => a.find(kid) !== null && b.find(kid) !== null)
    expect([a.signer().kid, b.signer().kid]).toEqual([old.kid, old.kid])
    await passed(30)
    await eventually(() => a.signer().kid === kid && b.signer().kid === kid)
    const tokens = createTokens(b, Date.now)
    expect((await tokens.read(token))?.actor.userId).toBe('u')
    await passed(3600)
    expect(b.find(old.kid)).not.toBeNull()
    await passed(60)
    await eventually(() => b.find(old.kid) === null)
    // Also a token that this process has cached.
    expect(await tokens.read(token)).toBeNull()
    for (const { stop } of [a, b]) stop()
  })

  it('signing keys do not verify after they were compromised', async () => {
    const keys = await open()
    const old = keys.signer().kid
    const kid = await rotate(true)
    await eventually(() => keys.find(old) === null)
    expect(keys.signer().kid).toBe(kid)
    keys.stop()
  })

  // covers FP-21
  it('signing keys from the environment replace others: the first signs, all verify', async () => {
    const [before, after] = [['old'], ['new', 'old']].map((names) => givenKeys(names.map((name) => Buffer.from(key(name)))))
    if (before === undefined || after === undefined) throw new Error('no keys')
    const token = await createTokens(before, Date.now).sign(ACTOR, SESSION)
    expect((await createTokens(after, Date.now).read(token))?.session).toBe('f')
    expect(after.signer().kid).not.toBe(before.signer().kid)
    const other = givenKeys([Buffer.from(key('other'))])
    expect(await createTokens(other, Date.now).read(token)).toBeNull()
  })

  it('signing keys refuse a token without a key id or with another algorithm', async () => {
    const keys = givenKeys([Buffer.from(key('own'))])
    const good = await createTokens(keys, Date.now).sign(ACTOR, SESSION)
    const payload = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString())
    const forge = (header: Record<string, string>) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(keys.signer().key)
    const { kid } = keys.signer()
    const tokens = createTokens(keys, Date.now)
    expect(await tokens.read(await forge({ kid }))).not.toBeNull()
    for (const header of [{}, { kid: 'other' }, { kid, alg: 'HS512' }, { kid, typ: 'JWT' }])
      expect(await tokens.read(await forge(header))).toBeNull()
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid })).toString('base64url')}.${good.split('.')[1]}.`
    expect(await tokens.read(none)).toBeNull()
  })

  // covers ERR-21
  it('a token without a space is answered with code 20', async () => {
    const secret = key('spaceless')
    const product = await startTestProduct({ PLACARD_SIGNING_KEY: secret })
    try {
      const { token } = await product.as('ada@nile.example')
      const { space, ...payload } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      const sign = (claims: Record<string, unknown>) => new SignJWT(claims).setProtectedHeader(header).sign(Buffer.from(secret))
      const header = { ...decodeProtectedHeader(token), alg: 'HS256' }
      const call = async (claims: Record<string, unknown>) =>
        sessionOf(product.base, await sign(claims)).call('GET', '/v1/user/me')
      expect(await call({ ...payload, space })).toMatchObject({ status: 200, code: 0 })
      expect(await call(payload)).toMatchObject({ status: 400, code: 20 })
    } finally {
      await product.stop()
    }
  })

  it('signing keys are changed in a running product from the command line, unless PLACARD_SIGNING_KEY is set', async () => {
    const product = await startTestProduct()
    const { token } = await product.as('ada@nile.example')
    const stored = await product.database.pool.query<{ kid: string }>('select kid from app.signing_keys')
    expect(decodeProtectedHeader(token).kid).toBe(stored.rows[0]?.kid)
    const { url } = product.database
    const run = (args: readonly string[], env = {}) => runTool('api/cli/keys.ts', args, url, { env })
    expect((await run(['rotate'])).code).toBe(0)
    expect((await product.database.pool.query('select kid from app.signing_keys')).rowCount).toBe(2)
    expect((await run(['rotate'], { PLACARD_SIGNING_KEY: key('given') })).code).toBe(1)
    const given = await startTestProduct({ DATABASE_URL: url, PLACARD_SIGNING_KEY: key('given') })
    expect((await sessionOf(given.base, token).call('GET', '/v1/user/me')).status).toBe(401)
    const own = await given.as('ada@nile.example')
    expect((await own.call('GET', '/v1/user/me')).status).toBe(200)
    await given.stop()
    await product.stop()
  })
})
