import { ERASERS } from '#api/areas/index'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasePerson } from '#platform/identity/erasure'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createLimits } from '#platform/limits/limits'
import { createMailKeys } from '#platform/mail/mail-keys'
import { createPeople } from '#platform/identity/people'
import { PASSWORD, png, sendFile, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly challenge?: string
  readonly second_factor?: boolean
}

describe("a user's own record", () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())

  /** A user of their own, so that tests do not end each other's sessions. */
  async function newUser(): Promise<{ readonly id: string; readonly email: string }> {
    const id = newId()
    const email = `${id}@nile.example`
    const db = createKysely(product.database.pool)
    const { rows } = await product.database.pool.query<{ home_space_id: string }>(
      `select home_space_id from identity.people where email = 'ada@nile.example'`,
    )
    await createPeople(db, { demo: true }).create({
      id,
      whitelabel_id: 'dsp',
      home_space_id: rows[0]?.home_space_id ?? '',
      roles: ['USER_OWNER'],
      first_name: 'Amina',
      last_name: 'Okafor',
      company_name: 'Delta Boats',
      email,
      phone: null,
      password: PASSWORD,
    })
    return { id, email }
  }
  async function token(body: Record<string, string>, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0') {
    const response = await fetch(`${product.base}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { 'user-agent': userAgent },
    })
    const { type, data }: { type: { code: number }; data: Tokens } = await response.json()
    return { status: response.status, code: type.code, data }
  }
  const password = (email: string, word = PASSWORD, userAgent?: string) =>
    token({ grant_type: 'password', username: email, password: word }, userAgent)
  async function signedIn(): Promise<{ readonly user: { id: string; email: string }; readonly session: Session }> {
    const user = await newUser()
    return { user, session: sessionOf(product.base, (await password(user.email)).data.access_token) }
  }
  const isOver = async ({ token: access }: Session) =>
    // A session check is cached for up to 4 s; another process would see its end at once.
    (
      await product.database.pool.query(`select 1 from identity.session_families where id = $1 and revoked_at is null`, [
        sessionId(access),
      ])
    ).rowCount === 0
  const sessionId = (access: string): string =>
    (JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

  const codeFor = (secret: string, at = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: at })

  /** A user whose second factor is on. */
  async function withFactor({ user, session }: Awaited<ReturnType<typeof signedIn>>) {
    const begun = await session.call<{ secret: string; url: string }>('POST', '/v1/user/second-factor/begin', {
      password: PASSWORD,
    })
    // The code of the step before leaves the current one for the sign-in.
    const on = await session.call<{ recovery_codes: string[] }>('POST', '/v1/user/second-factor/confirm', {
      code: codeFor(begun.data.secret, Date.now() - 30_000),
    })
    expect(on.code).toBe(0)
    return { user, session, secret: begun.data.secret, url: begun.data.url, codes: on.data.recovery_codes }
  }

  describe('profile', () => {
    it('saves names, phone, language, kind and notifications, and records which changed', async () => {
      const { user, session } = await signedIn()
      const saved = await session.call('PUT', `/v1/user/${user.id}`, {
        first_name: '  Amara ',
        phone: '+234 803-123-4567',
        language_key: 2,
        user_type_key: 2,
        notifications: { balance: false },
      })
      expect(saved.code).toBe(0)
      const me = await session.call<Record<string, unknown>>('GET', '/v1/user/me')
      expect(me.data).toMatchObject({
        first_name: 'Amara',
        last_name: 'Okafor',
        phone: '+234 803-123-4567',
        language_key: 2,
        locale: 'ru_RU',
        user_type_key: 2,
        settings: { allow_make_payment: true, notifications: { balance: false, moderation: true } },
      })
      const events = await session.call<{ type: string; details: { fields?: string } }[]>('GET', '/v1/user/sign-ins')
      expect(events.data[0]).toMatchObject({
        type: 'profile-changed',
        details: { fields: 'first_name, phone, language_key, user_type_key, notifications' },
      })
    })

    // covers USR-01 USR-05 USR-07 USR-08 USR-09 USR-10 USR-12 USR-17 USR-24
    it('answers the whole record', async () => {
      const { user, session } = await signedIn()
      const { data } = await session.call<Record<string, unknown>>('GET', `/v1/user/${user.id}`)
      expect(data).toMatchObject({
        id: user.id,
        email: user.email,
        first_name: 'Amina',
        phone: null,
        locale: 'en_US',
        language_key: 1,
        role_key: 'USER_OWNER',
        roles: ['USER_OWNER'],
        settings: { allow_make_payment: true },
        whitelabel_id: 'dsp',
        status_key: 5,
        deleted_at: null,
      })
      expect(Date.parse(String(data['created_at']))).toBeGreaterThan(0)
      expect(Date.parse(String(data['updated_at']))).toBeGreaterThan(0)
    })

    it.each([
      ['a name with an address', { first_name: 'Win at evil.example' }, 'body.first_name'],
      ['a phone with letters', { phone: 'call me' }, 'phone'],
      ['an unknown language', { language_key: 3 }, 'body.language_key'],
    ])('refuses %s with 2', async (_, body, path) => {
      const { session } = await signedIn()
      const answer = await session.call('PUT', '/v1/user/me', body)
      expect(answer.code).toBe(2)
      expect(answer.data.errors[0]?.path.replace('body.', '')).toBe(path.replace('body.', ''))
    })

    // covers ERR-16 ERR-19
    it('the profile of an unknown user is not found, and one in reach is shown only to users who read accounts', async () => {
      const { session } = await signedIn()
      expect(await session.call('GET', '/v1/user/unknown')).toMatchObject({ status: 404, code: 6, message: 'User not found' })
      const ada = await product.as('ada@nile.example')
      const { data } = await ada.call<{ id: string }>('GET', '/v1/user/me')
      expect(await session.call('GET', `/v1/user/${data.id}`)).toMatchObject({ status: 403, code: 3, message: 'Illegal action' })
    })

    it('the profile of a system administrator is hidden from the owner of the white-label that they belong to', async () => {
      const { data } = await (await product.as('admin@dsp.example')).call<{ id: string }>('GET', '/v1/user/me')
      const owner = await product.as('owner@dsp.example')
      expect(await owner.call('GET', `/v1/user/${data.id}`)).toMatchObject({ status: 404, code: 6 })
      const moderator = await product.database.pool.query(`select id from identity.people where email = 'moderator@dsp.example'`)
      expect((await owner.call('GET', `/v1/user/${moderator.rows[0].id}`)).code).toBe(0)
    })

    it('the profile of a system administrator is in lists of administrators, and in none of the owner of the white-label', async () => {
      const admin = await product.as('admin@dsp.example')
      const owner = await product.as('owner@dsp.example')
      const { data: self } = await admin.call<{ id: string; space_id: string }>('GET', '/v1/user/me')
      // From before they had this role.
      await product.database.pool.query(
        `insert into app.chats (person_id, whitelabel_id, messages, last_at, last_text, waiting, read_by_person)
         values ($1, 'dsp', 1, now(), 'From above', true, 1)`,
        [self.id],
      )
      const listedTo = async (by: Session) =>
        Promise.all(
          ['/v1/whitelabel/admin/staff', `/v1/space/${self.space_id}/people`].map(async (path) => {
            const { status, data } = await by.call<unknown>('GET', path)
            return [status, JSON.stringify(data).includes(self.id)]
          }),
        )
      expect(await listedTo(owner)).toEqual([200, 200].map((status) => [status, false]))
      expect(await listedTo(admin)).toEqual([200, 200].map((status) => [status, true]))
      expect((await owner.call('GET', `/v1/chat/inbox/${self.id}`)).code).toBe(6)
      expect((await admin.call('GET', `/v1/chat/inbox/${self.id}`)).code).toBe(0)
    })

    it('a user cannot save the record of another', async () => {
      const { session } = await signedIn()
      const other = await newUser()
      expect((await session.call('PUT', `/v1/user/${other.id}`, { first_name: 'Taken' })).code).toBe(6)
    })

    // covers USR-06 USR-28
    it('stores a picture as a square without metadata, and shows it to signed-in users only', async () => {
      const { session } = await signedIn()
      const sent = await sendFile(
        product.base,
        session.token,
        '/v1/user/profile/image?x=10&y=0&size=90',
        await png(200, 100),
        'me.png',
      )
      const { picture_id: picture } = sent.data as { picture_id?: string }
      const me = await session.call<{ profile_image: { picture_id: string } }>('GET', '/v1/user/me')
      expect(me.data.profile_image.picture_id).toBe(picture)
      const path = `${product.base}/v1/user/profile/image/${picture}`
      const shown = await fetch(path, { headers: { authorization: `Bearer ${session.token}` } })
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect((await fetch(path)).status).toBe(401)
      await session.call('DELETE', '/v1/user/profile/image')
      expect((await fetch(path, { headers: { authorization: `Bearer ${session.token}` } })).status).toBe(404)
    })

    it('refuses a square outside the picture, and a file that is no image', async () => {
      const { session } = await signedIn()
      const outside = await sendFile(product.base, session.token, '/v1/user/profile/image?x=150&y=0&size=90', await png(200, 100))
      const text = await sendFile(product.base, session.token, '/v1/user/profile/image', Buffer.from('<svg onload=alert(1)>'))
      expect([outside.code, text.code]).toEqual([2, 2])
    })
  })

  describe('password', () => {
    it('a password is changed with the old one, ends the other sessions, and answers a new session', async () => {
      const { user, session } = await signedIn()
      const other = sessionOf(product.base, (await password(user.email)).data.access_token)
      const changed = await session.call<Tokens>('POST', '/v1/user/change-password', {
        oldPassword: PASSWORD,
        newPassword: 'Quiet#River7',
      })
      expect(changed.code).toBe(0)
      expect([await isOver(session), await isOver(other)]).toEqual([true, true])
      expect((await sessionOf(product.base, changed.data.access_token).call('GET', '/v1/user/me')).code).toBe(0)
      expect((await password(user.email)).status).toBe(401)
      expect((await password(user.email, 'Quiet#River7')).status).toBe(200)
      const mails = await product.database.pool.query(`select template from app.mails where person_id = $1`, [user.id])
      expect(mails.rows).toContainEqual({ template: 'password-changed' })
    })

    it.each([
      ['one with the company', 'X1#Delta Boats', 'Password should not contain any of your personal information'],
      ['the old one', 'Placard#2026', 'must differ from the old one'],
    ])('refuses %s', async (_, newPassword, message) => {
      const { session } = await signedIn()
      const answer = await session.call('POST', '/v1/user/change-password', { oldPassword: PASSWORD, newPassword })
      expect(answer.code).toBe(2)
      expect(answer.data.errors[0]?.message).toContain(message)
    })

    it('a password cannot be guessed at an unlocked screen', async () => {
      const { session } = await signedIn()
      const tries = []
      for (let n = 0; n < 12; n++)
        tries.push(
          (await session.call('POST', '/v1/user/change-password', { oldPassword: `wrong ${n}`, newPassword: 'Quiet#River7' }))
            .status,
        )
      expect(tries.slice(0, 10).every((status) => status === 400)).toBe(true)
      expect(tries.slice(10)).toEqual([429, 429])
    })
  })

  describe('sessions', () => {
    it('sessions are listed with their browser, and end one by one or all but the current', async () => {
      const { user, session } = await signedIn()
      const agents = [
        'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
        'curl/8',
      ]
      const others: Session[] = []
      for (const agent of agents)
        others.push(sessionOf(product.base, (await password(user.email, PASSWORD, agent)).data.access_token))
      const list = await session.call<{ id: string; current: boolean; browser: string | null; network: string | null }[]>(
        'GET',
        '/v1/user/sessions',
      )
      expect(list.data).toHaveLength(4)
      expect(list.data.filter(({ current }) => current)).toHaveLength(1)
      expect(list.data.some(({ browser }) => browser === 'Firefox 140')).toBe(true)
      const firefox = list.data.find(({ browser }) => browser === 'Firefox 140')
      expect((await session.call('DELETE', `/v1/user/sessions/${firefox?.id}`)).code).toBe(0)
      expect(await isOver(others[0] ?? session)).toBe(true)
      const ended = await session.call<{ ended: number }>('POST', '/v1/user/sessions/end-others')
      expect(ended.data.ended).toBe(2)
      expect((await session.call('GET', '/v1/user/me')).code).toBe(0)
    })

    it('a user cannot end the session of another', async () => {
      const [mine, theirs] = [await signedIn(), await signedIn()]
      expect((await mine.session.call('DELETE', `/v1/user/sessions/${sessionId(theirs.session.token)}`)).code).toBe(131)
      expect(await isOver(theirs.session)).toBe(false)
    })

    it('sessions from a new device are mailed to their user, but not the first one', async () => {
      const { user } = await signedIn()
      await password(user.email)
      const count = async () =>
        (
          await product.database.pool.query(`select 1 from app.mails where person_id = $1 and template = 'new-sign-in'`, [
            user.id,
          ])
        ).rowCount
      expect(await count()).toBe(0)
      await password(user.email, PASSWORD, 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0')
      await password(user.email, PASSWORD, 'Mozilla/5.0 (Windows NT 10.0) Firefox/141.0')
      expect(await count()).toBe(1)
    })
  })

  describe('second factor', () => {
    // covers FP-58
    it('asks for a code after the password, and each code works once', async () => {
      const { user, secret, url } = await withFactor(await signedIn())
      expect(url).toMatch(/^otpauth:\/\/totp\/Placard/)
      const first = await password(user.email)
      expect([first.status, first.code, first.data.second_factor]).toEqual([401, 401, true])
      expect(first.data.access_token).toBeUndefined()
      const challenge = first.data.challenge ?? ''
      expect((await token({ grant_type: 'otp', challenge, code: '000000' })).status).toBe(401)
      const code = codeFor(secret)
      const second = await password(user.email)
      const both = await Promise.all([
        token({ grant_type: 'otp', challenge, code }),
        token({ grant_type: 'otp', challenge: second.data.challenge ?? '', code }),
      ])
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    })

    it('allows five attempts per challenge, and a challenge no other password', async () => {
      const { user, secret } = await withFactor(await signedIn())
      const { data } = await password(user.email)
      const challenge = data.challenge ?? ''
      for (let n = 0; n < 5; n++) expect((await token({ grant_type: 'otp', challenge, code: '000000' })).code).toBe(401)
      expect((await token({ grant_type: 'otp', challenge, code: codeFor(secret) })).code).toBe(5)
      expect((await token({ grant_type: 'otp', challenge: 'forged', code: codeFor(secret) })).code).toBe(5)
    })

    it('does not lock its owner out when a thief of the password tries codes elsewhere', async () => {
      const { user, secret } = await withFactor(await signedIn())
      const db = createKysely(product.database.pool)
      // Another network has used up its codes, and with it what all unknown networks share.
      const limits = createLimits(db, newId)
      const strangers = { key: `sign-in codes ${user.id}`, limit: 1000, seconds: 900 }
      await Promise.all(Array.from({ length: 100 }, () => limits.reserve([strangers])))
      const { data } = await password(user.email)
      expect((await token({ grant_type: 'otp', challenge: data.challenge ?? '', code: codeFor(secret) })).status).toBe(200)
    })

    it('mails its owner after three wrong codes, once, and when a recovery code is used', async () => {
      const { user, codes } = await withFactor(await signedIn())
      const mails = async (template: string) =>
        (await product.database.pool.query(`select 1 from app.mails where person_id = $1 and template = $2`, [user.id, template]))
          .rowCount
      const attempt = async (code: string) => {
        const { data } = await password(user.email)
        return (await token({ grant_type: 'otp', challenge: data.challenge ?? '', code })).status
      }
      for (let n = 0; n < 2; n++) expect(await attempt('000000')).toBe(401)
      expect(await mails('wrong-codes')).toBe(0)
      for (let n = 0; n < 3; n++) await attempt('111111')
      expect(await mails('wrong-codes')).toBe(1)
      expect(await attempt(codes[0] ?? '')).toBe(200)
      expect(await mails('recovery-code-used')).toBe(1)
    })

    it('the second factor is switched off with the password and a code', async () => {
      const { user, session, codes } = await withFactor(await signedIn())
      const off = (body: object) => session.call('POST', '/v1/user/second-factor/remove', body)
      expect((await off({ password: 'wrong', code: codes[0] })).code).toBe(2)
      expect((await off({ password: PASSWORD, code: '000000' })).code).toBe(2)
      expect((await off({ password: PASSWORD, code: codes[0] })).code).toBe(0)
      expect((await password(user.email)).status).toBe(200)
    })

    it('the second factor cannot be begun again while it is on, nor without the password', async () => {
      const { session } = await withFactor(await signedIn())
      expect((await session.call('POST', '/v1/user/second-factor/begin', { password: PASSWORD })).code).toBe(3)
      const other = await signedIn()
      expect((await other.session.call('POST', '/v1/user/second-factor/begin', { password: 'wrong' })).code).toBe(2)
    })

    it('the second factor is unreadable in the database, and gone with its person', async () => {
      const { user, secret } = await withFactor(await signedIn())
      const { rows } = await product.database.pool.query<{ secret: string }>(
        `select secret from identity.second_factors where person_id = $1`,
        [user.id],
      )
      expect(rows[0]?.secret).toMatch(/^personal:v1:/)
      expect(rows[0]?.secret).not.toContain(secret)
      await erasePerson(createKysely(product.database.pool), user.id, ERASERS)
      for (const table of ['second_factors', 'recovery_codes', 'api_keys', 'pictures', 'known_devices', 'challenges']) {
        const left = await product.database.pool.query(`select 1 from identity.${table} where person_id = $1`, [user.id])
        expect([table, left.rowCount]).toEqual([table, 0])
      }
    })
  })

  describe('a white-label with an idle limit for staff', () => {
    it('refuses a session of staff that was unused for longer, and none of an advertiser', async () => {
      const owner = await product.as('owner@dsp.example')
      const limit = (staff_idle_minutes: number | null) =>
        owner.call<{ errors: readonly { readonly path: string }[] }>('PUT', '/v1/whitelabel/dsp', {
          whitelabel_settings: { staff_idle_minutes },
        })
      const refused = await limit(3)
      expect([refused.code, refused.data.errors[0]?.path]).toEqual([2, 'whitelabel_settings.staff_idle_minutes'])
      const people = ['auditor@dsp.example', 'ada@nile.example', 'admin@dsp.example']
      const signed = await Promise.all(people.map(async (email) => (await password(email)).data))
      expect((await limit(30)).code).toBe(0)
      try {
        await product.database.pool.query(
          `update identity.session_families f set last_used_at = now() - interval '31 minutes' from identity.people p
            where p.id = f.person_id and p.email = any($1)`,
          [people],
        )
        const used = signed.map(({ access_token }) => sessionOf(product.base, access_token))
        const statuses = async () => Promise.all(used.map(async ({ call }) => (await call('GET', '/v1/user/me')).status))
        // System administrators stand above the white-label that they belong to.
        await expect.poll(statuses, { interval: 500 }).toEqual([401, 200, 200])
        const refresh = async (refresh_token = '') => {
          const body = new URLSearchParams({ refresh_token })
          return (await fetch(`${product.base}/v1/oauth/refresh`, { method: 'POST', body })).status
        }
        expect(await Promise.all(signed.map(({ refresh_token }) => refresh(refresh_token)))).toEqual([401, 200, 200])
        const { rows } = await product.database.pool.query(
          `select p.email, e.details from app.security_events e join identity.people p on p.id = e.person_id
            where e.type = 'session-ended' and e.details ->> 'reason' = 'idle'`,
        )
        expect(rows).toEqual([{ email: 'auditor@dsp.example', details: { reason: 'idle', count: 1 } }])
      } finally {
        await limit(null)
      }
    })
  })

  describe('a white-label that requires a second factor of its staff', () => {
    it('lets its staff set one up, and nothing else, until they have', async () => {
      const owner = await product.as('owner@dsp.example')
      const ask = (required: boolean) =>
        owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_factor_required: required } })
      const moderator = sessionOf(product.base, (await password('moderator@dsp.example')).data.access_token)
      const queue = () =>
        moderator.call<{ second_factor_required?: boolean }>('POST', '/v1/whitelabel/admin/moderation/queue', {})
      expect((await queue()).code).toBe(0)
      expect((await ask(true)).code).toBe(0)
      await expect.poll(async () => (await queue()).code).toBe(3)
      expect((await queue()).data.second_factor_required).toBe(true)
      const ada = await product.as('ada@nile.example')
      expect((await ada.call('POST', '/v1/campaign/list/v2', {})).code).toBe(0)
      const me = await moderator.call<{ second_factor_required: boolean }>('GET', '/v1/user/me')
      expect([me.code, me.data.second_factor_required]).toEqual([0, true])
      // Setting it up may need a proof, which is open too.
      expect((await moderator.call('POST', '/v1/user/proof', { password: PASSWORD })).code).toBe(0)
      const begun = await moderator.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', {})
      const code = codeFor(begun.data.secret)
      expect((await moderator.call('POST', '/v1/user/second-factor/confirm', { code })).code).toBe(0)
      expect((await queue()).code).toBe(0)
      // System administrators stand above the white-label that they belong to.
      const root = await product.as('admin@dsp.example')
      const admin = await root.call<{ id: string; second_factor_required: boolean }>('GET', '/v1/user/me')
      expect([admin.code, admin.data.second_factor_required]).toEqual([0, false])
      // The owner has none either.
      expect((await ask(false)).code).toBe(3)
    })
  })

  describe('API keys', () => {
    async function keyWith(session: Session, scopes: readonly string[]) {
      const wanted = { name: 'CI', scopes, days: 30, password: PASSWORD }
      const made = await session.call<{ id: string; key: string }>('POST', '/v1/user/api-keys', wanted)
      return { id: made.data.id, as: sessionOf(product.base, made.data.key) }
    }

    it('API keys may do what their scopes allow, and nothing about sessions or credentials', async () => {
      const { session } = await signedIn()
      const { as } = await keyWith(session, ['read'])
      expect((await as.call('POST', '/v1/campaign/list/v2', {})).code).toBe(0)
      expect((await as.call('POST', '/v1/campaign', { name: 'By key' })).code).toBe(3)
      for (const [method, path, body] of [
        ['GET', '/v1/user/me', undefined],
        ['GET', '/v1/user/api-keys', undefined],
        ['POST', '/v1/user/api-keys', { name: 'Another', scopes: ['read'], days: 1, password: PASSWORD }],
        ['POST', '/v1/user/change-password', { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }],
        ['GET', '/v1/user/sessions', undefined],
        ['GET', '/v1/stream', undefined],
      ] as const)
        expect([path, (await as.call(method, path, body)).code]).toEqual([path, 3])
      const draft = { name: `By key ${newId()}`, country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
      const writer = await keyWith(session, ['campaigns'])
      expect((await writer.as.call('POST', '/v1/campaign', draft)).code).toBe(0)
      expect((await writer.as.call('POST', '/v1/campaign/list/v2', {})).code).toBe(3)
    })

    it('API keys are named as the source of what they change, whatever a header of the client says', async () => {
      const { session } = await signedIn()
      const { as } = await keyWith(session, ['campaigns'])
      const draft = { name: `By key ${newId()}`, country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
      const byKey = await as.call('POST', '/v1/campaign', draft, { 'x-placard-client': 'web' })
      const bySession = await session.call('POST', '/v1/campaign', { ...draft, name: `By hand ${newId()}` })
      const { rows } = await product.database.pool.query(
        `select (select metadata ->> 'source' from es.events where stream_id = stream order by version limit 1) as source
         from unnest($1::text[]) with ordinality as streams (stream, n) order by n`,
        [[`campaign-${byKey.data.id}`, `campaign-${bySession.data.id}`]],
      )
      expect(rows.map(({ source }) => source)).toEqual(['api', 'ui'])
    })

    it('API keys are shown once, list their last use, and end when revoked', async () => {
      const { session } = await signedIn()
      const { id, as } = await keyWith(session, ['read'])
      await as.call('POST', '/v1/campaign/list/v2', {})
      const list = await session.call<{ id: string; used_at: string | null; revoked_at: string | null }[]>(
        'GET',
        '/v1/user/api-keys',
      )
      expect(list.data[0]).toMatchObject({ id, name: 'CI', scopes: ['read'], revoked_at: null })
      expect(list.data[0]?.used_at).not.toBeNull()
      expect(JSON.stringify(list.data)).not.toContain(as.token)
      expect((await session.call('DELETE', `/v1/user/api-keys/${id}`)).code).toBe(0)
      await expect.poll(async () => (await as.call('POST', '/v1/campaign/list/v2', {})).status).toBe(401)
      const other = await signedIn()
      expect((await other.session.call('DELETE', `/v1/user/api-keys/${id}`)).code).toBe(131)
    })

    it('API keys are made with the password, and a code while the second factor is on, and are mailed', async () => {
      const { user, session, secret, codes } = await withFactor(await signedIn())
      const create = (over: object) =>
        session.call('POST', '/v1/user/api-keys', { name: 'CI', scopes: ['read'], days: 30, ...over })
      for (const [path, over] of [
        ['password', { password: 'wrong', code: codeFor(secret) }],
        ['code', { password: PASSWORD }],
        ['code', { password: PASSWORD, code: '000000' }],
      ] as const) {
        const { code, data } = await create(over)
        expect([code, data.errors[0]?.path]).toEqual([2, path])
      }
      const made = await create({ password: PASSWORD, code: codes[0] })
      expect(made.code).toBe(0)
      const mails = await product.database.pool.query(
        `select data->>'hint' as hint from app.mails where person_id = $1 and template = 'api-key-created'`,
        [user.id],
      )
      expect(mails.rows).toEqual([{ hint: (made.data as unknown as { key: string }).key.slice(-4) }])
    })

    /** Whether the user's key and the link for a new password that was mailed still work. */
    async function leftOf({ id }: { readonly id: string }) {
      const { rows } = await product.database.pool.query<{ keys: number; links: number }>(
        `select (select count(*)::int from identity.api_keys where person_id = $1 and revoked_at is null) as keys,
                (select count(*)::int from identity.mail_keys where person_id = $1 and used_at is null) as links`,
        [id],
      )
      return rows[0]
    }
    // covers FP-73
    it.each<[string, (user: { id: string; email: string }, session: Session) => Promise<unknown>]>([
      [
        'a new password',
        (_, session) => session.call('POST', '/v1/user/change-password', { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }),
      ],
      ['"sign out everywhere"', (_, session) => session.call('POST', '/v1/user/sessions/end-others')],
      ['the second factor, switched on', async (user, session) => withFactor({ user, session })],
    ])('API keys and links for a new password end with %s', async (_, change) => {
      const { user, session } = await signedIn()
      const { as } = await keyWith(session, ['read'])
      await createMailKeys(createKysely(product.database.pool), () => new Date().toISOString()).create(user.id, 'reset')
      expect(await leftOf(user)).toEqual({ keys: 1, links: 1 })
      await change(user, session)
      expect(await leftOf(user)).toEqual({ keys: 0, links: 0 })
      // Never used before, so no earlier check is cached.
      expect((await as.call('POST', '/v1/campaign/list/v2', {})).status).toBe(401)
    })

    // covers FP-73
    it.each([
      ['is switched off', 'remove'],
      ['gets new recovery codes', 'recovery-codes'],
    ])('API keys and links end when the second factor %s', async (_, task) => {
      const { user, session, codes } = await withFactor(await signedIn())
      const wanted = { name: 'CI', scopes: ['read'], days: 30, password: PASSWORD, code: codes[0] }
      expect((await session.call('POST', '/v1/user/api-keys', wanted)).code).toBe(0)
      await createMailKeys(createKysely(product.database.pool), () => new Date().toISOString()).create(user.id, 'reset')
      expect((await session.call('POST', `/v1/user/second-factor/${task}`, { password: PASSWORD, code: codes[1] })).code).toBe(0)
      const mailed = task === 'remove' ? 'second-factor-off' : 'recovery-codes-renewed'
      const mails = await product.database.pool.query('select template from app.mails where person_id = $1', [user.id])
      expect(mails.rows).toContainEqual({ template: mailed })
      expect(await leftOf(user)).toEqual({ keys: 0, links: 0 })
    })
  })
})
