import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { mailTo } from '../support/mails.ts'
import { sessionOf, startTestProduct, type TestProduct } from '../support/product.ts'

const PASSWORD = 'Kestrel-Quarry#58'

describe('npm run accounts', () => {
  let product: TestProduct
  let folder: string
  beforeAll(async () => {
    product = await startTestProduct()
    folder = await mkdtemp(join(tmpdir(), 'placard-import-'))
  })
  afterAll(async () => {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) =>
    runTool('api/cli/accounts.ts', args, product.database.url, {
      env: {
        PLACARD_DATA_DIR: product.dataDir,
        PORT: new URL(product.base).port,
        PLACARD_UNSAFE_DATABASE: 'on',
        PLACARD_DEMO: 'off',
      },
    })
  const people = async (like: string): Promise<readonly { email: string; status_key: number; whitelabel_id: string }[]> =>
    (
      await product.database.pool.query(
        'select email, status_key, whitelabel_id from identity.people where email like $1 order by email',
        [like],
      )
    ).rows
  async function fileOf(text: string): Promise<string> {
    const file = join(folder, `${Date.now()}.csv`)
    await writeFile(file, text)
    return file
  }

  test.each([[[]], [['admin']], [['import', 'a.csv', 'b.csv']], [['remove', 'x']]])('refuses the call %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage:/) })
  })

  test('switches a lost second factor off and removes passkeys, with a security event and a mail, and ends the API keys', async () => {
    const { pool } = product.database
    const { rows } = await pool.query<{ id: string }>(`select id from identity.people where email = 'ada@nile.example'`)
    const id = rows[0]?.id
    expect(await run('reset-second-factor', 'ada@nile.example')).toMatchObject({ code: 1, out: '' })
    await pool.query(
      `insert into identity.second_factors (person_id, secret, created_at, confirmed_at) values ($1, 's', now(), now())`,
      [id],
    )
    await pool.query(`insert into identity.recovery_codes (person_id, code_hash) values ($1, 'h')`, [id])
    await pool.query(
      `insert into identity.api_keys (id, person_id, name, hint, secret_hash, scopes, created_at, expires_at)
       values ('k', $1, 'n', 'h', 's', '{read}', now(), now() + interval '1 day')`,
      [id],
    )
    const addPasskey = () =>
      pool.query(
        `insert into identity.passkeys (id, person_id, rp_id, credential_id, public_key, sign_count, transports, backed_up, name, created_at)
         values ('p', $1, 'localhost', 'c', '', 0, '{}', false, 'Laptop', now())`,
        [id],
      )
    await addPasskey()
    expect(await run('reset-second-factor', 'Ada@Nile.example', '--white-label', 'ng')).toMatchObject({ code: 1 })
    expect(await run('reset-second-factor', 'Ada@Nile.example')).toMatchObject({ code: 0 })
    const left = await pool.query(
      `select (select count(*)::int from identity.second_factors where person_id = $1) as factors,
              (select count(*)::int from identity.recovery_codes where person_id = $1) as codes,
              (select count(*)::int from identity.passkeys where person_id = $1) as passkeys,
              (select count(*)::int from identity.api_keys where person_id = $1 and revoked_at is null) as keys,
              (select count(*)::int from app.security_events where person_id = $1 and type = 'second-factor-reset') as events,
              (select count(*)::int from app.mails where person_id = $1 and template = 'second-factor-reset') as mails`,
      [id],
    )
    expect(left.rows[0]).toEqual({ factors: 0, codes: 0, passkeys: 0, keys: 0, events: 1, mails: 1 })
    // A passkey counts as a second factor.
    await addPasskey()
    expect(await run('reset-second-factor', 'ada@nile.example')).toMatchObject({ code: 0 })
    expect((await pool.query('select 1 from identity.passkeys where person_id = $1', [id])).rowCount).toBe(0)
  })

  test('makes a link with which a system administrator sets a password and signs in', async () => {
    const { code, out } = await run('admin', 'Root@Placard.example')
    expect(code).toBe(0)
    const link = new URL(/http\S+/.exec(out)?.[0] ?? '')
    expect(link.origin).toBe(product.base)
    const token = link.pathname.split('/').at(-1)
    const stranger = sessionOf(product.base, '')
    expect((await stranger.call('POST', `/v1/registration/verify-token/${token}`)).data).toMatchObject({
      email: 'root@placard.example',
    })
    expect((await stranger.call('POST', '/v1/registration/complete', { token, password: PASSWORD })).code).toBe(0)
    const body = new URLSearchParams({ grant_type: 'password', username: 'root@placard.example', password: PASSWORD })
    const { data } = (await (await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })).json()) as {
      data: { access_token: string }
    }
    const me = await sessionOf(product.base, data.access_token).call<{ roles: string[] }>('GET', '/v1/user/me')
    expect(me.data.roles).toEqual(['SYSTEM_ADMIN'])
    expect(await run('admin', 'root@placard.example')).toMatchObject({ code: 1 })
    expect(await run('admin', 'ada@nile.example')).toMatchObject({ code: 1 })
    expect(await run('admin', 'nobody')).toMatchObject({ code: 1 })
  })

  test('makes a link for the owner of a white-label, who signs in there', async () => {
    const { code, out } = await run('staff', 'Owner@ng.example', '--role', 'WL_OWNER', '--white-label', 'ng')
    expect(code).toBe(0)
    const token = new URL(/http\S+/.exec(out)?.[0] ?? '').pathname.split('/').at(-1)
    expect(
      (await sessionOf(product.base, '').call('POST', '/v1/registration/complete', { token, password: PASSWORD })).code,
    ).toBe(0)
    const { rows } = await product.database.pool.query(
      `select whitelabel_id, roles, status_key from identity.people where email = 'owner@ng.example'`,
    )
    expect(rows).toEqual([{ whitelabel_id: 'ng', roles: ['WL_OWNER'], status_key: 5 }])
    const recorded = await product.database.pool.query(
      `select e.data #>> '{people,0,roles,0}' as role, e.metadata ->> 'actor' as actor
       from es.events e join identity.people p on e.data #>> '{people,0,person_id}' = p.id
       where e.type = 'PeopleRecorded' and p.email = 'owner@ng.example'`,
    )
    expect(recorded.rows).toEqual([{ role: 'WL_OWNER', actor: 'system:registration' }])
    expect(await run('staff', 'x@ng.example', '--role', 'WL_OWNER', '--white-label', 'nowhere')).toMatchObject({ code: 1 })
    expect(await run('staff', 'x@ng.example', '--role', 'SYSTEM_ADMIN')).toMatchObject({ code: 2 })
    expect(await run('staff', 'x@ng.example')).toMatchObject({ code: 2 })
  })

  const GOOD = `email,first_name,last_name,company_name,phone,country,whitelabel_id,currency,language
one@import.example,Nadia,Osei,"Delta, ""Foods""",+2348012345678,ng,ng,NGN,en
two@import.example,Анна,Петрова,,+37491123456,AM,am,,ru
ada@nile.example,Ada,Hassan,,+2010000000,EG,,,
`

  test('names every wrong cell by line and column, and changes nothing', async () => {
    const wrong = await fileOf(
      `${GOOD}three@import,N,Osei,,abc,XX,nowhere,EUR,fr\none@import.example,Nadia,Osei,,+2348012345678,NG,ng,,\n`,
    )
    const { code, err } = await run('import', wrong, '--apply')
    expect(code).toBe(1)
    for (const cell of [
      'line 5, column whitelabel_id',
      'line 5, column language',
      'line 5, column email',
      'line 5, column first_name',
      'line 5, column phone',
      'line 5, column country',
      'line 5, column currency',
      'line 6, column email: the same address as in line 2',
    ])
      expect(err).toContain(cell)
    expect(await people('%@import.example')).toEqual([])
    expect((await run('import', await fileOf('email,colour\n'))).err).toContain('line 1, column colour: this column is not known')
  })

  test('changes nothing without --apply, and adds every account once with it', async () => {
    const file = await fileOf(GOOD)
    expect(await run('import', file)).toMatchObject({ code: 0, out: expect.stringContaining('2 accounts to add, 1 to skip') })
    expect(await people('%@import.example')).toEqual([])
    expect(await run('import', file, '--apply')).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 accounts added, 1 skipped'),
    })
    expect(await people('%@import.example')).toEqual([
      { email: 'one@import.example', status_key: 2, whitelabel_id: 'ng' },
      { email: 'two@import.example', status_key: 2, whitelabel_id: 'am' },
    ])
    expect((await mailTo(product.dataDir, 'two@import.example')).subject).toMatch(/Ваша учётная запись/)
    expect(await run('import', file, '--apply')).toMatchObject({ out: expect.stringContaining('0 accounts added, 3 skipped') })
  })
})
