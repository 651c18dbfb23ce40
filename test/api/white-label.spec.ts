import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WhiteLabelOut } from '#contract/white-label'
import type { WhitelabelInfo } from '#contract/white-label-info'
import { createWhiteLabels } from '#api/areas/white-label/white-labels'
import { createKysely } from '#platform/database/pool'
import { keyIn, linkIn, mailTo } from '../support/mails.ts'
import {
  eventually,
  png,
  sendFile,
  sessionOf,
  signIn,
  startTestProduct,
  type Session,
  type TestProduct,
} from '../support/product.ts'

let product: TestProduct
let owner: Session
let admin: Session
beforeAll(async () => {
  product = await startTestProduct({ PLACARD_PUBLIC_URL: 'https://placard.example', PLACARD_DOCUMENTATION: 'off' })
  owner = await product.as('owner@dsp.example')
  admin = await product.as('admin@dsp.example')
})
afterAll(() => product.stop())

/** A request under another host name. */
async function send(host: string, path: string, body?: string, type = 'application/x-www-form-urlencoded') {
  const { port } = new URL(product.base)
  const headers = { host, ...(body === undefined ? {} : { 'content-type': type }) }
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end(body)
  })
}

async function infoOf(host: string): Promise<WhitelabelInfo> {
  const { data }: { data: WhitelabelInfo } = JSON.parse((await send(host, '/v1/whitelabel/info')).text)
  return data
}

const save = (session: Session, id: string, body: unknown) =>
  session.call<WhiteLabelOut & { position: string; errors: { path: string; key: string }[] }>('PUT', `/v1/whitelabel/${id}`, body)

describe('the white-label of a host', () => {
  // covers WL-23
  it.each([
    ['ng.placard.example', 'ng', 'production'], // covers WL-07
    ['localhost:3000', 'dsp', 'local'], // covers WL-08
    ['127.0.0.1', 'dsp', 'local'],
    ['am.test.placard.example', 'am', 'test'], // covers WL-09
    ['tn.dev.placard.example', 'tn', 'dev'],
    ['unknown.localhost', 'dsp', 'local'],
  ])('%s is %s, and its environment is %s', async (host, id, environment) => {
    expect(await infoOf(host)).toMatchObject({ id, environment })
  })

  // covers WL-10..18 WL-23 WL-24
  it('answers its name and settings without a token', async () => {
    const { code, data } = await sessionOf(product.base, '').call<WhitelabelInfo>('GET', '/v1/whitelabel/info')
    expect(code).toBe(0)
    expect(data).toEqual({
      id: 'dsp',
      name: 'Placard',
      time_zone: 'UTC',
      timezone_offset_seconds: 0,
      file_id: null,
      audio_ads: true,
      documentation: false,
      environment: 'local',
      whitelabel_settings: {
        term_of_service_url: null,
        help_url: null,
        company_logo: null,
        primary_color: null,
        secondary_color: null,
        warning_color: null,
        gauge_color: null,
        default_locale: 'en_US',
      },
    })
  })
})

describe('branding', () => {
  // covers WL-03 WL-04 WL-21
  it('the branding is saved by the owner, and read back by the call and by everyone', async () => {
    const body = {
      name: 'Nile Ads',
      timezone_offset_seconds: 7200,
      whitelabel_settings: {
        primary_color: '#1F7A4D',
        warning_color: '#aa5500',
        term_of_service_url: 'https://nile.example/terms',
        help_url: 'https://nile.example/help',
        default_locale: 'ru_RU',
      },
    }
    const saved = await save(owner, 'dsp', body)
    expect([saved.code, saved.data.name, saved.data.whitelabel_settings.primary_color]).toEqual([0, 'Nile Ads', '#1f7a4d'])
    expect((await infoOf('localhost')).whitelabel_settings).toMatchObject({
      primary_color: '#1f7a4d',
      term_of_service_url: 'https://nile.example/terms',
      default_locale: 'ru_RU',
    })
    expect((await infoOf('localhost')).whitelabel_settings).not.toHaveProperty('second_factor_required')
    const { data } = await owner.call<WhiteLabelOut>('GET', '/v1/whitelabel/dsp')
    expect(data).toMatchObject({ ...body, whitelabel_settings: { ...body.whitelabel_settings, primary_color: '#1f7a4d' } })
    // An absent field stays, and another white-label is untouched.
    await save(owner, 'dsp', { whitelabel_settings: { primary_color: null } })
    const info = await infoOf('localhost')
    expect([info.name, info.whitelabel_settings.primary_color, info.whitelabel_settings.warning_color]).toEqual([
      'Nile Ads',
      null,
      '#aa5500',
    ])
    expect((await infoOf('ng.placard.example')).name).toBe('Placard')
  })

  it('the branding is refused with every fault at once, by the names of the wire', async () => {
    const refused = await save(owner, 'dsp', {
      name: '',
      timezone_offset_seconds: 5,
      file_id: 'nothing',
      whitelabel_settings: { primary_color: 'red', term_of_service_url: 'javascript:alert(1)' },
    })
    expect([refused.status, refused.code]).toEqual([400, 2])
    expect(refused.data.errors.map(({ path, key }) => `${path} ${key}`)).toEqual([
      'name required',
      'timezone_offset_seconds timezone',
      'whitelabel_settings.primary_color hexColor',
      'whitelabel_settings.term_of_service_url publicUrl',
      'file_id notAnImage',
    ])
  })

  it('the branding has the logo that its owner uploaded, which outlives the removal of unused files', async () => {
    const file = await sendFile(product.base, owner.token, '/v1/file/upload3', await png(320, 80), 'logo.png')
    expect((await save(owner, 'dsp', { file_id: file.data.file_id })).code).toBe(0)
    const { file_id, whitelabel_settings } = await infoOf('localhost')
    expect(whitelabel_settings.company_logo).toBe(`/v1/file/cache/${file_id}`)
    expect((await fetch(product.base + whitelabel_settings.company_logo)).headers.get('content-type')).toBe('image/png')
    const { rows } = await product.database.pool.query('select claimed_at from app.files where id = $1', [file_id])
    expect(rows[0]).toMatchObject({ claimed_at: expect.any(Date) })
    expect((await save(owner, 'dsp', { file_id: null })).data.whitelabel_settings.company_logo).toBeNull()
  })

  it("does not take another account's file as logo", async () => {
    const nile = await product.as('ada@nile.example')
    const file = await sendFile(product.base, nile.token, '/v1/file/upload3', await png(20, 20), 'theirs.png')
    const refused = await save(owner, 'dsp', { file_id: file.data.file_id })
    expect([refused.code, refused.data.errors.map(({ path }) => path)]).toEqual([2, ['file_id']])
  })

  it('answers a repeated save with the stored result, and refuses another body under its key', async () => {
    const once = (name: string) =>
      owner.call<WhiteLabelOut>('PUT', '/v1/whitelabel/dsp', { name }, { 'idempotency-key': 'brand-1' })
    const [first, repeat] = [await once('Keyed'), await once('Keyed')]
    expect(repeat.data).toEqual(first.data)
    expect((await once('Other')).code).toBe(141)
  })

  it('keeps both of two saves at once that change different fields', async () => {
    const answers = await Promise.all([
      save(owner, 'dsp', { whitelabel_settings: { gauge_color: '#112233' } }),
      save(admin, 'dsp', { whitelabel_settings: { secondary_color: '#445566' } }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    expect((await infoOf('localhost')).whitelabel_settings).toMatchObject({ gauge_color: '#112233', secondary_color: '#445566' })
  })

  it('shows within a second in another process', async () => {
    const other = createWhiteLabels(createKysely(product.database.pool))
    await save(owner, 'dsp', { name: 'Seen elsewhere' })
    await eventually(
      async () => {
        await other.refresh()
        return other.brandOf('dsp')
      },
      ({ name }) => name === 'Seen elsewhere',
    )
    expect(other.brandOf('unknown').id).toBe('dsp')
  })
})

describe('rights to customise', () => {
  // covers ROLE-09
  it.each(['moderator', 'accountant', 'auditor'])('%s may not', async (name) => {
    const person = await product.as(`${name}@dsp.example`)
    expect([(await save(person, 'dsp', { name: 'Mine' })).status, (await person.call('GET', '/v1/whitelabel/dsp')).code]).toEqual(
      [403, 3],
    )
  })

  it('an advertiser may not customise, and an owner may not customise another white-label, which is not found', async () => {
    expect((await save(await product.as('ada@nile.example'), 'dsp', { name: 'Mine' })).status).toBe(403)
    for (const id of ['ng', 'nowhere', 'DSP']) {
      const answer = await save(owner, id, { name: 'Mine' })
      expect([answer.status, answer.code]).toEqual([404, 170])
      expect((await owner.call('GET', `/v1/whitelabel/${id}`)).code).toBe(170)
    }
    expect((await save(admin, 'ng', { name: 'Lagos Ads' })).code).toBe(0)
    expect((await infoOf('ng.localhost')).name).toBe('Lagos Ads')
  })

  it('the approval of own work is still set by its own call', async () => {
    expect((await owner.call<{ own_approval: boolean }>('GET', '/v1/whitelabel/settings')).data).toEqual({ own_approval: false })
    expect((await owner.call('PUT', '/v1/whitelabel/settings', { own_approval: true })).code).toBe(0)
    expect((await owner.call<{ own_approval: boolean }>('GET', '/v1/whitelabel/settings')).data).toEqual({ own_approval: true })
  })
})

describe('a system administrator', () => {
  const create = (session: Session, body: unknown) =>
    session.call<WhiteLabelOut & { errors: { path: string }[] }>('POST', '/v1/whitelabel', body)

  // covers FP-29
  it('creates a white-label with a house for its staff; nobody else does', async () => {
    expect((await create(owner, { id: 'acme', name: 'Acme' })).status).toBe(403)
    expect((await create(admin, { id: 'acme', name: 'Acme Ads', timezone_offset_seconds: 3600 })).data).toMatchObject({
      id: 'acme',
      name: 'Acme Ads',
    })
    expect((await infoOf('acme.placard.example')).name).toBe('Acme Ads')
    expect((await create(admin, { id: 'acme', name: 'Again' })).data.errors.map(({ path }) => path)).toEqual(['id'])
    const house = await eventually(
      () => product.database.pool.query("select house from rm_accounts where whitelabel_id = 'acme'"),
      ({ rows }) => rows.length > 0,
    )
    expect(house.rows).toEqual([{ house: true }])
    const { data } = await admin.call<{ data: WhiteLabelOut[] }>('GET', '/v1/whitelabel')
    expect(data.data.map(({ id }) => id)).toEqual(['acme', 'am', 'dsp', 'ng', 'tn'])
  })

  it('creates a white-label whose first owner is invited by mail, and whose house the record names', async () => {
    const email = 'sade@zeta.example'
    const wrong = await create(admin, { id: 'zeta', name: 'Zeta Ads', owner_email: 'sade' })
    expect([wrong.code, wrong.data.errors.map(({ path }) => path)]).toEqual([2, ['owner_email']])
    expect((await infoOf('zeta.placard.example')).name).not.toBe('Zeta Ads')
    const made = await create(admin, { id: 'zeta', name: 'Zeta Ads', owner_email: ` ${email.toUpperCase()} ` })
    expect(made).toMatchObject({ code: 0, data: { id: 'zeta', house_space_id: expect.any(String) as string } })
    const mail = await mailTo(product.dataDir, email)
    expect(linkIn(mail).hostname).toMatch(/^zeta\./)
    const key = keyIn(mail)
    const complete = JSON.stringify({ token: key, password: 'Kestrel-Quarry#58' })
    expect((await send('zeta.localhost', '/v1/registration/complete', complete, 'application/json')).status).toBe(200)
    const signIn = `username=${encodeURIComponent(email)}&password=${encodeURIComponent('Kestrel-Quarry#58')}`
    expect((await send('zeta.localhost', '/v1/oauth/token', signIn)).status).toBe(200)
    const { data } = await admin.call<{ data: WhiteLabelOut[] }>('GET', '/v1/whitelabel')
    const house = data.data.find(({ id }) => id === 'zeta')?.house_space_id
    expect(house).toBe(made.data.house_space_id)
    const { rows } = await product.database.pool.query(
      'select home_space_id, whitelabel_id, roles from identity.people where email = $1',
      [email],
    )
    expect(rows).toEqual([{ home_space_id: house, whitelabel_id: 'zeta', roles: ['WL_OWNER'] }])
    // The house of the demo has its own id; its team is reached by it.
    const dsp = data.data.find(({ id }) => id === 'dsp')?.house_space_id
    const team = await admin.call<{ people: { email: string }[] }>('GET', `/v1/space/${dsp}/team`)
    expect(team.data.people.map((one) => one.email)).toContain('owner@dsp.example')
  })

  it('suspends a white-label: its people cannot sign in, their sessions end, and a restore lets them in again', async () => {
    // The demo has one white-label, which cannot be suspended itself: move one person.
    const refused = await admin.call('POST', '/v1/whitelabel/dsp/suspend', {})
    expect([refused.status, refused.code]).toEqual([403, 3])
    expect((await owner.call('POST', '/v1/whitelabel/ng/suspend', {})).status).toBe(403)
    const bola = await signIn(product.base, 'bola@lagos.example')
    expect((await bola.call('GET', '/v1/user/me')).code).toBe(0)
    await product.database.pool.query("update identity.people set whitelabel_id = 'acme' where email = 'bola@lagos.example'")
    expect((await admin.call<WhiteLabelOut>('POST', '/v1/whitelabel/acme/suspend', { reason: 'unpaid' })).data.suspended).toBe(
      true,
    )
    await eventually(
      () => bola.call('GET', '/v1/user/me'),
      ({ status }) => status === 401,
    )
    const attempt = () => send('acme.localhost', '/v1/oauth/token', 'username=bola%40lagos.example&password=Placard%232026')
    expect((await attempt()).status).toBe(401)
    expect((await admin.call<WhiteLabelOut>('POST', '/v1/whitelabel/acme/restore')).data.suspended).toBe(false)
    await eventually(
      () => product.database.pool.query('select 1 from identity.suspended_whitelabels'),
      ({ rows }) => rows.length === 0,
    )
    expect((await attempt()).status).toBe(200)
    await product.database.pool.query("update identity.people set whitelabel_id = 'dsp' where email = 'bola@lagos.example'")
  })
})
