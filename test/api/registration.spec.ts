import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyIn, linkIn, mailTo, outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, sessionOf, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Every registration of this file comes from one network. */
let product: TestProduct
let stranger: Session
let [owner, moderator, admin]: Session[] = []
beforeAll(async () => {
  product = await startTestProduct()
  stranger = sessionOf(product.base, '')
  ;[owner, moderator, admin] = await Promise.all(
    ['owner@dsp.example', 'moderator@dsp.example', 'admin@dsp.example'].map((email) => product.as(email)),
  )
})
afterAll(() => product.stop())

const PASSWORD = 'Kestrel-Quarry#58'
const FORM = {
  agree_with_tos: true,
  company_name: 'Delta Foods',
  email: 'new@delta.example',
  first_name: 'Nadia',
  last_name: 'Osei',
  phone: '+234 801 234 5678',
  user_type_key: 1,
  currency: 'USD',
  country: 'NG',
}
type Registrant = {
  readonly id: string
  readonly email: string
  readonly created_at: string
  readonly due_at: string
  readonly currency: string
}
type Queue = { readonly registrants: { readonly total_size: number; readonly data: readonly Registrant[] } }

/** Empties the limits: tests send more than a network may. */
const withoutLimits = () => product.database.pool.query('delete from app.reservations')

async function registered(over: Partial<typeof FORM> & { readonly language_key?: number } = {}): Promise<Registrant> {
  await withoutLimits()
  const form = { ...FORM, ...over }
  expect(await stranger.call('POST', '/v1/registration', form)).toMatchObject({ status: 200, code: 0 })
  const queue = await eventually(
    () => queueOf(moderator),
    ({ registrants }) => registrants.data.some(({ email }) => email === form.email),
  )
  return queue.registrants.data.find(({ email }) => email === form.email) as Registrant
}
const queueOf = async (session: Session | undefined): Promise<Queue> =>
  (await session!.call<Queue>('POST', '/v1/whitelabel/admin/moderation/queue', { page_size: 150 })).data
const decide = (session: Session | undefined, verdict: 'approve' | 'reject', id: string, comment?: string) =>
  session!.call<{ errors: unknown }>('POST', `/v1/whitelabel/admin/registration/${verdict}`, { id, comment })
const complete = (token: string, password = PASSWORD) => stranger.call('POST', '/v1/registration/complete', { token, password })
const verify = (token: string) => stranger.call<{ email: string }>('POST', `/v1/registration/verify-token/${token}`)
const statusOf = async (email: string): Promise<number> =>
  (await product.database.pool.query('select status_key from identity.people where email = $1', [email])).rows[0]?.status_key

/** A registration that is approved, and the key in its mail. */
async function approved(over: Partial<typeof FORM>): Promise<{ readonly id: string; readonly key: string }> {
  const { id, email } = await registered(over)
  expect((await decide(moderator, 'approve', id)).code).toBe(0)
  return { id, key: keyIn(await mailTo(product.dataDir, email)) }
}

describe('a registration', () => {
  // covers REG-30..32 REG-47..49 REG-51 ADM-41..43 ERR-33 FP-56 FP-57
  it('a registration is screened, confirmed by mail, completed with a password, and signs in', async () => {
    const { id, created_at, due_at } = await registered()
    expect(Date.parse(due_at)).toBeGreaterThan(Date.parse(created_at))
    expect((await signInWith(FORM.email, PASSWORD)).code).toBe(401)
    expect(await outboxOf(product.dataDir)).toEqual([])
    expect(await statusOf(FORM.email)).toBe(1)

    expect((await decide(moderator, 'approve', id)).code).toBe(0)
    const mail = await mailTo(product.dataDir, FORM.email)
    expect(await statusOf(FORM.email)).toBe(2)
    expect(linkIn(mail).pathname).toMatch(/^\/auth\/confirm-registration\/[\w-]{43}$/)
    expect(linkIn(mail).origin).toBe(product.base)
    expect((await queueOf(moderator)).registrants.data.map(({ email }) => email)).not.toContain(FORM.email)

    const { status, data, headers } = await verify(keyIn(mail))
    expect({ status, data }).toMatchObject({
      status: 200,
      data: {
        company_name: 'Delta Foods',
        first_name: 'Nadia',
        last_name: 'Osei',
        phone: '+234 801 234 5678',
        email: FORM.email,
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await complete(keyIn(mail))).toMatchObject({ status: 200, code: 0 })
    expect(await statusOf(FORM.email)).toBe(5)
    const signed = await signInWith(FORM.email, PASSWORD)
    expect(signed.code).toBe(0)
    const me = await sessionOf(product.base, signed.data.access_token).call<{
      space_name: string
      roles: string[]
      currency: string
    }>('GET', '/v1/user/me')
    expect(me.data).toMatchObject({ space_name: 'Delta Foods', roles: ['USER_OWNER'], currency: 'USD' })
    expect(await verify(keyIn(mail))).toMatchObject({ status: 409, code: 162 })
    expect(await complete(keyIn(mail))).toMatchObject({ status: 409, code: 162 })
    const seen = await eventually(
      () =>
        moderator!.call<{ status: string; history: { type: string; author: string }[] }>(
          'GET',
          `/v1/whitelabel/admin/registration/${id}`,
        ),
      ({ data: { status } }) => status === 'completed',
    )
    expect(seen.data).toMatchObject({
      history: [
        { type: 'RegistrationSubmitted', author: 'Nadia Osei' },
        { type: 'RegistrationApproved', author: 'Marek Novak' },
        { type: 'RegistrationCompleted', author: 'Nadia Osei' },
      ],
    })
  })

  // covers FP-56
  it('answers 0 for an address that has an account, and mails that to its owner once a day', async () => {
    await withoutLimits()
    for (let i = 0; i < 3; i++)
      expect(await stranger.call('POST', '/v1/registration', { ...FORM, email: ' ADA@nile.example' })).toMatchObject({ code: 0 })
    const known = 'You already have a Placard account'
    await mailTo(product.dataDir, 'ada@nile.example', 1, known)
    await eventually(requests, (n) => n === 0)
    expect(
      (await outboxOf(product.dataDir)).filter((one) => recipientOf(one) === 'ada@nile.example' && one.subject === known),
    ).toHaveLength(1)
    expect(await statusOf('ada@nile.example')).toBe(5)
  })

  it('a registration of an address that waits for a decision sends nothing', async () => {
    await withoutLimits()
    const email = 'victim@delta.example'
    const send = (over: object) => stranger.call('POST', '/v1/registration', { ...FORM, email, ...over })
    expect((await send({})).code).toBe(0)
    await eventually(requests, (n) => n === 0)
    expect((await send({ first_name: 'Someone' })).code).toBe(0)
    await eventually(requests, (n) => n === 0)
    const { rows } = await product.database.pool.query(
      `select template from app.mails m join identity.people p on p.id = m.person_id where p.email = $1`,
      [email],
    )
    expect(rows).toEqual([])
    await withoutLimits()
  })

  it('a registration is not completed while its user is suspended', async () => {
    const { id, key } = await approved({ email: 'suspended@delta.example' })
    await product.database.pool.query('update identity.people set suspended = true where id = $1', [id])
    expect((await complete(key)).code).toBe(5)
    await product.database.pool.query('update identity.people set suspended = false where id = $1', [id])
    expect((await complete(key)).code).toBe(0)
  })

  it('a registration is limited per address, whatever its case, and not together with other addresses', async () => {
    await withoutLimits()
    const send = async (email: string) => (await stranger.call('POST', '/v1/registration', { ...FORM, email })).status
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push(await send(i % 2 === 0 ? 'one@gamma.example' : 'ONE@gamma.example'))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await send('two@gamma.example')).toBe(200)
    await withoutLimits()
  })

  it('a registration is limited per address within its white-label, whatever was sent to another one', async () => {
    await withoutLimits()
    const body = { ...FORM, email: 'both@gamma.example' }
    const send = async () => (await stranger.call('POST', '/v1/registration', body)).status
    for (let i = 0; i < 5; i++) expect(await send()).toBe(200)
    expect(await send()).toBe(429)
    const host = `ng.localhost:${new URL(product.base).port}`
    expect(await withHost(host, '/v1/registration', { ...body, currency: 'NGN' })).toBe(200)
    await withoutLimits()
  })

  it('a registration may be in NGN on the host of ng only', async () => {
    await withoutLimits()
    const { port } = new URL(product.base)
    const body = { ...FORM, email: 'ada@lagos2.example', currency: 'NGN' }
    const answer = await withHost(`ng.localhost:${port}`, '/v1/registration', body)
    expect(answer).toBe(200)
    const queue = await eventually(
      () => queueOf(admin),
      ({ registrants }) => registrants.data.some(({ email }) => email === body.email),
    )
    const found = queue.registrants.data.find(({ email }) => email === body.email) as Registrant
    expect(found).toMatchObject({ currency: 'NGN' })
    // Moderators of another white-label do not see it.
    expect((await queueOf(moderator)).registrants.data.map(({ id }) => id)).not.toContain(found.id)
    expect(await decide(moderator, 'approve', found.id)).toMatchObject({ status: 404, code: 161 })
    expect((await decide(admin, 'approve', found.id)).code).toBe(0)
    expect(linkIn(await mailTo(product.dataDir, body.email)).host).toBe(`ng.localhost:${port}`)
  })

  it('a registration is limited per network', async () => {
    await withoutLimits()
    const codes = []
    for (let i = 0; i < 25; i++)
      codes.push((await stranger.call('POST', '/v1/registration', { ...FORM, email: `flood${i}@delta.example` })).status)
    expect(codes.filter((status) => status === 200)).toHaveLength(20)
    expect(codes.filter((status) => status === 429)).toHaveLength(5)
    await withoutLimits()
  })

  it('concurrent approvals of a registration take effect once', async () => {
    const { id } = await registered({ email: 'race@delta.example' })
    const verdicts = await Promise.all([moderator, owner, admin].map((session) => decide(session, 'approve', id)))
    expect(verdicts.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 162, 162])
    await mailTo(product.dataDir, 'race@delta.example')
    const { rows } = await product.database.pool.query('select count(*)::int as n from app.mails where person_id = $1', [id])
    expect(rows[0].n).toBe(1)
  })

  // covers USR-15
  it('a registration is rejected with a reason by mail, and may be submitted again', async () => {
    const { id } = await registered({ email: 'again@delta.example' })
    expect((await decide(owner, 'reject', id, 'Please use an address of <your> company')).code).toBe(0)
    const mail = await mailTo(product.dataDir, 'again@delta.example')
    expect(mail.text).toContain('Please use an address of <your> company')
    expect(mail.html).toContain('&lt;your&gt;')
    expect(await statusOf('again@delta.example')).toBe(3)
    expect((await owner!.call('GET', `/v1/user/${id}`)).data).toMatchObject({
      moderator_comment: 'Please use an address of <your> company',
    })
    await withoutLimits()
    await stranger.call('POST', '/v1/registration', { ...FORM, email: 'again@delta.example', first_name: 'Second' })
    await eventually(
      () => queueOf(moderator),
      ({ registrants }) => registrants.data.some((one) => one.id === id),
    )
    expect((await decide(moderator, 'approve', id)).code).toBe(0)
    expect((await mailTo(product.dataDir, 'again@delta.example', 2)).text).toContain('Hello Second')
  })

  it('does not store the reason or a name in the log', async () => {
    const { rows } = await product.database.pool.query(`
      select data::text as data from es.events where stream_id like 'registration-%'`)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.map(({ data }) => data).join('')).not.toMatch(/delta|Nadia|Osei|company|801 234/i)
  })

  it('gets its mail in its own language', async () => {
    const { id } = await registered({ email: 'russian@delta.example', first_name: 'Анна', language_key: 2 })
    await decide(moderator, 'approve', id)
    const mail = await mailTo(product.dataDir, 'russian@delta.example')
    expect(mail.subject).toBe('Подтвердите регистрацию в Placard')
    expect(mail.text).toContain('Здравствуйте, Анна!')
  })

  // covers REG-52
  it('gets another mail on request; both links work until one is used', async () => {
    const { id, key } = await approved({ email: 'resend@delta.example' })
    expect(await moderator!.call('POST', '/v1/whitelabel/user/confirmation/email/resend', { id })).toMatchObject({
      status: 403,
      code: 3,
    })
    expect((await owner!.call('POST', '/v1/whitelabel/user/confirmation/email/resend', { id })).code).toBe(0)
    const second = keyIn(await mailTo(product.dataDir, 'resend@delta.example', 2))
    expect(second).not.toBe(key)
    expect((await verify(key)).code).toBe(0)
    expect((await complete(second)).code).toBe(0)
    expect((await complete(key)).code).toBe(162)
    expect(await owner!.call('POST', '/v1/whitelabel/user/confirmation/email/resend', { id })).toMatchObject({ code: 162 })
  })

  // covers REG-28 REG-50
  it('chooses among countries that need no token', async () => {
    const { data } = await stranger.call<readonly object[]>('GET', '/v1/geo/country')
    expect(data.length).toBeGreaterThan(200)
    expect(data).toContainEqual({ iso_code: 'NG', name: 'Nigeria', timezone_offset_seconds: 3600 })
  })

  it('an active user who never registered has no registration: another confirmation mail is 162', async () => {
    const { data } = await (await product.as('bola@lagos.example')).call<{ id: string }>('GET', '/v1/user/me')
    const again = await product.as('admin@dsp.example')
    const refusal = await again.call('POST', '/v1/whitelabel/user/confirmation/email/resend', { id: data.id })
    expect(refusal).toMatchObject({ status: 409, code: 162 })
  })

  // covers ERR-34
  it('a registration of an account is completed before staff switch into it: 163', async () => {
    const into = (space: string) => owner!.call('POST', `/v1/user/account/switch/${space}`)
    const waiting = await registered({ email: 'early@delta.example' })
    const { rows } = await product.database.pool.query('select home_space_id as space from identity.people where id = $1', [
      waiting.id,
    ])
    expect(await into(rows[0].space)).toMatchObject({ status: 409, code: 163 })
    expect((await decide(moderator, 'approve', waiting.id)).code).toBe(0)
    expect(await into(rows[0].space)).toMatchObject({ status: 409, code: 163 })
    // Callers who may not see the account learn nothing of it.
    const ada = await product.as('ada@nile.example')
    expect(await ada.call('POST', `/v1/user/account/switch/${rows[0].space}`)).toMatchObject({ status: 404, code: 6 })
    expect((await complete(keyIn(await mailTo(product.dataDir, 'early@delta.example')))).code).toBe(0)
    expect(await into(rows[0].space)).toMatchObject({ status: 200, code: 0 })
  })

  // covers FP-38
  it.each([
    ['forged', () => 'x'.repeat(43), 5], // covers ERR-18
    ['of another purpose', async () => resetKeyOf('bola@lagos.example'), 5],
  ])('a registration with a %s token is refused', async (_, tokenOf, code) => {
    const token = await tokenOf()
    expect((await verify(token)).code).toBe(code)
    expect((await complete(token)).code).toBe(code)
  })

  // covers ERR-17 FP-38
  it('a registration with an expired token is refused with 4', async () => {
    const { id, key } = await approved({ email: 'late@delta.example' })
    await product.database.pool.query(
      `update identity.mail_keys set expires_at = now() - interval '1 second' where person_id = $1`,
      [id],
    )
    expect(await verify(key)).toMatchObject({ status: 401, code: 4 })
    expect((await complete(key)).code).toBe(4)
  })

  it('a registration is completed once by two at once', async () => {
    const { key } = await approved({ email: 'twice@delta.example' })
    const both = await Promise.all([complete(key), complete(key, 'Walnut-Harbour#77')])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('a registration is not completed with a password that holds the name of the company', async () => {
    const { key } = await approved({ email: 'password@delta.example' })
    const refusal = await complete(key, 'Delta Foods#1A')
    expect(refusal).toMatchObject({ status: 400, code: 2 })
    expect(refusal.message).toContain('personal information')
  })
})

describe('a forgotten password', () => {
  // covers AUTH-52..56
  it('a forgotten password is replaced by the link of a mail, which ends every session and works once', async () => {
    await withoutLimits()
    const before = await signIn(product.base, 'clerk@nile.example')
    const key = await resetKeyOf('clerk@nile.example')
    const finish = (newPassword: string) => stranger.call('POST', '/v1/user/reset-password/finish', { newPassword, key })
    expect((await finish('Karim#2026')).message).toBe(
      'Password should not contain any of your personal information-specifically real name, company name.',
    )
    expect((await finish('Placard#2026')).message).toBe('The new password must differ from the old one.')
    const both = await Promise.all([finish('Thicket-Lantern#31'), finish('Thicket-Lantern#31')])
    expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 5])
    await eventually(
      () => before.call('GET', '/v1/user/me'),
      ({ status }) => status === 401,
    )
    expect((await signInWith('clerk@nile.example', 'Thicket-Lantern#31')).code).toBe(0)
    expect((await signInWith('clerk@nile.example', 'Placard#2026')).code).toBe(401)
    expect((await finish('Marble-Otter#64')).code).toBe(5)
    expect((await mailTo(product.dataDir, 'clerk@nile.example', 2)).subject).toBe('Your Placard password was changed')
  })

  it('a forgotten password of an unknown address gets the same answer and no mail', async () => {
    await withoutLimits()
    const before = (await outboxOf(product.dataDir)).length
    for (const address of ['nobody@delta.example', 'not an address'])
      expect(await stranger.call('POST', '/v1/user/reset-password/init', address)).toMatchObject({
        status: 200,
        code: 0,
        data: {},
      })
    await eventually(
      async () => (await product.database.pool.query('select 1 from app.mails where sent_at is null')).rows.length,
      (n) => n === 0,
    )
    expect(await outboxOf(product.dataDir)).toHaveLength(before)
  })

  // covers FP-73
  it('a forgotten password has one link that works, for an hour', async () => {
    const first = await resetKeyOf('bola@lagos.example')
    const second = await resetKeyOf('bola@lagos.example')
    const finish = (key: string) =>
      stranger.call('POST', '/v1/user/reset-password/finish', { newPassword: 'short', key }).then(({ code }) => code)
    // The newer one is refused for its password, the older one before that.
    expect([await finish(first), await finish(second)]).toEqual([5, 2])
    const { rows } = await product.database.pool.query(
      `select expires_at - created_at <= interval '1 hour' as short from identity.mail_keys where purpose = 'reset' and used_at is null`,
    )
    expect(rows.map(({ short }) => short)).not.toContain(false)
  })

  it('a forgotten password with an expired key is refused with 4', async () => {
    await withoutLimits()
    const key = await resetKeyOf('bola@lagos.example')
    await product.database.pool.query(
      `update identity.mail_keys set expires_at = now() - interval '1 second' where purpose = 'reset'`,
    )
    expect(
      await stranger.call('POST', '/v1/user/reset-password/finish', { newPassword: 'Thicket-Lantern#31', key }),
    ).toMatchObject({
      status: 401,
      code: 4,
    })
  })

  it('asks for mails at most five times an hour for one address', async () => {
    await withoutLimits()
    const codes = []
    for (let i = 0; i < 7; i++)
      codes.push((await stranger.call('POST', '/v1/user/reset-password/init', 'nobody@x.example')).status)
    expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429])
    await withoutLimits()
  })
})

describe('an account that staff add', () => {
  const ADDED = {
    ...FORM,
    email: 'added@delta.example',
    source: 'linkedin_ad',
    niche: 'food',
    position: 'CEO',
    type: 'agency',
    rewarded_ads_cpm_rate: 1,
    whitelabel_id: 'dsp',
  }
  const add = (session: Session | undefined, over: Partial<typeof ADDED> = {}) =>
    session!.call<{ id: string; space_id: string }>('POST', '/v1/whitelabel/admin/account/add', { ...ADDED, ...over })

  // covers ADM-46 ROLE-10
  it('an account that staff add is open at once, and its owner gets a mail at once', async () => {
    const { code, data } = await add(owner)
    expect(code).toBe(0)
    expect(await statusOf(ADDED.email)).toBe(2)
    const mail = await mailTo(product.dataDir, ADDED.email)
    expect((await complete(keyIn(mail))).code).toBe(0)
    const balance = await owner!.call('GET', `/v1/space/balance/${data.space_id}`)
    expect(balance.code).toBe(0)
  })

  // covers ERR-31 FP-56
  it('an account that staff add with a taken address is refused with 160', async () => {
    expect(await add(owner, { email: 'Bola@lagos.example' })).toMatchObject({ status: 409, code: 160 })
  })

  it('an account of another white-label is added by system administrators only', async () => {
    expect(await add(owner, { email: 'am@delta.example', whitelabel_id: 'am' })).toMatchObject({ status: 404, code: 170 })
    expect((await add(admin, { email: 'am@delta.example', whitelabel_id: 'am', currency: 'AMD' })).code).toBe(0)
    expect(await add(admin, { email: 'xx@delta.example', whitelabel_id: 'nowhere' })).toMatchObject({ status: 404, code: 170 })
  })

  it('an account that staff add is added once by a repeat with its key', async () => {
    const key = { 'idempotency-key': 'add once' }
    const send = () =>
      owner!.call<{ id: string }>('POST', '/v1/whitelabel/admin/account/add', { ...ADDED, email: 'key@delta.example' }, key)
    const [first, second] = [await send(), await send()]
    expect(first.code).toBe(0)
    expect(second.data.id).toBe(first.data.id)
  })
})

it('registrations of two strangers with the same idempotency key are both accepted, and a repeat is one', async () => {
  await withoutLimits()
  const before = await submitted()
  const send = (email: string) =>
    stranger.call('POST', '/v1/registration', { ...FORM, email }, { 'idempotency-key': 'the key of two strangers' })
  for (const email of ['one@key.example', 'two@key.example', 'one@key.example']) expect((await send(email)).code).toBe(0)
  const found = async () =>
    (await queueOf(moderator)).registrants.data.map(({ email }) => email).filter((email) => email.endsWith('@key.example'))
  const both = await eventually(found, (emails) => emails.includes('one@key.example') && emails.includes('two@key.example'))
  expect(both.toSorted()).toEqual(['one@key.example', 'two@key.example'])
  // A repeat that was accepted again is in the log, whether or not the queue shows it yet.
  expect(await submitted()).toBe(before + 2)
})

const submitted = async (): Promise<number> =>
  (await product.database.pool.query(`select 1 from es.events where type = 'RegistrationSubmitted'`)).rows.length

const requests = async (): Promise<number> =>
  (await product.database.pool.query('select 1 from app.registration_requests')).rows.length

const RESET = 'Reset your'

async function resetKeyOf(email: string): Promise<string> {
  await withoutLimits()
  const before = (await outboxOf(product.dataDir)).filter(
    (mail) => recipientOf(mail) === email && mail.subject?.includes(RESET),
  ).length
  expect((await stranger.call('POST', '/v1/user/reset-password/init', email)).code).toBe(0)
  return keyIn(await mailTo(product.dataDir, email, before + 1, RESET))
}

async function signInWith(username: string, password: string) {
  const body = new URLSearchParams({ grant_type: 'password', username, password })
  const response = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
  const { type, data } = await response.json()
  return { code: type.code as number, data: data as { access_token: string } }
}

/** Sends a call to another host of the product; fetch cannot set the header. */
async function withHost(host: string, path: string, body: unknown): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, product.base),
      { method: 'POST', headers: { host, 'content-type': 'application/json' } },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
