import { unzipSync } from 'fflate'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeople } from '#platform/identity/people'
import { createSessions } from '#platform/identity/sessions'
import { createDataKey } from '#platform/identity/data-key'
import { storedKeys } from '#platform/identity/signing-keys'
import { createTokens } from '#commands/identity/tokens'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { PASSWORD, png, sendFile, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type User = { readonly id: string; readonly email: string; readonly session: Session }
type Body = { readonly password?: string; readonly code?: string }

/** Where a copy holds a table with a person's rows: a part of `person.json`, or a file. */
const HELD: Readonly<Record<string, string>> = {
  'app.chat_messages': 'messages.json',
  'app.closed_guides': 'guide_closed_at',
  'app.labels': 'labels',
  'app.list_views': 'list_views',
  'app.mails': 'mails',
  'app.notification_choices': 'notification_choices',
  'app.notifications': 'notifications',
  'app.saved_reports': 'saved_reports',
  'app.scheduled_changes': 'scheduled_changes',
  'app.security_events': 'security_events',
  'identity.api_keys': 'api_keys',
  'identity.known_devices': 'known_devices',
  'identity.known_networks': 'known_networks',
  'identity.memberships': 'memberships',
  'identity.passkeys': 'passkeys',
  'identity.pictures': 'picture',
  'identity.recovery_codes': 'second_factor',
  'identity.scim_people': 'directory',
  'identity.second_factors': 'second_factor',
  'identity.session_families': 'sessions',
  'identity.sign_on_links': 'single_sign_on',
}
const LEFT_OUT: Readonly<Record<string, string>> = {
  'app.list_view_defaults': 'which view opens with a list: a choice of the screen, without words of the person',
  'app.campaign_labels': 'which campaigns they labelled: work of the account, without words of the person',
  'app.chats': 'counts of the messages, which messages.json holds',
  'app.review_assignments': 'work of staff: which submission is theirs to review now',
  'app.review_holds': 'work of staff: which submission they review now',
  'app.second_looks': 'work of staff: what they said about approvals of others, which the log holds',
  'app.registration_requests': 'sign-ups of the last minutes; the record holds what they say',
  'identity.challenges': 'secrets of a sign-in under way',
  'identity.key_ends': 'a time that only revokes keys',
  'identity.mail_keys': 'secrets of links in mails',
  'identity.person_keys': 'the key that seals personal data',
  'identity.sign_on_codes': 'secrets of a sign-in under way',
  'identity.sessions': 'refresh tokens of the sessions, which `sessions` holds',
}

describe("a copy of a user's own data", () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())

  const query = async <T extends object>(text: string, values: readonly unknown[] = []) =>
    (await product.database.pool.query<T>(text, [...values])).rows

  async function newUser(whitelabel_id = 'dsp'): Promise<User> {
    const id = newId()
    const email = `${id}@nile.example`
    const [ada] = await query<{ home_space_id: string }>(
      `select home_space_id from identity.people where email = 'ada@nile.example'`,
    )
    const db = createKysely(product.database.pool)
    const people = createPeople(db, { demo: true })
    const names = { first_name: `First ${id.slice(-6)}`, last_name: `Last ${id.slice(-6)}`, phone: null }
    const home_space_id = ada?.home_space_id ?? ''
    await people.create({ id, whitelabel_id, home_space_id, roles: ['USER_OWNER'], email, password: PASSWORD, ...names })
    const person = await people.find(id)
    if (person === null) throw new Error('the user is missing')
    const keys = await storedKeys({ db, dataKey: createDataKey([]) }, () => undefined)
    const sessions = createSessions({
      db,
      tokens: createTokens(keys, Date.now),
      now: () => new Date().toISOString(),
      newId,
      demo: true,
      recordEnd: async () => undefined,
      idleLimitOf: () => null,
      isOutside: () => false,
    })
    const signed = await sessions.signIn(person, {
      userAgent: `Browser of ${id}`,
      address: '203.0.113.7',
      network: '203.0.113.0/24',
      isLocal: true,
    })
    keys.stop()
    return { id, email, session: sessionOf(product.base, signed.access_token) }
  }

  async function ask({ session }: Pick<User, 'session'>, body: Body = { password: PASSWORD }) {
    const response = await fetch(`${product.base}/v1/user/data`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  async function copyOf(user: User, body?: Body) {
    const { status, bytes } = await ask(user, body)
    expect(status, Buffer.from(bytes.slice(0, 300)).toString()).toBe(200)
    const files = unzipSync(bytes)
    const text = (name: string) => Buffer.from(files[name] ?? []).toString()
    return {
      files,
      all: Object.values(files)
        .map((file) => Buffer.from(file).toString('latin1'))
        .join('\n'),
      readme: text('README.txt'),
      person: JSON.parse(text('person.json')) as Record<string, Record<string, unknown> & Record<string, unknown>[]>,
      messages: JSON.parse(text('messages.json')) as { readonly text: string }[],
    }
  }
  const answerOf = ({ bytes }: { readonly bytes: Uint8Array }) =>
    JSON.parse(Buffer.from(bytes).toString()) as { type: { code: number }; data: { errors: { path: string; key: string }[] } }
  const codeFor = (secret: string, at = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: at })

  /** Gives a user a row in each table that a copy holds. Answers the plain secrets, and a code for the copy. */
  async function fill({ id, session, email }: User) {
    await sendFile(product.base, session.token, '/v1/user/profile/image', await png(300, 300), 'me.png')
    await session.call('POST', '/v1/chat', { text: `A question of ${id}` })
    await query(
      `insert into identity.passkeys (id, person_id, rp_id, credential_id, public_key, sign_count, transports, backed_up, name, created_at)
       values ($1, $1, 'localhost', $2, $3, 0, '{}', false, $4, now())`,
      [id, `credential-${id}`, Buffer.from(`public key of ${id}`), `Phone of ${id}`],
    )
    await query(
      `insert into identity.sign_on_providers (id, whitelabel_id, name, issuer, client_id, client_secret, scopes, trusts_addresses,
         default_roles, role_mapping, enabled, created_by, created_at, changed_at)
       values ($1, 'dsp', 'Acme', 'https://id.example', 'placard', $2, '{}', false, '{}', '[]', false, 'test', now(), now())`,
      [`provider-${id}`, `client secret of ${id}`],
    )
    await query(`insert into identity.sign_on_links (provider_id, subject, person_id, created_at) values ($1, $2, $3, now())`, [
      `provider-${id}`,
      `Subject of ${id}`,
      id,
    ])
    await query(`insert into identity.scim_people (person_id, external_id, changed_at) values ($1, $2, now())`, [
      id,
      `External id of ${id}`,
    ])
    const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
    const { secret } = begun.data
    const step = Date.now()
    const confirmed = await session.call<{ recovery_codes: string[] }>('POST', '/v1/user/second-factor/confirm', {
      code: codeFor(secret, step - 30_000),
    })
    const made = await session.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: `Key of ${id}`,
      scopes: ['read'],
      days: 30,
      password: PASSWORD,
      code: codeFor(secret, step),
    })
    expect([begun.code, confirmed.code, made.code]).toEqual([0, 0, 0])
    await query(`insert into identity.known_networks (person_id, network, last_at) values ($1, $2, now())`, [
      id,
      `hash of a network of ${id}`,
    ])
    await query(`insert into identity.memberships (person_id, space_id, state, first_name) values ($1, 'joined', 'active', $2)`, [
      id,
      `Entered for ${id}`,
    ])
    await query(`insert into identity.known_devices (person_id, device, last_at) values ($1, $2, now())`, [
      id,
      `hash of a device of ${id}`,
    ])
    const [code = '', ...codes] = confirmed.data.recovery_codes
    expect(email).toContain(id)
    return { code, secrets: [PASSWORD, `client secret of ${id}`, secret, made.data.key, session.token, ...codes] }
  }

  /** Every stored value that signs someone in, opens something or would confirm a guess. */
  async function storedSecrets(id: string): Promise<readonly string[]> {
    const columns = [
      ['identity.people', 'id', 'password_hash'],
      ['identity.second_factors', 'person_id', 'secret'],
      ['identity.recovery_codes', 'person_id', 'code_hash'],
      ['identity.api_keys', 'person_id', 'secret_hash'],
      ['identity.sessions', 'person_id', 'token_hash'],
      ['identity.passkeys', 'person_id', 'credential_id'],
      ['identity.passkeys', 'person_id', 'public_key'],
      ['identity.known_networks', 'person_id', 'network'],
      ['identity.known_devices', 'person_id', 'device'],
      ['identity.person_keys', 'person_id', 'key'],
      ['app.security_events', 'person_id', 'client_network'],
    ] as const
    const found = await Promise.all(
      columns.map(async ([table, owner, column]) => {
        const rows = await query<{ value: string | Buffer | null }>(
          `select ${column} as value from ${table} where ${owner} = $1 and ${column} is not null`,
          [id],
        )
        expect(rows.length, `${table}.${column}`).toBeGreaterThan(0)
        return rows.flatMap(({ value }) =>
          value === null
            ? []
            : typeof value === 'string'
              ? [value]
              : [value.toString('latin1'), value.toString('hex'), value.toString('base64'), value.toString('base64url')],
        )
      }),
    )
    return found.flat()
  }

  // covers FP-80
  it('holds what is stored about the user, and nothing that is secret', async () => {
    const user = await newUser()
    const { code, secrets } = await fill(user)
    const { all, files, messages, person, readme } = await copyOf(user, { password: PASSWORD, code })
    expect(Object.keys(files).sort()).toEqual(['README.txt', 'messages.json', 'person.json', 'picture.webp'])
    expect(person['record']).toMatchObject({ id: user.id, email: user.email, roles: ['USER_OWNER'], account_name: 'Nile Travel' })
    expect(person['sessions']).toMatchObject([{ user_agent: `Browser of ${user.id}`, network: '203.0.113.0/24' }])
    expect(person['passkeys']).toMatchObject([{ name: `Phone of ${user.id}`, host: 'localhost' }])
    expect(person['single_sign_on']).toMatchObject([{ provider: 'Acme', subject: `Subject of ${user.id}` }])
    expect(person['directory']).toMatchObject({ external_id: `External id of ${user.id}` })
    expect(person['api_keys']).toMatchObject([{ name: `Key of ${user.id}`, scopes: ['read'] }])
    expect(person['second_factor']).toMatchObject({ recovery_codes: 9 })
    expect(person['security_events']?.map(({ type, network }) => [type, network])).toContainEqual([
      'second-factor-on',
      '127.0.0.0/24',
    ])
    expect(person['mails']?.map(({ template }) => template)).toContain('api-key-created')
    expect(person['notification_choices']).toContainEqual({ kind: 'balance-low', app: true, mail: 'now' })
    expect(person['terms']).toMatchObject({ status: 'agreed' })
    expect(messages.map(({ text }) => text)).toEqual([`A question of ${user.id}`])
    for (const part of [...Object.keys(person), 'messages.json', 'picture']) expect(readme).toContain(part)
    for (const secret of [...secrets, ...(await storedSecrets(user.id))]) expect(all).not.toContain(secret)
  })

  // covers FP-80
  it('holds nothing of other users, neither of the same account nor of another white-label', async () => {
    const users = await Promise.all([newUser(), newUser(), newUser('ng')])
    const codes: string[] = []
    for (const user of users) codes.push((await fill(user)).code)
    const [first, second, foreign] = await Promise.all(
      users.map((user, n) => copyOf(user, { password: PASSWORD, code: codes[n] ?? '' })),
    )
    for (const [n, copy] of [first, second, foreign].entries()) {
      expect(copy?.all).toContain(users[n]?.id)
      for (const other of users.toSpliced(n, 1)) {
        expect(copy?.all).not.toContain(other.id)
        expect(copy?.all).not.toContain(`First ${other.id.slice(-6)}`)
      }
    }
  })

  it('names no other person that a call of the user changed', async () => {
    const owner = await newUser()
    const target = newId()
    const details = JSON.stringify({ call: 'team.deactivate', target, fields: '' })
    await query(
      `insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
       values (now(), 'people-changed', 'dsp', $1, $2, 1)`,
      [owner.id, details],
    )
    const { all, person } = await copyOf(owner)
    expect(person['security_events']).toMatchObject([{ type: 'people-changed', details: { call: 'team.deactivate' } }])
    expect(all).not.toContain(target)
  })

  // covers FP-80
  it('needs the password, and the code while the second factor is on', async () => {
    const user = await newUser()
    const wrong = await ask(user, { password: 'wrong' })
    expect([wrong.status, answerOf(wrong).data.errors[0]?.key]).toEqual([400, 'password.wrong'])
    const { code } = await fill(user)
    for (const body of [{ password: PASSWORD }, { password: PASSWORD, code: '000000' }]) {
      const refused = await ask(user, body)
      expect([refused.status, answerOf(refused).data.errors[0]?.key]).toEqual([400, 'password.code'])
    }
    expect((await ask(user, { password: PASSWORD, code })).status).toBe(200)
  })

  // covers FP-80
  it("a copy of a user's own data is made three times a day, and each time is a security event with a mail", async () => {
    const user = await newUser()
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push(await ask(user))
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(statuses[0]?.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.zip"$/)
    expect(statuses[0]?.headers.get('cache-control')).toBe('no-store')
    const events = `select 1 from app.security_events where person_id = $1 and type = 'own-data-downloaded'`
    const mails = `select 1 from app.mails where person_id = $1 and template = 'own-data-downloaded'`
    expect([(await query(events, [user.id])).length, (await query(mails, [user.id])).length]).toEqual([3, 3])
  })

  it('holds something of each table about people, or the test says why not', async () => {
    const rows = await query<{ name: string }>(
      `select distinct c.table_schema || '.' || c.table_name as name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.column_name = 'person_id' and t.table_type = 'BASE TABLE' and c.table_schema in ('app', 'identity') order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([...Object.keys(HELD), ...Object.keys(LEFT_OUT)].sort())
    const { person } = await copyOf(await newUser())
    for (const part of Object.values(HELD).filter((name) => !name.endsWith('.json') && name !== 'picture'))
      expect(person).toHaveProperty(part)
  })
})
