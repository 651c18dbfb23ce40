import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { zipSync, strToU8 } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FRAME_RATE_HEADER, WARNINGS_HEADER } from '#contract/files'
import { bannerZip } from '../support/media/banner-zip.ts'
import { ANIMATE_HOSTED } from '../support/media/tool-banners.ts'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { MP4_CODECS } from '../support/media/mp4-codecs.ts'
import { webm } from '../support/media/webm.ts'
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

  // A few of the files that never end are read at a time, for two seconds each.
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

  it('keeps the frames of an animation that it scales', async () => {
    const frames = Buffer.concat([20, 90, 160].map((grey) => Buffer.alloc(640 * 100 * 3, grey)))
    const film = sharp(frames, { raw: { width: 640, height: 300, channels: 3, pageHeight: 100 } })
    const bytes = await film.gif({ delay: [100, 200, 300], loop: 2 }).toBuffer()
    const { data } = await send('upload2?width=320&height=50', bytes)
    const served = Buffer.from(await (await serve(data.file_url)).arrayBuffer())
    const { width, pageHeight, pages, delay, loop } = await sharp(served, { animated: true }).metadata()
    expect([width, pageHeight, pages, delay, loop]).toEqual([320, 50, 3, [100, 200, 300], 2])
  })

  it('refuses a video that browsers do not play by its name, and warns of AV1', async () => {
    const film = { width: 640, height: 360, seconds: 2 }
    await refused('video', mp4({ ...film, codec: MP4_CODECS.HEVC }), 2, 400, /do not play HEVC \(H\.265\).* H\.264/)
    await refused('video', mp4({ ...film, seconds: 0.5 }), 2, 400, 'at least one second')
    const { data } = await send('video', mp4({ ...film, codec: MP4_CODECS.AV1 }))
    expect(data).toMatchObject({ warnings: ['av1'], frame_rate: 10, bit_rate: Math.round((Number(data['size']) * 8) / 2) })
    const { headers } = await serve(data.file_url)
    expect([headers.get(WARNINGS_HEADER), headers.get(FRAME_RATE_HEADER)]).toEqual(['av1', '10'])
  })

  // covers FILE-02 FILE-03 FILE-04 FILE-05 FP-26
  it('takes an image, a native image, a track and a video, and refuses another kind of file and one that is too large', async () => {
    for (const [path, bytes, shown, most, code] of [
      ['upload3', await noise(64, 48).gif().toBuffer(), { width: 64, format_key: 3 }, 500_000, 8],
      ['native', await png(600, 600), { width: 600, height: 600 }, 500_000, 8],
      ['audio', mp3({ seconds: 20 }), { content_type: 'audio/mpeg' }, 20 * MIB, 181],
      ['video', mp4({ width: 640, height: 360, seconds: 12 }), { width: 640, height: 360, duration: 12 }, 10 * MIB, 181],
      ['video', webm({ width: 640, height: 360, seconds: 7 }), { content_type: 'video/webm', duration: 7 }, 10 * MIB, 181],
    ] as const) {
      expect((await send(path, bytes)).data).toMatchObject(shown)
      await refused(path, strToU8('neither'), 2, 400, /valid/)
      await refused(path, Buffer.alloc(most + 1), code, 413, /MB|500000/)
    }
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
    const archive = zipSync(files)
    const { data } = await send('upload2?width=300&height=250', archive)
    expect(data).toMatchObject({ width: 300, height: 250, content_type: 'application/zip', format_key: null, warnings: [] })
    const page = await serve(String(data['preview_url']), { 'sec-fetch-dest': 'iframe' })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox allow-scripts;/)
    expect(policy).not.toContain('allow-same-origin')
    // Publishers show it in a frame. A page without an origin cannot be isolated by origin: without the header, browsers log a
    // warning.
    expect([page.headers.get('x-frame-options'), page.headers.get('origin-agent-cluster')]).toEqual([null, '?0'])
    // With the script of its clicks, for any click address; what is stored stays as it is.
    const shown = await page.text()
    expect(shown).toMatch(/^<script>[^]+postMessage[^]+<\/script><script src="js\/a\.js"><\/script>$/)
    expect([page.headers.get('content-type'), page.headers.get('content-length')]).toEqual([
      'text/html; charset=utf-8',
      String(shown.length),
    ])
    const asked = { 'sec-fetch-dest': 'iframe', 'if-none-match': page.headers.get('etag') ?? '', range: 'bytes=0-3' }
    expect((await serve(`${String(data['preview_url'])}?clickTag=https%3A%2F%2Fshop.example`, asked)).status).toBe(304)
    expect(Buffer.from(await (await serve(data.file_url)).arrayBuffer()).equals(archive)).toBe(true)
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

  it('accepts links in a banner with a warning that their clicks are not counted', async () => {
    const files = { 'index.html': strToU8('<a href="https://elsewhere.example">go</a>') }
    const { data } = await send('upload2?width=300&height=250', zipSync(files))
    expect(data['warnings']).toEqual(['clickLinks'])
    // Later readers of the file get the warning too.
    expect((await serve(data.file_url)).headers.get(WARNINGS_HEADER)).toBe('clickLinks')
    const { data: harmless } = await send('upload2?width=300&height=250', bannerZip())
    expect((await serve(harmless.file_url)).headers.get(WARNINGS_HEADER)).toBeNull()
  })

  // One of each kind of warning; the others are in banner-addresses.spec.ts.
  it('warns of the hosts whose files the frame refuses, and names the file that a zip is refused for', async () => {
    const { data } = await send('upload3', bannerZip({ files: { ...ANIMATE_HOSTED.files, 'Thumbs.db': 'x' } }))
    expect(data['warnings']).toEqual(['clickLinks', 'externalFiles:code.createjs.com'])
    expect((await serve(data.file_url)).headers.get(WARNINGS_HEADER)).toBe('clickLinks,externalFiles:code.createjs.com')
    await refused(
      'upload3',
      bannerZip({ files: { ...ANIMATE_HOSTED.files, 'sale.fla': 'x' } }),
      2,
      400,
      /^A banner cannot use sale\.fla\./,
    )
  })

  it('serves a page in UTF-16 as UTF-8', async () => {
    const { data } = await send(
      'upload3',
      bannerZip({ files: { 'index.html': Buffer.from('\uFEFF<!doctype html><p>é', 'utf16le') } }),
    )
    const page = await serve(String(data['preview_url']), { 'sec-fetch-dest': 'iframe' })
    expect(await page.text()).toMatch(/^<!doctype html><script>[^]+<\/script><p>é$/)
  })

  it('lets the application read a video before it is sent, and play its own only', async () => {
    expect((await serve('/health/live')).headers.get('content-security-policy')).toContain("media-src 'self' blob:;")
  })

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
})
