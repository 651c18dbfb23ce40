import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { zipSync, strToU8 } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WARNINGS_HEADER } from '#contract/files'
import { bannerZip } from '../support/media/banner-zip.ts'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { webm } from '../support/media/webm.ts'
import { zip } from '../support/media/zip.ts'
import sharp from 'sharp'
import { eventually, png, sendFile, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const MIB = 1024 * 1024
const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

describe('the upload API', () => {
  let product: TestProduct
  let ada: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, moderator] = await Promise.all([product.as('ada@nile.example'), product.as('moderator@dsp.example')])
  })
  afterAll(() => product.stop())

  const send = (path: string, bytes: Uint8Array, field?: string) =>
    sendFile(product.base, ada.token, `/v1/file/${path}`, bytes, 'file.bin', field)
  const serve = (path: string, headers: Record<string, string> = {}) => fetch(product.base + path, { headers })

  /** Expects a refusal with code, HTTP status and message, and that nothing is stored. */
  async function refused(path: string, bytes: Uint8Array, code: number, status: number, message: string | RegExp) {
    const before = await product.stored()
    const answer = await send(path, bytes)
    expect([answer.code, answer.status]).toEqual([code, status])
    expect(answer.data.errors[0]?.message).toMatch(message)
    expect((await product.stored()).files).toBe(before.files)
  }

  // Of files that never end, a few at a time are read for two seconds each.
  it('takes 16 files of an account at once, answers 429 to more, and does not hold up other accounts', async () => {
    const bola = await product.as('bola@lagos.example')
    // Uploads that never end.
    const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx'
    let refusals = 0
    const open = Array.from({ length: 20 }, () => {
      const socket = connect(Number(new URL(product.base).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => (refusals += String(bytes).startsWith('HTTP/1.1 429') ? 1 : 0))
      const headers = `host: 127.0.0.1\r\nauthorization: Bearer ${ada.token}\r\ncontent-type: multipart/form-data; boundary=x`
      socket.write(`POST /v1/file/upload3 HTTP/1.1\r\n${headers}\r\ncontent-length: 9000\r\n\r\n${part}`)
      return socket
    })
    const image = await png(8, 8)
    await eventually(
      async () => refusals,
      (n) => n === 4,
    )
    const full = await send('upload3', image)
    expect(full.status).toBe(429)
    expect(full.data.errors).toMatchObject([{ message: 'Too many requests, try again later' }])
    expect((await sendFile(product.base, bola.token, '/v1/file/upload3', image)).status).toBe(200)
    for (const socket of open) socket.destroy()
    expect(
      await eventually(
        () => send('upload3', image),
        ({ status }) => status !== 429,
      ),
    ).toMatchObject({ status: 200 })
  })

  // covers FILE-01 FILE-06 FILE-08 CAM-CVAL-39 FP-39
  it('returns an image of the size byte for byte, with nosniff and in a sandbox', async () => {
    const bytes = await png(320, 50)
    const { data } = await send('upload2?width=320&height=50', bytes)
    expect(data).toMatchObject({ width: 320, height: 50, content_type: 'image/png', format_key: 1, size: bytes.length })
    const answer = await serve(data.file_url)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'accept-ranges': 'bytes',
    })
    const again = await serve(data.file_url, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  // covers CAM-CVAL-41
  it('scales a larger image of the same aspect ratio, and refuses a smaller or other one', async () => {
    const { data } = await send('upload2?width=320&height=50', await png(640, 100))
    expect(await sharp(Buffer.from(await (await serve(data.file_url)).arrayBuffer())).metadata()).toMatchObject({
      width: 320,
      height: 50,
    })
    await refused('upload2?width=320&height=50', await png(160, 25), 2, 400, 'the banner dimensions should be 320x50')
  })

  // covers CAM-CVAL-40
  it('names the required size for an image of another aspect ratio', () =>
    png(100, 100).then((bytes) =>
      refused('upload2?width=320&height=50', bytes, 2, 400, /^the banner dimensions should be 320x50$/),
    ))

  // covers CAM-CVAL-45 CAM-ERR-54 FP-26
  it('accepts images below 500,000 bytes and refuses larger ones with 8', async () => {
    const large = await noise(700, 700).png({ compressionLevel: 0 }).toBuffer()
    await refused('upload3', large, 8, 413, 'Original image is too big, must be under 500000 bytes')
    const small = await noise(300, 250).png().toBuffer()
    const padded = Buffer.concat([small, Buffer.alloc(499_999 - small.length)])
    expect((await send('upload3', padded)).code).toBe(0)
    await refused('upload3', Buffer.concat([padded, Buffer.alloc(1)]), 8, 413, /500000/)
  })

  // covers FILE-02
  it.each([
    ['png', 1],
    ['jpeg', 2],
    ['gif', 3],
    ['webp', 6],
  ] as const)('stores any image: %s is format %i', async (format, key) => {
    const bytes = await sharp(await png(64, 48))
      .toFormat(format)
      .toBuffer()
    expect((await send('upload3', bytes)).data).toMatchObject({ width: 64, height: 48, format_key: key })
  })

  it.each<[string, () => Promise<Uint8Array>]>([
    ['a drawing with a script', async () => strToU8('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', async () => strToU8('<!doctype html><script>alert(1)</script>')],
    ['half an image', async () => (await png(300, 250)).subarray(0, 200)],
    ['an image with a page behind it', async () => Buffer.concat([await png(300, 250), strToU8('<script>alert(1)</script>')])],
    ['an image with an archive behind it', async () => Buffer.concat([await png(300, 250), bannerZip({})])],
    ['nothing', async () => new Uint8Array()],
  ])('refuses %s as an image', async (_, make) => refused('upload3', await make(), 2, 400, 'The file is not a valid image'))

  // covers FILE-03 CAM-CVAL-18..21
  it('accepts three sizes of native images only', async () => {
    for (const [width, height] of [
      [1200, 627],
      [600, 600],
      [128, 128],
    ] as const)
      expect((await send('native', await png(width, height))).data).toMatchObject({ width, height })
    await refused('native', await png(1200, 628), 2, 400, /^Please upload image with 1200x627 dimensions$/)
    await refused('native', await png(601, 600), 2, 400, /^Please upload image with 600x600 dimensions$/)
    await refused('native', await png(127, 128), 2, 400, /^Please upload image with 128x128 dimensions$/)
    await refused('native?width=128&height=128', await png(600, 600), 2, 400, /^Please upload image with 128x128 dimensions$/)
  })

  // covers CAM-CVAL-22
  it('names the size of a 250x250 slot in its own message', async () =>
    refused('native?width=250&height=250', await png(100, 100), 2, 400, /^The image should have 250x250 size\.$/))

  // covers FILE-04 CAM-CVAL-31..34 CAM-CVAL-36..38 FP-26
  it('accepts MP3 tracks of 15 to 30 seconds', async () => {
    for (const seconds of [15.1, 29.9]) expect((await send('audio', mp3({ seconds }))).code).toBe(0)
    await refused(
      'audio',
      mp3({ seconds: 14 }),
      2,
      400,
      /^Oops! Your audio is too short\. Please upload an MP3 file that's at least 15 seconds long\.$/,
    )
    await refused('audio', mp3({ seconds: 31 }), 2, 400, /^Oops! Your audio is too long\. .* at most 30 seconds long\.$/)
    await refused(
      'audio',
      Buffer.concat([strToU8('RIFF'), Buffer.alloc(4000)]),
      2,
      400,
      /^Uh-oh! It seems like the file you uploaded isn't a valid MP3/,
    )
    await refused('audio', Buffer.alloc(20 * MIB + 1), 181, 413, 'An audio file should be up to 20 MB')
  })

  // covers FILE-05 CAM-CVAL-24..27 FP-26
  it('accepts videos of three sizes up to 10 MiB', async () => {
    for (const [width, height] of [
      [480, 360],
      [640, 360],
      [1920, 800],
    ] as const)
      expect((await send('video', mp4({ width, height, seconds: 12 }))).data).toMatchObject({ width, height, duration: 12 })
    expect((await send('video', webm({ width: 640, height: 360, seconds: 7 }))).data).toMatchObject({
      content_type: 'video/webm',
      duration: 7,
    })
    await refused('video', mp4({ width: 1280, height: 720, seconds: 5 }), 2, 400, /^Invalid dimensions/)
    await refused(
      'video',
      mp4({ width: 640, height: 360, seconds: 5, pictureBytes: MIB / 4 }),
      181,
      413,
      /^video should be up to 10 MB$/,
    )
    await refused('video', strToU8('not a film at all'), 2, 400, 'The file is not a valid MP4 or WebM video')
  })

  it('serves ranges of a video', async () => {
    const { data } = await send('video', mp4({ width: 640, height: 360, seconds: 3 }))
    const whole = Buffer.from(await (await serve(data.file_url)).arrayBuffer())
    const part = await serve(data.file_url, { range: 'bytes=4-11' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(4, 12))
  })

  // covers CAM-CVAL-42 CAM-CVAL-43
  it('runs an HTML banner in a sandbox of its own origin', async () => {
    const files = { 'index.html': strToU8('<script src="js/a.js"></script>'), 'js/a.js': strToU8('document.title = 1') }
    const { data } = await send('upload2?width=300&height=250', zipSync(files))
    expect(data).toMatchObject({ width: 300, height: 250, content_type: 'application/zip', format_key: null, warnings: [] })
    const page = await serve(String(data['preview_url']), { 'sec-fetch-dest': 'iframe' })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox allow-scripts;/)
    expect(policy).not.toContain('allow-same-origin')
    // Publishers show it in a frame. A page without an origin cannot be isolated by origin: without the header, browsers log a
    // warning.
    expect([page.headers.get('x-frame-options'), page.headers.get('origin-agent-cluster')]).toEqual([null, '?0'])
    expect([await page.text(), page.headers.get('content-type')]).toEqual([
      '<script src="js/a.js"></script>',
      'text/html; charset=utf-8',
    ])
    const script = await serve(String(data['preview_url']).replace('index.html', 'js/a.js'))
    expect([script.status, await script.text()]).toEqual([200, 'document.title = 1'])
    expect((await serve(String(data['preview_url']).replace('index.html', 'js/none.js'))).status).toBe(404)
    expect((await serve(data.file_url)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('keeps a banner of megabytes byte for byte, also where its length is unknown until its end', async () => {
    const large = randomBytes(3 * MIB)
    // Comparing element by element would take seconds.
    const isServed = async (path: string, bytes: Buffer) => bytes.equals(Buffer.from(await (await serve(path)).arrayBuffer()))
    const archive = bannerZip({ files: { 'index.html': '<p>Large</p>', 'large.js': large } })
    const { data } = await send('upload3', archive)
    expect(await isServed(data.file_url, archive)).toBe(true)
    expect(await isServed(String(data['preview_url']).replace('index.html', 'large.js'), large)).toBe(true)
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
    const sent = request(`${product.base}/v1/file/upload3`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    })
    for (const part of [head, archive]) sent.write(part)
    sent.end('\r\n--x--\r\n')
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    const { data: again }: { data: { file_url: string; size: number } } = JSON.parse(await text(answer as IncomingMessage))
    expect([again.size, await isServed(again.file_url, archive)]).toEqual([archive.length, true])
  })

  // covers CAM-CVAL-43
  it('refuses a zip without index.html at its root', async () =>
    refused(
      'upload2?width=300&height=250',
      zipSync({ 'sub/index.html': strToU8('x') }),
      2,
      400,
      'The zip should have index.html at its root',
    ))

  it('accepts links in a banner with a warning that their clicks are not counted', async () => {
    const files = { 'index.html': strToU8('<a href="https://elsewhere.example">go</a>') }
    const { data } = await send('upload2?width=300&height=250', zipSync(files))
    expect(data['warnings']).toEqual(['clickLinks'])
    // Later readers of the file get the warning too.
    expect((await serve(data.file_url)).headers.get(WARNINGS_HEADER)).toBe('clickLinks')
    const { data: harmless } = await send('upload2?width=300&height=250', bannerZip())
    expect((await serve(harmless.file_url)).headers.get(WARNINGS_HEADER)).toBeNull()
  })

  it('lets the application read a video before it is sent, and play its own only', async () => {
    expect((await serve('/health/live')).headers.get('content-security-policy')).toContain("media-src 'self' blob:;")
  })

  it.each<[string, () => Uint8Array, number]>([
    [
      'a path outside its folder',
      () =>
        zip([
          { path: '../x.js', bytes: Buffer.from('x') },
          { path: 'index.html', bytes: Buffer.from('x') },
        ]),
      2,
    ],
    ['an executable', () => zipSync({ 'index.html': strToU8('x'), 'run.exe': strToU8('MZ') }), 2],
    ['a zip bomb', () => zipSync({ 'index.html': strToU8('x'), 'a.txt': new Uint8Array(40 * MIB) }), 2],
    ['more than 10 MiB', () => Buffer.concat([Buffer.from(bannerZip({})), Buffer.alloc(10 * MIB)]), 181],
    ['a truncated end', () => bannerZip({}).subarray(0, 60), 2],
  ])('refuses an archive with %s', async (_, make, code) =>
    refused('upload2?width=300&height=250', make(), code, code === 181 ? 413 : 400, /zip/i),
  )

  // covers FILE-09
  it('refuses a body that is not multipart or has no file', async () => {
    expect((await ada.call('POST', '/v1/file/upload3', { file: 'x' })).code).toBe(2)
    const form = new FormData()
    form.append('note', 'no file')
    const headers = { authorization: `Bearer ${ada.token}` }
    const response = await fetch(`${product.base}/v1/file/upload3`, { method: 'POST', headers, body: form })
    expect([response.status, (await response.json()).type.code]).toEqual([400, 2])
  })

  it('refuses uploads of a user without the right to write campaigns', async () => {
    const answer = await sendFile(product.base, moderator.token, '/v1/file/upload3', await png(10, 10))
    expect([answer.status, answer.code]).toEqual([403, 3])
  })

  it('refuses uploads to a full account, also concurrent ones', async () => {
    const { data: me } = await ada.call<{ readonly space_id: string }>('GET', '/v1/user/me')
    const filled = 10_000 - 1
    await product.database.pool.query(
      `insert into app.files (id, space_id, sha256, bytes, content_type, name, created_by)
       select 'full-' || n, $1, 'x', 1, 'image/png', 'x', 'x' from generate_series(1, $2 - (select coalesce(sum(disk_files), 0)::int from app.files where space_id = $1)) n`,
      [me.space_id, filled],
    )
    const answers = await Promise.all([png(10, 10), png(11, 11), png(12, 12)].map(async (bytes) => send('upload3', await bytes)))
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 181, 181])
    await product.database.pool.query(`delete from app.files where id like 'full-%'`)
  })
})

describe('saving a campaign refuses', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola] = await Promise.all([product.as('ada@nile.example'), product.as('bola@lagos.example')])
    const body = { name: 'Uses', country: 'NG', bidding_strategy: { type: 'awareness' } }
    id = (await ada.call('POST', '/v1/campaign', body)).data.id
  })
  afterAll(() => product.stop())

  const fileOf = async (bytes: Uint8Array, path = 'upload3') =>
    (await sendFile(product.base, ada.token, `/v1/file/${path}`, bytes)).data.file_id
  const save = async (body: Record<string, unknown>) => {
    const answer = await ada.call('PUT', '/v1/campaign', { id, ...body })
    return [answer.code, answer.data.errors?.[0]?.path, answer.data.errors?.[0]?.message]
  }

  // covers CAM-CVAL-11..13
  it('responsive images of another size and logos that are not square', async () => {
    const [image, logo] = await Promise.all([fileOf(await png(1200, 628)), fileOf(await png(100, 101))])
    expect(await save({ dynamic_ad: { images: [{ index: 0, file_id: image }] } })).toEqual([
      2,
      'dynamic_ad.images[0].file_id',
      'Please upload image with 1200x627 dimensions',
    ])
    expect(await save({ dynamic_ad: { logos: [{ index: 0, file_id: logo }] } })).toEqual([
      2,
      'dynamic_ad.logos[0].file_id',
      'The logo should be 1:1 (square)',
    ])
  })

  // covers CAM-CVAL-18..20
  it('native images of other sizes than they claim', async () => {
    const file_id = await fileOf(await png(601, 600))
    expect((await save({ native_ad: { images: [{ width: 600, height: 600, file_id }] } }))[2]).toBe(
      'Please upload image with 600x600 dimensions',
    )
    expect((await save({ native_ad: { images: [{ width: 1200, height: 627, file_id }] } }))[2]).toBe(
      'Please upload image with 1200x627 dimensions',
    )
    expect((await save({ native_ad: { logo: { width: 128, height: 128, file_id } } }))[2]).toBe(
      'Please upload image with 128x128 dimensions',
    )
  })

  // covers CAM-CVAL-28..30
  it('companion banners of another size or format, or above 150k', async () => {
    const companion = async (bytes: Uint8Array) =>
      save({ video_ad: { companion_banners: [{ width: 300, height: 250, file_id: await fileOf(bytes) }] } })
    expect((await companion(await png(300, 251)))[0]).toBe(2)
    expect(
      (
        await companion(
          await sharp(await png(300, 250))
            .gif()
            .toBuffer(),
        )
      )[0],
    ).toBe(2)
    const heavy = await noise(300, 250).png({ compressionLevel: 0 }).toBuffer()
    expect(heavy.length).toBeGreaterThan(153_600)
    expect((await companion(heavy))[0]).toBe(8)
    expect(
      (
        await companion(
          await sharp(await png(300, 250))
            .jpeg()
            .toBuffer(),
        )
      )[0],
    ).toBe(0)
  })

  it('files of the wrong kind in every place', async () => {
    const [image, track, film] = await Promise.all([
      fileOf(await png(300, 250)),
      fileOf(mp3({ seconds: 20 }), 'audio'),
      fileOf(mp4({ width: 640, height: 360, seconds: 5 }), 'video'),
    ])
    expect((await save({ video_ad: { video: { file_id: image } } }))[1]).toBe('video_ad.video.file_id')
    expect((await save({ native_ad: { video: { fileId: track } } }))[1]).toBe('native_ad.video.fileId')
    expect((await save({ audio_ads: [{ fileId: film }] }))[1]).toBe('audio_ads[0].fileId')
    expect((await save({ visuals: { banners: [{ width: 300, height: 250, file_id: film }] } }))[1]).toBe(
      'visuals.banners[0].file_id',
    )
    expect((await save({ visuals: { banners: [{ width: 728, height: 90, file_id: image }] } }))[2]).toBe(
      'the banner dimensions should be 728x90',
    )
  })

  // covers FP-41
  it('files of another account and files that do not exist', async () => {
    const file = (await sendFile(product.base, bola.token, '/v1/file/upload3', await png(300, 250))).data.file_id
    for (const file_id of [file, 'unknown', ''])
      expect((await save({ visuals: { banners: [{ width: 300, height: 250, file_id }] } }))[0]).toBe(132)
  })

  it('a banner used as a logo of the wrong size', async () => {
    const file_id = await fileOf(await png(300, 250))
    expect((await save({ visuals: { banners: [{ width: 300, height: 250, file_id, creative_name: 'a' }] } }))[0]).toBe(0)
    expect((await save({ native_ad: { logo: { width: 128, height: 128, file_id } } }))[0]).toBe(2)
  })
})
