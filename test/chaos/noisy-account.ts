import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setPriority } from 'node:os'
import sharp from 'sharp'
import { sendFile, sessionOf } from '../support/product.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { mp3 } from '../support/media/mp3.ts'

/**
 * An account that does its worst, as its own process: arguments are the product's address and an access token. Prints `ready`, and
 * begins at the first line of its input. Prints how many calls were answered with which status, by what was done, once its input ends.
 */
const [base = '', token = ''] = process.argv.slice(2)
// A client has its own machine: this one shares the product's, and takes a third of what an equal would.
setPriority(5)
const session = sessionOf(base, token)
const { space_id: space } = (await session.call<{ space_id: string }>('GET', '/v1/user/me')).data
const MIB = 1024 ** 2
const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
const YEAR = { from_date: day(365), to_date: day(0), space_id: space }

type Sent = {
  readonly method?: string
  readonly type?: string
  readonly body?: readonly (string | Buffer)[]
  readonly isUnread?: boolean
}

/** The status. Bodies are sent as they are in memory, so that this process takes little of the processor. */
function send(path: string, { method = 'POST', type = 'application/json', body = [], isUnread = false }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': length }
    const sent = request(`${base}${path}`, {
      agent: false,
      method,
      headers: method === 'GET' ? { authorization: headers.authorization } : headers,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', () => {})
      resolve(response.statusCode ?? 0)
      // Its connection is held for a while.
      if (isUnread) setTimeout(() => response.destroy(), 3000)
      else response.resume()
      response.once('end', () => sent.destroy())
    })
    for (const part of body) sent.write(part)
    sent.end()
  })
}

const posted = (path: string, body: unknown) => send(path, { body: [JSON.stringify(body)] })

/** A file of a form, whose name is new each time. */
const file = (path: string, bytes: Buffer) => () => {
  const boundary = randomUUID()
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const body = [
    `${part('name')}\r\n\r\n${boundary}\r\n${part('file')}; filename="file"\r\n\r\n`,
    bytes,
    `\r\n--${boundary}--\r\n`,
  ]
  return send(path, { type: `multipart/form-data; boundary=${boundary}`, body })
}

/** A GIF whose screen and only frame have 671 megapixels, and next to no bytes. */
function gifBomb(): Buffer {
  const side = Buffer.alloc(2)
  side.writeUInt16LE(25_900)
  const screen = Buffer.concat([Buffer.from('GIF89a'), side, side, Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff])])
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), side, side, Buffer.from([0, 2, 2, 0x44, 1, 0, 0x3b])])
  return Buffer.concat([screen, frame])
}

/** As large as an image may be. */
const image = await sharp({ create: { width: 6300, height: 6300, channels: 3, background: '#2563eb' } })
  .png()
  .toBuffer()
/** Most pixels that all frames together may have, in few bytes. */
const animation = await sharp(Buffer.concat(Array.from({ length: 9 }, (_, n) => Buffer.alloc(2000 * 2000 * 3, 20 * n))), {
  raw: { width: 2000, height: 2000 * 9, channels: 3, pageHeight: 2000 },
})
  .gif({ effort: 1 })
  .toBuffer()
/** As large as pages and archives may be. */
const archive = bannerZip({
  files: { 'index.html': randomBytes(1_500_000).toString('base64'), 'a.js': randomBytes(6 * MIB), 'b.js': randomBytes(2 * MIB) },
})
const sound = mp3({ seconds: 1250 })
const rows = Buffer.alloc(50 * MIB, 'a,b,c,\n')
const commas = Buffer.alloc(50 * MIB, ',')
/** As many entries as lists may have, as long as they may be. */
const apps = Array.from({ length: 2000 }, (_, n) => `${n}`.padEnd(100, 'x'))
const draft = () => ({
  name: randomUUID(),
  country: 'NG',
  bidding_strategy: { type: 'awareness' },
  placement: { included_apps: apps, excluded_apps: apps },
})
/** A stored file of a megabyte, for downloads. */
const stored = (await sendFile(base, token, '/v1/file/audio', mp3({ seconds: 29 }))).data.file_url
const ids = Buffer.from(Array.from({ length: 5000 }, () => randomUUID()).join('\n'))

const wrongPassword = () => {
  const form = new URLSearchParams({ grant_type: 'password', username: `${randomUUID()}@nile.example`, password: 'wrong' })
  return send('/v1/oauth/token', { type: 'application/x-www-form-urlencoded', body: [String(form)] })
}
const AUDIENCES = '/v1/segment-audience/upload'
const yearByHour = { ...YEAR, grouping: 'date_hour', format: 'xlsx' }

/** Actions, and how many at once. */
const WORST: readonly (readonly [name: string, atOnce: number, act: () => Promise<number>])[] = [
  ['unread downloads', 8, () => send(`/v1/space/${space}/ledger/csv`, { body: ['{}'], isUnread: true })],
  ['unread files', 8, () => send(stored, { method: 'GET', isUnread: true })],
  ['50 MiB of rows', 1, file(AUDIENCES, rows)],
  ['50 MiB of commas', 1, file(AUDIENCES, commas)],
  ['uploads', 30, file(AUDIENCES, ids)],
  ['GIF bombs', 4, file('/v1/file/upload2?width=300&height=250', gifBomb())],
  ['animations of 36 megapixels', 4, file('/v1/file/upload3', animation)],
  ['images of 40 megapixels', 4, file('/v1/file/upload2?width=6300&height=6300', image)],
  ['archives of 10 MiB', 3, file('/v1/file/upload3', archive)],
  ['20 MiB of sound', 2, file('/v1/file/audio', sound)],
  ['large drafts', 2, () => posted('/v1/campaign', draft())],
  ['reports of a year', 60, () => posted('/v1/reports/table', { ...YEAR, grouping: 'app_or_site' })],
  ['Excel files', 8, () => posted('/v1/reports/table/download', yearByHour)],
  ['wrong passwords', 30, wrongPassword],
]

let isOver = false
const counts: { [name: string]: { [status: string]: number } } = {}
async function actor(name: string, act: () => Promise<number>): Promise<void> {
  while (!isOver) {
    const status = await act().catch(() => 'broken')
    const of = (counts[name] ??= {})
    of[status] = (of[status] ?? 0) + 1
    // A client that was refused tries again at once, but is no busy loop of this process.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
console.log('ready')
process.stdin.once('data', () => {
  for (const [name, atOnce, act] of WORST) for (let n = 0; n < atOnce; n++) void actor(name, act)
})
process.stdin.on('end', () => {
  isOver = true
  setTimeout(() => {
    console.log(JSON.stringify(counts))
    process.exit(0)
  }, 500)
})
