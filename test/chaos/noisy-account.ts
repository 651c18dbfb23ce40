import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import sharp from 'sharp'
import { sendFile, sessionOf, upload } from '../support/product.ts'
import { uploadAudience } from '../support/audiences.ts'

/**
 * An account that does its worst, as a process of its own: arguments are the product's address and an access token. Prints how many
 * calls were answered with which status, by what was done, once its input ends.
 */
const [base = '', token = ''] = process.argv.slice(2)
const session = sessionOf(base, token)
const { space_id: space } = (await session.call<{ space_id: string }>('GET', '/v1/user/me')).data
const MIB = 1024 ** 2
const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
const YEAR = { from_date: day(365), to_date: day(0), space_id: space }

/** Never read. */
function unreadDownload(): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/v1/space/${space}/ledger/csv`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', () => {})
      setTimeout(() => response.destroy(), 3000)
      resolve(response.statusCode ?? 0)
    })
    sent.end('{}')
  })
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
const commas = Buffer.alloc(50 * MIB, 'a,b,c,\n')
const ids = Array.from({ length: 5000 }, () => randomUUID()).join('\n')

const statusOf = async (answer: Promise<{ readonly status: number }>): Promise<number> => (await answer).status

/** What it does, and how many at once. */
const WORST: readonly (readonly [name: string, atOnce: number, act: () => Promise<number>])[] = [
  ['unread downloads', 8, unreadDownload],
  ['50 MiB of commas', 1, () => statusOf(uploadAudience(base, session, commas, { name: randomUUID() }))],
  ['uploads', 30, () => statusOf(uploadAudience(base, session, ids, { name: randomUUID() }))],
  ['GIF bombs', 4, () => statusOf(upload(base, token, gifBomb(), 300, 250, 'bomb.gif'))],
  ['images of 40 megapixels', 4, () => statusOf(sendFile(base, token, '/v1/file/upload2?width=6300&height=6300', image))],
  ['reports of a year', 60, () => statusOf(session.call('POST', '/v1/reports/table', { ...YEAR, grouping: 'app_or_site' }))],
  [
    'Excel files',
    8,
    () => {
      const body = JSON.stringify({ ...YEAR, grouping: 'date_hour', format: 'xlsx' })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return statusOf(fetch(`${base}/v1/reports/table/download`, { method: 'POST', headers, body }))
    },
  ],
  [
    'wrong passwords',
    30,
    () => {
      const body = new URLSearchParams({ grant_type: 'password', username: `${randomUUID()}@nile.example`, password: 'wrong' })
      return statusOf(fetch(`${base}/v1/oauth/token`, { method: 'POST', body }))
    },
  ],
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
const actors = WORST.flatMap(([name, atOnce, act]) => Array.from({ length: atOnce }, () => actor(name, act)))
console.log('noisy')
process.stdin.on('end', () => {
  isOver = true
  setTimeout(() => {
    console.log(JSON.stringify(counts))
    process.exit(0)
  }, 500)
})
process.stdin.resume()
await Promise.all(actors)
