import { createHash } from 'node:crypto'
import { get, type IncomingHttpHeaders } from 'node:http'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiskFiles } from '#platform/files/disk-files'
import { createStoredFiles } from '#platform/files/stored-files'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import {
  eventually,
  png,
  publishable,
  PASSWORD,
  sendFile,
  sessionOf,
  startTestProduct,
  upload,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'

type Body = Readonly<Record<string, unknown>>
const MEGABYTE = 1024 ** 2

describe('attacks on storage and input', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let spaceId = ''
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola] = await Promise.all([product.as('ada@nile.example'), product.as('bola@lagos.example')])
    spaceId = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => product.stop())

  const query = async <Row extends object>(text: string, ...values: unknown[]) =>
    (await product.database.pool.query<Row>(text, values)).rows
  const files = () =>
    createStoredFiles({
      db: createKysely(product.database.pool),
      blobs: createDiskFiles(join(product.dataDir, 'files')),
      newId,
    })
  const blobs = async (): Promise<readonly string[]> =>
    (await readdir(join(product.dataDir, 'files'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b))
  const create = async (over: Body = {}) =>
    (await ada.call<Campaignish & Body>('POST', '/v1/campaign', await publishable(product.base, ada, over))).data
  /** How the file answers its owner. */
  const statusOf = async (id: string | undefined): Promise<number> =>
    (await fetch(`${product.base}/v1/file/cache/${id}`, { headers: { authorization: `Bearer ${ada.token}` } })).status
  /** Random pixels, so that the content is not stored already. */
  const noise = (width: number, height: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: Math.random() * 200, sigma: 30 },
      },
    })
      .png()
      .toBuffer()

  describe('storage quotas', () => {
    const room = async () =>
      (
        await query<{ bytes: number }>(
          'select coalesce(sum(disk_bytes), 0)::float8 as bytes from app.files where space_id = $1',
          spaceId,
        )
      )[0]!.bytes

    // covers FP-49
    it('storage quotas count the unpacked size of an archive', async () => {
      const pages = Array.from({ length: 8 }, (_, n) => [`${n}.css`, new Uint8Array(MEGABYTE).fill(65 + n)] as const)
      const zip = zipSync({ 'index.html': strToU8('<p>'), ...Object.fromEntries(pages) })
      expect(zip.length).toBeLessThan(20_000)
      const before = await room()
      expect((await sendFile(product.base, ada.token, '/v1/file/upload2?width=300&height=250', zip, 'a.zip')).code).toBe(0)
      expect((await room()) - before).toBeGreaterThanOrEqual(8 * MEGABYTE)
    })

    // covers FP-26 FP-49
    it('storage quotas are reserved before bytes are written: a refused upload leaves nothing on the disk', async () => {
      const full = `insert into app.files (id, space_id, sha256, bytes, content_type, name, created_by, disk_bytes)
                    values ('full', $1, 'x', 1, 'image/png', 'x', 'x', 2147483648)`
      await query(full, spaceId)
      try {
        const before = await blobs()
        const answer = await sendFile(product.base, ada.token, '/v1/file/upload3', await noise(40, 40))
        expect([answer.status, answer.code]).toEqual([413, 181])
        expect(await blobs()).toEqual(before)
        const list = new FormData()
        list.append('name', 'over')
        list.append('file', new Blob(['news.example']), 'list.txt')
        const headers = { authorization: `Bearer ${ada.token}` }
        const whitelist = await fetch(`${product.base}/v1/campaign/whitelist/${spaceId}`, { method: 'POST', headers, body: list })
        expect([whitelist.status, (await whitelist.json()).type.code]).toEqual([413, 181])
      } finally {
        await query(`delete from app.files where id = 'full'`)
      }
    })

    it('storage quotas hold for concurrent uploads: one of them gets the last free place', async () => {
      const used = (
        await query<{ n: number }>('select coalesce(sum(disk_files), 0)::int as n from app.files where space_id = $1', spaceId)
      )[0]!.n
      await query(
        `insert into app.files (id, space_id, sha256, bytes, content_type, name, created_by, disk_files)
         values ('almost', $1, 'x', 1, 'image/png', 'x', 'x', $2)`,
        spaceId,
        9999 - used,
      )
      try {
        // Open the connections first: the uploads would run one after the other while connections open.
        await Promise.all(Array.from({ length: 10 }, () => query('select pg_sleep(0.2)')))
        const [store, owner] = [files(), { spaceId, userId: 'u' }]
        const image = (n: number) => ({
          bytes: Buffer.from(`image ${n}`),
          contentType: 'image/png',
          width: 1,
          height: 1,
          seconds: null,
        })
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => store.add(image(n), 'x', owner)))
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ rejection: { code: 181 } })
      } finally {
        await query(`delete from app.files where id = 'almost'`)
      }
    })
  })

  describe('unreferenced files', () => {
    const age = (id: string) => query(`update app.files set created_at = now() - interval '25 hours' where id = $1`, id)
    beforeAll(() => query(`update app.file_purge set since = now() - interval '2 days'`))

    // covers FP-49
    it('unreferenced files are removed with their bytes after a day, unless a campaign refers or ever referred to them', async () => {
      const [lost, kept] = await Promise.all(
        [await noise(300, 250), await noise(300, 250)].map(
          async (bytes) => (await sendFile(product.base, ada.token, '/v1/file/upload2?width=300&height=250', bytes)).data.file_id,
        ),
      )
      const banner = { width: 300, height: 250, file_id: kept, creative_name: 'b' }
      const { id } = await create({ visuals: { banners: [banner] } })
      await ada.call('PUT', '/v1/campaign', { id, visuals: { banners: [] } })
      const [{ sha256 } = { sha256: '' }] = await query<{ sha256: string }>('select sha256 from app.files where id = $1', lost)
      for (const file of [lost, kept]) await age(file!)
      expect(await files().purge()).toBe(1)
      expect(await statusOf(lost)).toBe(404)
      expect(await statusOf(kept)).toBe(200)
      expect(await blobs()).not.toContain(sha256)
    })

    it('unreferenced files are not kept by a save that was refused or a dry run', async () => {
      const { file_id } = (
        await sendFile(product.base, ada.token, '/v1/file/upload2?width=300&height=250', await noise(300, 250))
      ).data
      const { id } = await create()
      const visuals = { banners: [{ width: 300, height: 250, file_id, creative_name: 'b' }] }
      expect((await ada.call('PUT', '/v1/campaign?dry_run=true', { id, visuals })).code).toBe(0)
      expect((await ada.call('PUT', '/v1/campaign', { id, visuals, budget: -5 })).code).toBe(2)
      await age(file_id)
      await files().purge()
      expect(await statusOf(file_id)).toBe(404)
      expect((await ada.call('PUT', '/v1/campaign', { id, visuals })).code).toBe(132)
    })

    it('unreferenced files share bytes with other files, which survive their removal', async () => {
      const bytes = await noise(200, 200)
      const [one, two] = [
        (await sendFile(product.base, ada.token, '/v1/file/upload3', bytes)).data.file_id,
        (await sendFile(product.base, bola.token, '/v1/file/upload3', bytes)).data.file_id,
      ]
      await age(one)
      await files().purge()
      expect(await statusOf(one)).toBe(404)
      const left = await fetch(`${product.base}/v1/file/cache/${two}`, { headers: { authorization: `Bearer ${bola.token}` } })
      expect(left.status).toBe(200)
      expect((await left.arrayBuffer()).byteLength).toBeGreaterThan(0)
    })

    it('unreferenced files do not remain after an upload whose bytes could not be written', async () => {
      const broken = createStoredFiles({
        db: createKysely(product.database.pool),
        blobs: { ...createDiskFiles(join(product.dataDir, 'files')), put: () => Promise.reject(new Error('disk full')) },
        newId,
      })
      const file = { bytes: Buffer.from('x'), contentType: 'image/png', width: 1, height: 1, seconds: null }
      const before = await product.stored()
      await expect(broken.add(file, 'x', { spaceId, userId: 'u' })).rejects.toThrow('disk full')
      expect(await product.stored()).toEqual(before)
    })
  })

  describe('reads of files', () => {
    const fetched = async (id: string, range?: string, more: Record<string, string> = {}) => {
      const response = await fetch(`${product.base}/v1/file/cache/${id}`, {
        headers: { authorization: `Bearer ${ada.token}`, ...(range === undefined ? {} : { range }), ...more },
      })
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        cache: response.headers.get('cache-control'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }

    // covers FP-45
    it('reads of one byte do not read or hash the whole file', async () => {
      const bytes = await noise(300, 250)
      const { file_id } = (await sendFile(product.base, ada.token, '/v1/file/upload3', bytes)).data
      const [{ sha256 } = { sha256: '' }] = await query<{ sha256: string }>('select sha256 from app.files where id = $1', file_id)
      const stored = await fetched(file_id)
      expect(createHash('sha256').update(stored.bytes).digest('hex')).toBe(sha256)
      // Damage the last byte: reading the whole file detects it and answers 500.
      const path = join(product.dataDir, 'files', sha256.slice(0, 2), sha256)
      const { size } = await stat(path)
      await writeFile(path, Buffer.concat([stored.bytes.subarray(0, size - 1), Buffer.from([0])]))
      expect(await fetched(file_id, 'bytes=0-0')).toMatchObject({
        status: 206,
        range: `bytes 0-0/${size}`,
        bytes: stored.bytes.subarray(0, 1),
      })
      const whole = await fetched(file_id)
      expect(whole.status).toBe(500)
      expect(whole.cache ?? '').not.toContain('immutable')
    })

    it('reads of files answer ranges by RFC 9110', async () => {
      const { file_id } = (await sendFile(product.base, ada.token, '/v1/file/upload3', await png(20, 20))).data
      const { bytes } = await fetched(file_id)
      const size = bytes.length
      expect(await fetched(file_id, 'bytes=-10')).toMatchObject({ status: 206, range: `bytes ${size - 10}-${size - 1}/${size}` })
      expect(await fetched(file_id, `bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
      expect(await fetched(file_id, `bytes=-${size + 1}`)).toMatchObject({
        status: 206,
        range: `bytes 0-${size - 1}/${size}`,
        bytes,
      })
      expect(await fetched(file_id, 'bytes=-0')).toMatchObject({ status: 416, range: `bytes */${size}` })
      expect(await fetched(file_id, 'items=0-1')).toMatchObject({ status: 200, range: null, bytes })
      expect(await fetched(file_id, 'bytes=0-1,3-4')).toMatchObject({ status: 200, bytes })
      expect(await fetched(file_id, 'bytes=0-1', { 'if-range': '"other"' })).toMatchObject({ status: 200, bytes })
    })
  })

  describe('request bodies', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const post = async (path: string, body: string, token = ada.token, type = 'application/json') => {
      const response = await fetch(product.base + path, {
        method: 'POST',
        headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
        body,
      })
      return [response.status, (await response.json()).type.code]
    }

    it('request bodies nested 200,000 levels deep are refused with 2, also at sign-in', async () => {
      expect(await post('/v1/campaign', deep(200_000))).toEqual([400, 2])
      expect(await post('/v1/campaign', `{"traffic_targeting":${JSON.stringify(deep(200_000))}}`)).toEqual([400, 2])
      expect(await post('/v1/oauth/token', deep(200_000), '')).toEqual([400, 2])
    })

    it('request bodies with NUL in the name of a file or whitelist are refused with 2', async () => {
      const part = (disposition: string, content: string | Uint8Array) =>
        Buffer.concat([
          Buffer.from(`--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
          Buffer.from(content),
          Buffer.from('\r\n'),
        ])
      const send = async (path: string, parts: Buffer) => {
        const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${ada.token}` }
        const body = new Uint8Array(Buffer.concat([parts, Buffer.from('--x--\r\n')]))
        const response = await fetch(product.base + path, { method: 'POST', headers, body })
        return [response.status, (await response.json()).type.code]
      }
      expect(await send('/v1/file/upload3', part(`name="file"; filename*=UTF-8''a%00b.png`, await png(10, 10)))).toEqual([400, 2])
      const list = Buffer.concat([part('name="name"', 'a\0b'), part('name="file"; filename="l.txt"', 'news.example')])
      expect(await send(`/v1/campaign/whitelist/${spaceId}`, list)).toEqual([400, 2])
    })

    it('request bodies with malformed topics are refused with 2', async () => {
      const owner = await product.as('owner@dsp.example')
      const compliance = { status: 'approved', topics: [{ toString: 1 }] }
      const decision = {
        campaign_id: 'x',
        dealsPolicyCompliance: compliance,
        networkPolicyCompliance: compliance,
        platformPolicyCompliance: compliance,
      }
      const answer = await owner.call('POST', '/v1/exchange/google/decisions', { decisions: [decision] })
      expect([answer.status, answer.code]).toEqual([400, 2])
    })
  })

  describe('saves', () => {
    const put = (body: Body, headers: Record<string, string> = {}) => ada.call('PUT', '/v1/campaign', body, headers)

    it.each(['soon', '"1', 'W/1x', '-1', '1.5'])(
      'saves with the invalid If-Match %s are refused with 2 and store nothing',
      async (value) => {
        const { id } = await create()
        const before = await product.stored()
        const answer = await put({ id, budget: 77 }, { 'if-match': value })
        expect([answer.code, answer.data.errors[0]?.path]).toEqual([2, 'If-Match'])
        expect(await product.stored()).toEqual(before)
      },
    )

    it('saves against a future revision are refused with 140', async () => {
      const { id, revision } = await create()
      expect((await put({ id, budget: 77 }, { 'if-match': `"${revision + 1}"` })).code).toBe(140)
      expect((await put({ id, budget: 77, revision: revision + 1 })).code).toBe(140)
      expect((await put({ id, budget: 77 }, { 'if-match': `W/"${revision}"` })).code).toBe(0)
      expect((await put({ id, budget: 78 }, { 'if-match': '*' })).code).toBe(0)
    })

    // covers FP-66
    it('saves with a header and a body that name different revisions are refused with 140, and store nothing', async () => {
      const { id, revision } = await create()
      expect((await put({ id, budget: 71, revision }, { 'if-match': `"${revision}"` })).code).toBe(0)
      const before = await product.stored()
      for (const [body, header] of [
        [revision, revision + 1],
        [revision + 1, revision],
        [revision + 1, revision + 7],
        // Both are stale.
        [revision, revision],
      ])
        expect((await put({ id, budget: 72, revision: body }, { 'if-match': `W/"${header}"` })).code).toBe(140)
      expect(await product.stored()).toEqual(before)
      expect((await put({ id, budget: 73, revision: revision + 1 }, { 'if-match': '*' })).code).toBe(0)
      const details = `/v1/campaign/admin/${id}`
      const owner = await product.as(OWNER)
      const newest = { revision: revision + 2, margin: 12 }
      expect((await owner.call('POST', details, newest, { 'if-match': `"${revision}"` })).code).toBe(140)
      expect((await owner.call('POST', details, newest, { 'if-match': `"${revision + 2}"` })).code).toBe(0)
    })

    it('saves that name another account are refused with 1420 and store nothing, those that name the own account are accepted', async () => {
      const { id } = await create()
      const other = (await bola.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
      const before = await product.stored()
      const answer = await put({ id, space_id: other, budget: 77 })
      expect([answer.status, answer.code]).toEqual([409, 1420])
      expect(await product.stored()).toEqual(before)
      expect((await put({ id, space_id: spaceId, budget: 77 })).code).toBe(0)
    })
  })

  describe('repeated requests with one idempotency key', () => {
    const send = async (path: string, form: FormData, key: string) => {
      const headers = { authorization: `Bearer ${ada.token}`, 'idempotency-key': key }
      const response = await fetch(product.base + path, { method: 'POST', headers, body: form })
      const { type, data } = await response.json()
      return { code: type.code as number, data: data as Body }
    }
    const formOf = (bytes: Uint8Array | string, name = 'a.png', more: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [key, value] of Object.entries(more)) form.append(key, value)
      form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name)
      return form
    }

    it('repeats with one key answer an upload with the same file, also concurrently, and another file with 141', async () => {
      const bytes = await noise(50, 50)
      const answers = await Promise.all([1, 2, 3].map(() => send('/v1/file/upload3', formOf(bytes), 'upload-1')))
      expect(new Set(answers.map(({ data }) => data['file_id'])).size).toBe(1)
      expect((await send('/v1/file/upload3', formOf(await noise(50, 50)), 'upload-1')).code).toBe(141)
    })

    it('repeats with one key answer a whitelist with the same lists instead of refusing the name', async () => {
      const path = `/v1/campaign/whitelist/${spaceId}`
      const once = await send(path, formOf('news.example', 'l.txt', { name: 'keyed' }), 'list-1')
      const twice = await send(path, formOf('news.example', 'l.txt', { name: 'keyed' }), 'list-1')
      expect([once.code, twice]).toEqual([0, once])
    })
  })

  it('keeps a campaign consistent with its lists when one whitelist is removed while another is uploaded', async () => {
    const { id } = await create()
    const path = `/v1/campaign/campaign-whitelist/${id}`
    const listed = async () =>
      (await ada.call<readonly { name: string }[]>('GET', `/v1/campaign/campaign-whitelists/${id}`)).data.map(({ name }) => name)
    const upload = (name: string) => {
      const form = new FormData()
      form.append('name', name)
      form.append('file', new Blob(['news.example']), 'l.txt')
      return fetch(product.base + path, { method: 'POST', headers: { authorization: `Bearer ${ada.token}` }, body: form })
    }
    for (let n = 0; n < 8; n++) {
      expect((await upload(`old-${n}`)).status).toBe(200)
      const [, uploaded] = await Promise.all([ada.call('DELETE', `${path}/old-${n}`), upload(`new-${n}`)])
      // Both positions were current when they were answered: later writes may not be included yet.
      const position = { 'x-position': String(BigInt(uploaded.headers.get('x-position') ?? 0)) }
      const read = () => ada.call<Body>('GET', `/v1/campaign/${id}`, undefined, position)
      const flag = (await eventually(read, ({ data }) => data['has_whitelist'] === true)).data['has_whitelist']
      expect([flag, await listed()]).toEqual([true, [`new-${n}`]])
      await ada.call('DELETE', `${path}/new-${n}`)
      expect((await ada.call<Body>('GET', `/v1/campaign/${id}`)).data['has_whitelist']).toBe(false)
    }
  })

  it('shows at most 150 accounts on a page', async () => {
    const owner = await product.as('owner@dsp.example')
    const list = { page_size: 1_000_000 }
    const { data } = await owner.call<{ page_size: number }>('POST', '/v1/whitelabel/admin/accounts/list', list)
    expect(data.page_size).toBe(150)
  })
})

type Signed = { readonly access_token: string; readonly refresh_token: string; readonly space_id: string }
type Answered = { readonly status: number; readonly code: number; readonly data: Signed; readonly headers: Headers }

/** Posts a form with the client address that the proxy reports, and parses the envelope. */
async function post(base: string, path: string, form: Record<string, string>, from?: string): Promise<Answered> {
  const response = await fetch(base + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: from === undefined ? {} : { 'x-forwarded-for': from },
  })
  const { type, data }: { type: { code: number }; data: Signed } = await response.json()
  return { status: response.status, code: type.code, data, headers: response.headers }
}
const enter = (base: string, username: string, password = PASSWORD, from?: string) =>
  post(base, '/v1/oauth/token', { username, password }, from)
const refresh = (base: string, { data }: Answered) => post(base, '/v1/oauth/refresh', { refresh_token: data.refresh_token })
const statusWith = async (base: string, { data }: Answered) =>
  (await sessionOf(base, data.access_token).call('GET', '/v1/user/me')).status
const count = (all: readonly Answered[], status: number) => all.filter((one) => one.status === status).length

const ADA = 'ada@nile.example'
const OWNER = 'owner@dsp.example'

describe('demo, limits and proxies', () => {
  describe('a disabled demo', () => {
    let demo: TestProduct
    let off: TestProduct
    beforeAll(async () => {
      demo = await startTestProduct()
      off = await startTestProduct({ DATABASE_URL: demo.database.url, PLACARD_DEMO: 'off' })
    })
    afterAll(async () => {
      await off.stop()
      await demo.stop()
    })

    // covers FP-48
    it('refuses the public passwords', async () => {
      expect((await enter(off.base, OWNER)).status).toBe(401)
      expect((await enter(demo.base, OWNER)).status).toBe(200)
    })

    // covers FP-48
    it('refuses access and refresh tokens of demo users', async () => {
      const signed = await enter(demo.base, ADA)
      expect(await statusWith(off.base, signed)).toBe(401)
      expect((await refresh(off.base, signed)).code).toBe(5)
    })
  })

  describe('sign-in behind a trusted proxy', () => {
    let demo: TestProduct
    let product: TestProduct
    let second: TestProduct
    const start = () =>
      startTestProduct({ DATABASE_URL: demo.database.url, PLACARD_DEMO: 'off', PLACARD_TRUST_PROXY: '127.0.0.1' })
    beforeAll(async () => {
      demo = await startTestProduct()
      // The same users in an installation without the demo.
      await demo.database.pool.query('update identity.people set demo = false')
      ;[product, second] = [await start(), await start()]
    })
    afterAll(async () => {
      await second.stop()
      await product.stop()
      await demo.stop()
    })

    // covers FP-45
    it('checks at most as many passwords as the limit for 60 concurrent sign-ins over two processes', async () => {
      const tries = Array.from({ length: 60 }, (_, i) =>
        enter([product, second][i % 2]?.base ?? '', ADA, 'wrong', '198.51.100.7'),
      )
      const answers = await Promise.all(tries)
      expect([count(answers, 401), count(answers, 429)]).toEqual([20, 40])
      const refused = answers.find(({ status }) => status === 429)
      expect(refused?.code).toBe(2)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    it('keeps a reached limit over a restart', async () => {
      const again = await start()
      expect((await enter(again.base, ADA, 'wrong', '198.51.100.9')).status).toBe(429)
      await again.stop()
    })

    // covers FP-45
    it('does not lock out a user from a known network during a distributed attack on the address', async () => {
      expect((await enter(product.base, OWNER, PASSWORD, '203.0.113.5')).status).toBe(200)
      const attack = Array.from({ length: 120 }, (_, i) => enter(product.base, OWNER, `guess ${i}`, `10.9.${i}.1`))
      const answers = await Promise.all(attack)
      expect(count(answers, 429)).toBeGreaterThanOrEqual(20)
      expect((await enter(product.base, OWNER, PASSWORD, '203.0.113.77')).status).toBe(200)
      expect((await enter(product.base, OWNER, PASSWORD, '10.10.0.1')).status).toBe(429)
    })

    it('does not block an address for other networks after failures from one network', async () => {
      const attack = Array.from({ length: 30 }, () => enter(product.base, 'bola@lagos.example', 'wrong', '192.0.2.1'))
      expect(count(await Promise.all(attack), 429)).toBe(10)
      expect((await enter(product.base, 'bola@lagos.example', PASSWORD, '192.0.3.1')).status).toBe(200)
    })

    // covers FP-45
    it('blocks a network that tries many addresses, and counts an IPv6 /64 as one network', async () => {
      const answers = []
      for (let i = 0; i < 110; i += 10)
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 10 }, (_, n) => enter(product.base, `no.${i + n}@x.example`, 'x', `2001:db8:0:1::${i + n + 1}`)),
          )),
        )
      expect([count(answers, 401), count(answers, 429)]).toEqual([100, 10])
      expect((await enter(product.base, 'no@x.example', 'x', '2001:db8:0:2::1')).status).toBe(401)
    })

    it('never refuses frequent sign-ins with the right password', async () => {
      for (let i = 0; i < 30; i++) expect((await enter(product.base, 'auditor@dsp.example')).status).toBe(200)
    })
  })

  describe('a forged X-Forwarded-For', () => {
    let product: TestProduct
    beforeAll(async () => {
      product = await startTestProduct()
    })
    afterAll(() => product.stop())

    // covers FP-47
    it('does not change the network of a client that is not a trusted proxy', async () => {
      const attack = Array.from({ length: 30 }, (_, i) => enter(product.base, ADA, 'wrong', `10.0.${i}.1`))
      expect(count(await Promise.all(attack), 429)).toBe(10)
    })

    // covers FP-47
    it('a forged X-Forwarded-For or any other forwarding header closes /metrics, which is open to loopback otherwise', async () => {
      const metrics = (headers: Record<string, string>, base = product.base) =>
        fetch(`${base}/metrics`, { headers }).then(async (answer) => {
          await answer.text()
          return answer.status
        })
      expect(await metrics({})).toBe(200)
      for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'])
        expect([name, await metrics({ [name]: '127.0.0.1' })]).toEqual([name, 403])
    })

    // covers FP-47
    it('does not open /metrics while a proxy is trusted; to programs of this machine it stays open', async () => {
      const token = 'a service token of 32 characters'.replaceAll(' ', '-')
      const env = { PLACARD_DEMO: 'off', PLACARD_TRUST_PROXY: '1', PLACARD_SERVICE_TOKEN: token }
      const proxied = await startTestProduct(env)
      const metrics = async (headers: Record<string, string>) => {
        const answer = await fetch(`${proxied.base}/metrics`, { headers })
        await answer.text()
        return answer.status
      }
      expect(await metrics({})).toBe(200)
      const forwarded = { 'x-forwarded-for': '127.0.0.1' }
      expect(await metrics(forwarded)).toBe(403)
      expect(await metrics({ ...forwarded, authorization: `Bearer ${token}` })).toBe(200)
      await proxied.stop()
    })
  })

  describe('limits for anonymous and excessive requests', () => {
    let product: TestProduct
    beforeAll(async () => {
      product = await startTestProduct()
    })
    afterAll(() => product.stop())

    // covers FP-45
    it('limits for anonymous and excessive requests do not let an anonymous X-Position delay a request', async () => {
      const started = Date.now()
      const answer = await fetch(`${product.base}/v1/whitelabel/info`, { headers: { 'x-position': '999999999' } })
      expect([answer.status, Date.now() - started < 1000]).toEqual([200, true])
    })

    // covers FP-45
    it('limits of requests allow 8 live streams per session, and free the place of a closed stream', async () => {
      const { token } = await product.as(ADA)
      const open = async () => {
        const leaving = new AbortController()
        const headers = { authorization: `Bearer ${token}` }
        const { status } = await fetch(`${product.base}/v1/stream`, { headers, signal: leaving.signal })
        return { status, leave: () => leaving.abort() }
      }
      const streams = await Promise.all(Array.from({ length: 10 }, open))
      expect(streams.filter(({ status }) => status === 200)).toHaveLength(8)
      expect(streams.filter(({ status }) => status === 429)).toHaveLength(2)
      for (const { leave } of streams) leave()
      let next = await open()
      for (let i = 0; i < 50 && next.status !== 200; i++) {
        await new Promise((resolve) => setTimeout(resolve, 40))
        next = await open()
      }
      expect(next.status).toBe(200)
      next.leave()
    })

    it('limits of requests allow 24 live streams per user, and free the place of a closed stream for another session', async () => {
      const sessions = await Promise.all(Array.from({ length: 4 }, () => enter(product.base, 'bola@lagos.example')))
      const open = async (token = '') => {
        const leaving = new AbortController()
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${product.base}/v1/stream`, { headers, signal: leaving.signal })
        return { response, leave: () => leaving.abort() }
      }
      // No session reaches its own limit of 8.
      const streams = await Promise.all(sessions.flatMap(({ data }) => Array.from({ length: 7 }, () => open(data.access_token))))
      const statuses = streams.map(({ response }) => response.status)
      const refused = streams.find(({ response }) => response.status === 429)?.response
      expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length]).toEqual([
        24, 4,
      ])
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await refused?.json())?.type.code).toBe(2)
      const [left = -1] = statuses.flatMap((status, i) => (status === 200 ? [i] : []))
      streams[left]?.leave()
      const elsewhere = sessions[(Math.floor(left / 7) + 1) % 4]?.data.access_token
      const next = await eventually(
        () => open(elsewhere),
        ({ response }) => response.status === 200,
      )
      expect((await open(elsewhere)).response.status).toBe(429)
      for (const { leave } of [...streams, next]) leave()
    })

    // covers FP-45
    it('limits of requests allow 120 uploads a minute per user', async () => {
      const { token } = await product.as('bola@lagos.example')
      const bytes = await png(4, 4)
      const statuses = []
      for (let i = 0; i < 124; i++) statuses.push((await upload(product.base, token, bytes, 300, 250)).status)
      expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    })
  })
})

describe.concurrent('the end of a session', () => {
  let product: TestProduct
  let other: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
    other = await startTestProduct({ DATABASE_URL: product.database.url })
  })
  afterAll(async () => {
    await other.stop()
    await product.stop()
  })

  const WITHIN = 5000
  /** Signs a user in and opens a stream on each process; both processes have cached the access tokens. */
  async function watched(email = ADA) {
    const signed = await enter(product.base, email)
    const streams = [product, other].map(async ({ base }) => {
      const headers = { authorization: `Bearer ${signed.data.access_token}` }
      const response = await fetch(`${base}/v1/stream`, { headers })
      await response.text()
      return Date.now()
    })
    for (const { base } of [product, other]) expect(await statusWith(base, signed)).toBe(200)
    return { signed, streams }
  }
  async function endsWithin5s({ signed, streams }: Awaited<ReturnType<typeof watched>>, started: number) {
    for (const ended of streams) expect((await ended) - started).toBeLessThan(WITHIN)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, WITHIN - (Date.now() - started))))
    for (const { base } of [product, other]) expect(await statusWith(base, signed)).toBe(401)
    expect((await refresh(product.base, signed)).code).toBe(5)
  }

  // covers FP-44
  it('follows a logout within 5 s for access tokens and streams in every process', async () => {
    const open = await watched()
    const started = Date.now()
    await post(product.base, '/v1/oauth/logout', { refresh_token: open.signed.data.refresh_token })
    await endsWithin5s(open, started)
  })

  // covers FP-44
  it('follows a refresh token used twice within 5 s for access tokens and streams in every process', async () => {
    const open = await watched()
    const next = await refresh(product.base, open.signed)
    expect(next.status).toBe(200)
    const started = Date.now()
    expect((await refresh(other.base, open.signed)).code).toBe(5)
    await endsWithin5s(open, started)
    expect(await statusWith(product.base, next)).toBe(401)
  })

  // covers FP-44
  it.each([
    ['password', `password_hash = 'another'`],
    ['set of roles', `roles = '{AUDITOR}'`],
  ])('follows a changed %s within 5 s for every session in every process', async (_what, change) => {
    const email = change.startsWith('roles') ? 'moderator@dsp.example' : OWNER
    const open = await watched(email)
    const started = Date.now()
    await product.database.pool.query(`update identity.people set ${change} where email = $1`, [email])
    await endsWithin5s(open, started)
  })

  it('includes the sessions of switched accounts', async () => {
    const signed = await enter(product.base, 'admin@dsp.example')
    const path = `/v1/user/account/switch/${signed.data.space_id}`
    const switched = await sessionOf(product.base, signed.data.access_token).call<Signed>('POST', path)
    await post(product.base, '/v1/oauth/logout', { refresh_token: signed.data.refresh_token })
    const tokens = { refresh_token: switched.data.refresh_token }
    expect((await post(product.base, '/v1/oauth/refresh', tokens)).code).toBe(5)
  })
})

describe('cache and transport headers', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_PUBLIC_URL: 'https://ads.example' })
  })
  afterAll(() => product.stop())

  // covers FP-54
  it('cache and transport headers forbid to store answers with tokens or personal data, and refusals', async () => {
    const { headers, data } = await enter(product.base, ADA)
    expect(headers.get('cache-control')).toBe('no-store')
    const { call } = sessionOf(product.base, data.access_token)
    const answers = [
      await call('GET', '/v1/user/me'),
      await call('POST', '/v1/campaign/list/v2', {}),
      await call('GET', '/v1/campaign/unknown'),
      await call('GET', '/v1/geo/city?country_code=NOWHERE'),
      await call('GET', '/v1/service-credential'),
      await call('GET', '/v1/no-such-call'),
      await sessionOf(product.base, '').call('GET', '/v1/user/me'),
    ]
    for (const { headers, status } of answers) expect([status, headers.get('cache-control')]).toEqual([status, 'no-store'])
  })

  it('cache and transport headers let the browser store reference data', async () => {
    const { call } = await product.as(ADA)
    expect((await call('GET', '/v1/geo/country')).headers.get('cache-control')).toBe('private, no-cache')
  })

  it('cache and transport headers refuse fonts of other sites, and the features that no page uses', async () => {
    const { headers } = await fetch(product.base)
    expect(headers.get('content-security-policy')).toMatch(/font-src 'self'(;|$)/)
    for (const feature of ['camera', 'microphone', 'geolocation', 'usb'])
      expect(headers.get('permissions-policy')).toContain(`${feature}=()`)
  })

  // covers FP-54
  it('cache and transport headers include HSTS only when the public address is https', async () => {
    const hsts = async (base: string) => (await fetch(`${base}/health/live`)).headers.get('strict-transport-security')
    expect(await hsts(product.base)).toBe('max-age=31536000; includeSubDomains')
    const plain = await startTestProduct({ PLACARD_PUBLIC_URL: 'http://localhost:3000' })
    expect(await hsts(plain.base)).toBeNull()
    await plain.stop()
  })
})

describe('scripts of user content', () => {
  const SCRIPT = '<!doctype html><script src="run.js"></script>'
  const zip = zipSync({ 'index.html': strToU8(SCRIPT), 'run.js': strToU8('parent.document.title = "taken over"') })
  const uploaded = async ({ base, as }: TestProduct) => {
    const { token } = await as(ADA)
    const path = '/v1/file/upload2?width=300&height=250'
    return (await sendFile(base, token, path, zip, 'banner.zip')).data
  }
  /** Sends a request under another host name, as a browser whose DNS resolves the name to this machine. */
  const asked = (base: string, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      get(base + path, { headers }, (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0, headers: response.headers })
      }).on('error', reject)
    })

  describe('files without a content origin', () => {
    let product: TestProduct
    let script = ''
    beforeAll(async () => {
      product = await startTestProduct({ PLACARD_PUBLIC_URL: 'https://ads.example' })
      script = String((await uploaded(product))['preview_url']).replace('index.html', 'run.js')
    })
    afterAll(() => product.stop())

    // covers FP-50
    it('files without a content origin are outside the paths from which pages of the application load scripts', async () => {
      const { host } = new URL(product.base)
      for (const path of ['/', '/docs', '/campaigns']) {
        const policy = (await fetch(product.base + path)).headers.get('content-security-policy') ?? ''
        const sources = (/script-src ([^;]*)/.exec(policy)?.[1] ?? '').split(' ')
        expect(sources).toContain(`${host}/assets/`)
        expect(sources).toContain('https://ads.example/assets/')
        for (const source of sources) expect(`${host}${script}`.startsWith(source)).toBe(false)
        expect(policy).not.toMatch(/script-src[^;]*('self'|'unsafe|\*)/)
      }
    })

    it('files without a content origin do not narrow the script policy when no public address is set: pages work behind a proxy', async () => {
      const unnamed = await startTestProduct()
      const policy = (await fetch(unnamed.base)).headers.get('content-security-policy')
      await unnamed.stop()
      expect(policy).toMatch(/script-src 'self'(;|$)/)
    })

    // covers FP-50
    it('files without a content origin are refused when a page of the application requests a script, worker or plug-in', async () => {
      const from = (site: string, dest: string) =>
        asked(product.base, script, { 'sec-fetch-site': site, 'sec-fetch-dest': dest }).then(({ status }) => status)
      for (const dest of ['script', 'worker', 'sharedworker', 'serviceworker', 'object'])
        expect([dest, await from('same-origin', dest)]).toEqual([dest, 404])
      expect(await from('cross-site', 'script')).toBe(200)
      expect(await from('same-origin', 'empty')).toBe(200)
      expect((await asked(product.base, script, {})).headers.vary).toBe('Sec-Fetch-Dest, Sec-Fetch-Site')
    })
  })

  describe('files with a content origin', () => {
    let product: TestProduct
    let page = ''
    let picture = ''
    const content = { host: 'content.example' }
    const application = { host: 'ads.example' }
    beforeAll(async () => {
      product = await startTestProduct({
        PLACARD_CONTENT_ORIGIN: 'https://content.example',
        PLACARD_PUBLIC_URL: 'https://ads.example',
      })
      const file = await uploaded(product)
      page = String(file['preview_url'])
      picture = file.file_url
    })
    afterAll(() => product.stop())

    // covers FP-50
    it('files with a content origin are served only from there: the application redirects every spelling of the address', async () => {
      for (const path of [page.replace('index.html', 'run.js'), picture, page.replace('banner', 'b%61nner')]) {
        const elsewhere = await asked(product.base, path, application)
        expect([elsewhere.status, elsewhere.headers.location]).toEqual([307, `https://content.example${path}`])
        expect((await asked(product.base, path, { ...content, 'sec-fetch-dest': 'iframe' })).status).toBe(200)
      }
    })

    it('files with a content origin share the origin with user content only', async () => {
      const { token } = await product.as(ADA)
      const authorization = `Bearer ${token}`
      for (const path of [
        '/',
        '/campaigns',
        '/v1/user/me',
        '/v1/whitelabel/info',
        '/docs',
        '/metrics',
        '/health/live',
        '/first.js',
      ])
        expect([path, (await asked(product.base, path, { ...content, authorization })).status]).toEqual([path, 404])
      expect((await asked(product.base, '/v1/user/me', { ...application, authorization })).status).toBe(200)
    })

    it('files with a content origin may be displayed by the application, but not executed', async () => {
      const policy = String((await asked(product.base, '/', application)).headers['content-security-policy'])
      for (const directive of ['img-src', 'media-src', 'frame-src'])
        expect(new RegExp(`${directive} [^;]*https://content.example`).test(policy)).toBe(true)
      expect(policy).not.toMatch(/script-src[^;]*content.example/)
    })
  })
})
