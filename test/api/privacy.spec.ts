import { createHash, randomUUID } from 'node:crypto'
import { createKysely } from '#platform/database/pool'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeople } from '#platform/identity/people'
import { isErasedMark } from '#domain/kit/personal'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { rebuild } from '#projections/projector/rebuild'
import { READ_MODELS } from '#projections/read-models'
import { runTool } from '../support/command-line.ts'
import { tablesWith } from '../support/database-search.ts'
import {
  eventually,
  PASSWORD,
  publishable,
  sessionOf,
  startTestProduct,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'

const ZEB = {
  id: randomUUID(),
  first_name: 'Zebulon',
  last_name: 'Quackenbush',
  email: 'zebulon.q@dsp.example',
  phone: '+20 100 555 0199',
}
/** Advertising ids of Zebulon's phones, and one of Olivia's. */
const ZEBS = ['38400000-8cf0-11bd-b23e-10b96e4000ab', 'aebe52e7-03ee-455a-b3c4-e57283966239']
const OLIVIAS = 'c0ffee00-1111-4222-8333-444455556666'

type Devices = Campaignish & { readonly test_devices?: readonly string[] }
type Entry = {
  readonly revision: number
  readonly author: string
  readonly state_difference: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[]
  readonly current_state: { readonly test_devices?: readonly string[] }
}

describe('personal data', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let auditor: Session
  let zeb: Session
  let refreshToken: string
  let id: string
  beforeAll(async () => {
    product = await startTestProduct()
    ;[ada, owner, moderator, auditor] = (await Promise.all(
      ['ada@nile.example', 'owner@dsp.example', 'moderator@dsp.example', 'auditor@dsp.example'].map((email) => product.as(email)),
    )) as [Session, Session, Session, Session]
    const { rows } = await product.database.pool.query<{ home_space_id: string }>(
      "select home_space_id from identity.people where email = 'owner@dsp.example'",
    )
    await createPeople(createKysely(product.database.pool), { demo: true }).create({
      ...ZEB,
      whitelabel_id: 'dsp',
      home_space_id: rows[0]?.home_space_id ?? '',
      roles: ['WL_OWNER'],
      password: PASSWORD,
    })
    const signedIn = await signIn()
    zeb = sessionOf(product.base, signedIn.data.access_token)
    refreshToken = signedIn.data.refresh_token
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
    // Revision 2: Zebulon's phones. 3: Olivia's as well. 4: Zebulon publishes, so the campaign waits for review.
    await zeb.call('PUT', '/v1/campaign', { id, test_devices: ZEBS }, { 'idempotency-key': 'devices of zebulon' })
    await owner.call('PUT', '/v1/campaign', { id, test_devices: [...ZEBS, OLIVIAS] }, { 'idempotency-key': 'devices of olivia' })
    await zeb.call('POST', '/v1/campaign/saveAndPublish', { id }, { 'idempotency-key': 'published by zebulon' })
  })
  afterAll(() => product.stop())

  const post = async (path: string, form: Record<string, string>) => {
    const response = await fetch(product.base + path, { method: 'POST', body: new URLSearchParams(form) })
    const envelope: { type: { code: number }; data: { access_token: string; refresh_token: string } } = await response.json()
    return { status: response.status, code: envelope.type.code, data: envelope.data }
  }
  const signIn = () => post('/v1/oauth/token', { grant_type: 'password', username: ZEB.email, password: PASSWORD })
  const get = async (session: Session, campaign = id) => (await session.call<Devices>('GET', `/v1/campaign/${campaign}`)).data
  const log = async (session: Session) =>
    (await session.call<{ data: Entry[] }>('GET', `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`)).data.data
  const save = (session: Session, body: object) => session.call<Devices>('PUT', '/v1/campaign', { id, ...body })
  const verified = async () => (await auditor.call<{ valid: boolean; faults: string[] }>('GET', `/v1/campaign/${id}/verify`)).data
  const foundAnywhere = async (texts: readonly string[]) =>
    (await Promise.all(texts.map((text) => tablesWith(product.database.pool, text)))).flat()

  it('personal data is readable by staff as it was written, and not by the advertiser', async () => {
    for (const session of [owner, moderator, auditor]) {
      expect((await get(session)).test_devices).toEqual([...ZEBS, OLIVIAS])
      const [third, second] = (await log(session)).slice(-3)
      expect(second?.state_difference).toEqual([{ path: 'test_devices', value: ZEBS, from: [], to: ZEBS }])
      expect(third?.current_state.test_devices).toEqual([...ZEBS, OLIVIAS])
    }
    expect((await get(ada)).test_devices).toBeUndefined()
  })

  // covers FP-22
  it('personal data is not in the log, the read models or the stored answers', async () => {
    expect(await foundAnywhere([...ZEBS, OLIVIAS])).toEqual([])
    // The search does cover these tables: it finds text that is not personal.
    expect(await tablesWith(product.database.pool, (await get(ada)).name)).toEqual(
      expect.arrayContaining(['app.answers', 'es.events', 'public.rm_campaign_list__g1', 'public.rm_campaign_revisions__g1']),
    )
    const events = await auditor.call<{ data: string }[]>('GET', `/v1/campaign/${id}/events`)
    expect(events.data[1]?.data).toContain(`personal:v1:${ZEB.id}:`)
  })

  it('personal data cannot be guessed from the hash that distinguishes repeats from other requests', async () => {
    const hashes = (body: object) =>
      createHash('sha256')
        .update(`${JSON.stringify(body)}\0/v1/campaign`)
        .digest('hex')
    expect(await foundAnywhere([hashes({ id, test_devices: ZEBS })])).toEqual([])
    const key = { 'idempotency-key': 'a free field' }
    const plain = { id, deal_link: 'https://deal.example/1' }
    expect((await owner.call('PUT', '/v1/campaign', plain, key)).code).toBe(0)
    expect(await foundAnywhere([hashes(plain)])).toEqual(['app.answers', 'es.events'])
    const again = { id, test_devices: ZEBS }
    const repeat = await zeb.call('PUT', '/v1/campaign', again, { 'idempotency-key': 'devices of zebulon' })
    expect([repeat.code, repeat.data.revision]).toEqual([0, 2])
    const other = await zeb.call('PUT', '/v1/campaign', { id, test_devices: [] }, { 'idempotency-key': 'devices of zebulon' })
    expect(other.code).toBe(141)
  })

  it('makes no revision when it is sent again, by any user', async () => {
    const { revision } = await get(owner)
    for (const session of [owner, zeb])
      expect((await save(session, { test_devices: [...ZEBS, OLIVIAS] })).data.revision).toBe(revision)
  })

  it('personal data is in the answer of a dry run, which stores nothing', async () => {
    const before = await product.stored()
    const dry = await owner.call<{ diff: unknown[] }>('PUT', '/v1/campaign?dry_run=true', { id, test_devices: [OLIVIAS] })
    expect(dry.data.diff).toEqual([{ path: 'test_devices', from: [...ZEBS, OLIVIAS], to: [OLIVIAS] }])
    expect(await product.stored()).toEqual(before)
  })

  it('personal data is not stored when an advertiser sends it', async () => {
    const { revision } = await get(owner)
    expect((await save(ada, { test_devices: ['an-advertisers-own-phone'] })).data.revision).toBe(revision)
    expect(await foundAnywhere(['an-advertisers-own-phone'])).toEqual([])
  })

  it('personal data is erased by the command line only after a confirmation and with the right name', async () => {
    const { url } = product.database
    const no = await runTool('api/cli/privacy.ts', ['erase', ZEB.email], url, { input: 'no\n' })
    expect([no.code, no.out]).toEqual([1, ''])
    expect(no.err).toContain('Nothing was erased.')
    const silent = await runTool('api/cli/privacy.ts', ['erase', ZEB.email], url)
    expect([silent.code, silent.out]).toEqual([1, ''])
    const unknown = await runTool('api/cli/privacy.ts', ['erase', 'unknown@dsp.example', '--yes'], url)
    expect([unknown.code, unknown.out]).toEqual([1, ''])
    expect(unknown.err).toContain('No user matches unknown@dsp.example.')
    expect((await runTool('api/cli/privacy.ts', ['forget', ZEB.email], url)).code).toBe(2)
    expect((await get(owner)).test_devices).toEqual([...ZEBS, OLIVIAS])
  })

  it('personal data is found by name, address and phone before it is erased', async () => {
    expect(await tablesWith(product.database.pool, ZEB.email)).toEqual(['identity.people'])
    expect(await tablesWith(product.database.pool, ZEB.phone)).toEqual(['identity.people'])
    expect(await tablesWith(product.database.pool, ZEB.last_name)).toEqual(['app.answers', 'identity.people'])
  })

  describe('personal data after an erasure', () => {
    beforeAll(async () => {
      await zeb.call('GET', '/v1/user/me')
      const erased = await runTool('api/cli/privacy.ts', ['erase', ZEB.email], product.database.url, { input: 'erase\n' })
      expect(erased.code).toBe(0)
      expect(erased.out).toBe(
        [
          `Erased user ${ZEB.id}:`,
          '  names, address, phone and password',
          '  the key of the personal data that this user entered',
          '  1 sessions',
          '  4 stored answers of all users, since any of them may name this one',
          '',
        ].join('\n'),
      )
    })

    it('personal data after an erasure is not in the database', async () => {
      const { first_name, last_name, email, phone } = ZEB
      expect(await foundAnywhere([...ZEBS, first_name, last_name, email, phone])).toEqual([])
    })

    it('personal data after an erasure is a mark in the answers of owner, moderator and auditor, beside data that is not erased', async () => {
      for (const session of [owner, moderator, auditor]) {
        const { test_devices } = await get(session)
        expect(test_devices?.map(isErasedMark)).toEqual([true, true, false])
        expect(test_devices?.[2]).toBe(OLIVIAS)
        const [third, second] = (await log(session)).slice(-3)
        expect(second?.current_state.test_devices).toEqual(test_devices?.slice(0, 2))
        expect(third?.state_difference).toMatchObject([
          { path: 'test_devices', from: test_devices?.slice(0, 2), to: test_devices },
        ])
        const at = await session.call<{ state: { test_devices: string[] } }>('GET', `/v1/campaign/${id}/at?revision=2`)
        expect(at.data.state.test_devices).toEqual(test_devices?.slice(0, 2))
        const diff = await session.call<{ changes: { to: unknown }[] }>('GET', `/v1/campaign/${id}/diff?from=1&to=3`)
        expect(diff.data.changes[0]?.to).toEqual(test_devices)
        const blame = await session.call<{ path: string; value: unknown }[]>('GET', `/v1/campaign/${id}/blame`)
        expect(blame.data.find(({ path }) => path === 'test_devices')?.value).toEqual(test_devices)
      }
    })

    it('personal data after an erasure is a name that says so in the change log and in the reasons of a status', async () => {
      expect((await log(owner)).map(({ author }) => author)).toEqual([
        'Olivia Mbeki',
        'Erased person',
        'Olivia Mbeki',
        'Erased person',
        'Ada Hassan',
      ])
      expect((await get(owner)).status_reasons[0]?.actor).toBe('Erased person')
    })

    it('does not admit the user by password, refresh token or access token', async () => {
      expect(await signIn()).toMatchObject({ status: 401, code: 401 })
      expect(await post('/v1/oauth/refresh', { refresh_token: refreshToken })).toMatchObject({ code: 5 })
      // A process caches the state of a token for up to five seconds.
      const answer = await eventually(
        () => zeb.call('GET', '/v1/user/me'),
        ({ code }) => code === 401,
      )
      expect(answer.status).toBe(401)
    })

    it('leaves the hash chain valid and the read models rebuildable', async () => {
      expect(await verified()).toMatchObject({ valid: true, faults: [] })
      const before = await log(owner)
      const db = createKysely(product.database.pool)
      const store = createPostgresEventStore({ pool: product.database.pool, url: product.database.url })
      for (const model of READ_MODELS) await rebuild(db, store, model)
      await store.close()
      expect(await log(owner)).toEqual(before)
      expect(await verified()).toMatchObject({ valid: true, faults: [] })
      expect(await foundAnywhere(ZEBS)).toEqual([])
    })

    it('lets a form with marks be saved unchanged, and removes only what was removed from it', async () => {
      const { test_devices = [], revision } = await get(owner)
      expect((await save(owner, { test_devices })).data.revision).toBe(revision)
      const fewer = await save(owner, { test_devices: test_devices.slice(1) })
      expect(fewer.data).toMatchObject({ revision: revision + 1, test_devices: test_devices.slice(1) })
    })

    it('stays unreadable after restore, undo and copy', async () => {
      const { test_devices: present, revision } = await get(owner)
      const undone = await owner.call('POST', `/v1/campaign/${id}/undo`, { revision })
      expect(undone.code).toBe(0)
      const whole = (await get(owner)).test_devices ?? []
      expect(whole.slice(1)).toEqual(present)
      expect(isErasedMark(whole[0] ?? '')).toBe(true)
      expect((await owner.call('POST', `/v1/campaign/${id}/restore`, { revision: 2 })).code).toBe(0)
      expect((await get(owner)).test_devices).toEqual(whole.slice(0, 2))
      const copy = await owner.call<Devices>('POST', '/v1/campaign', {
        replicated_from: id,
        test_devices: [...whole.slice(0, 2), OLIVIAS],
      })
      expect(copy.data.test_devices).toEqual([...whole.slice(0, 2), OLIVIAS])
      expect(await verified()).toMatchObject({ valid: true, faults: [] })
    })

    it('personal data after an erasure is a mark in a replay by the auditor, equal to the API byte for byte', async () => {
      const replayed = await runTool('api/cli/audit.ts', ['replay', id, '--revision', '3'], product.database.url)
      const at = await auditor.call<{ state: Devices }>('GET', `/v1/campaign/${id}/at?revision=3`)
      const line: { state: Devices } = JSON.parse(replayed.out)
      expect(line.state.test_devices).toEqual(at.data.state.test_devices)
    })

    it('personal data after an erasure is reported as already erased by a second erasure', async () => {
      const again = await runTool('api/cli/privacy.ts', ['erase', ZEB.id], product.database.url)
      expect(again.code).toBe(0)
      expect(again.out).toMatch(/^User .* was already erased at \d{4}-.*\.\n$/)
    })
  })
})
