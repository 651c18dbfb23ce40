import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAudienceFile, type FileSettings } from '#commands/audience/read-file'
import { TooMany } from '#commands/refused'
import { asAsker } from '../database/lanes.ts'
import { Left } from '../database/turns.ts'
import { bannerZip } from '#test/support/media/banner-zip'
import type { CleanImage } from '#commands/files/media'
import { mp3 } from '#test/support/media/mp3'
import { mp4 } from '#test/support/media/mp4'
import { inspectBannerZip } from '../files/media/archive.ts'
import { images } from '../files/media/images.ts'
import { createThreadPool } from './thread-pool.ts'
import { createThreads } from './threads.ts'
import { packed, writeWorkbook, type Sheet } from './workbook.ts'

let threads: ReturnType<typeof createThreads>
beforeAll(() => {
  threads = createThreads()
})
afterAll(() => threads.close())

/** How long the event loop of this thread works, milliseconds. */
async function busy(work: () => Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization()
  await work()
  return performance.eventLoopUtilization(before).active
}

/**
 * The least that each of two keeps the event loop busy, milliseconds. Other processes take the processor from both, so both are
 * repeated until the second is clearly the shorter, or was not in 20 rounds.
 */
async function least(here: () => Promise<unknown>, there: () => Promise<unknown>): Promise<{ here: number; there: number }> {
  const found = { here: Infinity, there: Infinity }
  for (let round = 0; round < 20; round += 1) {
    found.here = Math.min(found.here, await busy(here))
    found.there = Math.min(found.there, await busy(there))
    if (round >= 2 && found.there < found.here / 2) break
  }
  return found
}

const sheetOf = (rows: number): Sheet => ({
  name: 'Rows',
  widths: [10, 10],
  rows: Array.from({ length: rows }, (_, n) => [`row ${n}`, n, { value: n, format: '0.00', isBold: true }, null]),
  stickyRows: 1,
})

async function* chunksOf(text: string, size = 70_000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Settings, and what is stored by them. */
function storing(): FileSettings & { readonly pages: unknown[] } {
  const pages: unknown[] = []
  const store: FileSettings['store'] = async (page, soFar) => void pages.push(structuredClone({ page, soFar }))
  return { key: Buffer.alloc(32, 7), column: null, kind: null, country: null, anyForm: false, store, pages }
}

describe('a workbook of 20,000 rows', () => {
  it('a workbook of 20,000 rows is written without keeping the event loop from answering', async () => {
    await threads.workbook(sheetOf(1))
    const { here, there } = await least(
      async () => writeWorkbook(await packed(sheetOf(20_000))),
      () => threads.workbook(sheetOf(20_000)),
    )
    expect((await threads.workbook(sheetOf(10))).subarray(0, 2).toString()).toBe('PK')
    expect(there, `${here} ms here`).toBeLessThan(here / 2)
  })

  it('a workbook of 20,000 rows is left out when the client leaves, running or waiting, and others are written', async () => {
    const client = new AbortController()
    const left = Array.from({ length: 6 }, () =>
      asAsker({ purpose: 'reports', account: 'one', gone: client.signal }, () => threads.workbook(sheetOf(20_000))),
    )
    const ends = Promise.allSettled(left)
    setTimeout(() => client.abort(), 20)
    const other = asAsker({ purpose: 'reports', account: 'other' }, () => threads.workbook(sheetOf(5)))
    expect((await other).length).toBeGreaterThan(100)
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(Left) })
  })

  it('a workbook of 20,000 rows is refused when the account waits for too many', async () => {
    const asked = Array.from({ length: 40 }, () =>
      asAsker({ purpose: 'reports', account: 'many' }, () => threads.workbook(sheetOf(1))).catch((error: unknown) => error),
    )
    const ends = await Promise.all(asked)
    expect(ends.filter((end) => end instanceof TooMany).length).toBeGreaterThan(10)
    expect(ends.filter((end) => Buffer.isBuffer(end)).length).toBeGreaterThanOrEqual(16)
  })
})

describe('the file of an audience', () => {
  const idOf = (n: number) => `6f9619ff-8b86-4011-b42d-${String(n).padStart(12, '0')}`
  const FILE = `id,note\n${Array.from({ length: 9000 }, (_, n) => (n % 10 === 9 ? 'x,y' : `${idOf(n)},"n, ${n}"`)).join('\n')}`

  it('the file of an audience is read as in this thread: the same members, rejected rows and hash', async () => {
    const [here, there] = [storing(), storing()]
    const expected = await readAudienceFile(chunksOf(FILE), here)
    expect(await threads.readAudience(chunksOf(FILE), there)).toEqual(expected)
    expect(expected).toMatchObject({ rows: 9000, rejected: 900 })
    expect(there.pages).toEqual(here.pages)
  })

  it('the file of an audience that is empty, or no CSV, is reported as such', async () => {
    expect(await threads.readAudience(chunksOf(''), storing())).toMatchObject({ bytes: 0, rows: 0 })
    expect(await threads.readAudience(chunksOf(';'.repeat(100_000)), storing())).toMatchObject({ fault: 'cells' })
  })

  it('reading a file of an audience whose storing fails rejects with that error, and leaves the thread to others', async () => {
    const failing = { ...storing(), store: () => Promise.reject(new Left()) }
    const many = Array.from({ length: 70_000 }, (_, n) => idOf(n)).join('\n')
    await expect(threads.readAudience(chunksOf(many), failing)).rejects.toBeInstanceOf(Left)
    expect(await threads.readAudience(chunksOf(FILE), storing())).toMatchObject({ rows: 9000 })
  })

  it('reading a file of an audience whose client leaves rejects with that error', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(10)
      throw new Error('the client left')
    }
    await expect(threads.readAudience(broken(), storing())).rejects.toThrow('the client left')
  })

  it('reading a file of an audience whose client leaves before the thread begins rejects with that error, and holds no place', async () => {
    const none = async function* (): AsyncGenerator<Buffer> {
      yield* []
      throw new Error('the client left')
    }
    for (let n = 0; n < 300; n += 1) {
      const reading = threads.readAudience(none(), storing())
      await expect(reading).rejects.toThrow('the client left')
    }
    expect(await threads.readAudience(chunksOf(FILE), storing())).toMatchObject({ rows: 9000 })
  })

  it('the file of an audience that arrives slowly does not delay another', async () => {
    let finish: () => void = () => {}
    const held = new Promise<void>((resolve) => (finish = resolve))
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${idOf(1)}\n`)
      await held
    }
    const waiting = threads.readAudience(slow(), storing())
    expect(await threads.readAudience(chunksOf(FILE), storing())).toMatchObject({ rows: 9000 })
    finish()
    expect(await waiting).toMatchObject({ rows: 1 })
  })
})

describe('an uploaded file', () => {
  const imageOf = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#2563eb' } })
      .png()
      .toBuffer()
  const asAccount = <T>(account: string, work: () => T, sender?: AbortSignal): T =>
    asAsker({ purpose: 'calls', account, ...(sender === undefined ? {} : { sender }) }, work)

  it('an uploaded file is judged as in this thread, whatever kind it is', async () => {
    const { media } = threads
    const image = await imageOf(600)
    const inspected = (await media.images.inspect(image)) as CleanImage
    expect(inspected).toEqual(await images.inspect(image))
    expect(inspected.bytes).toBeInstanceOf(Buffer)
    expect(await media.images.inspect(Buffer.from('no image'))).toBeNull()
    expect(await media.images.resize(image, 30, 30)).toEqual(await images.resize(image, 30, 30))
    expect(await media.images.square(image, { x: 1, y: 1, size: 50 }, 20)).toEqual(
      await images.square(image, { x: 1, y: 1, size: 50 }, 20),
    )
    expect(await media.images.flat(image, { width: 50, height: 10 })).toEqual(await images.flat(image, { width: 50, height: 10 }))
    expect(await media.sound(mp3({ seconds: 20 }))).toMatchObject({ seconds: expect.closeTo(20, 0) })
    expect(await media.film(mp4({ width: 320, height: 180, seconds: 2 }))).toMatchObject({ contentType: 'video/mp4', width: 320 })
    const banner = bannerZip({ files: { 'index.html': '<a href="https://x.example">x</a>', 'a/b.txt': 'text' } })
    const unpacked = await media.archive(banner)
    expect(unpacked).toEqual({
      clickLinks: true,
      externalHosts: [],
      files: expect.arrayContaining([{ path: 'a/b.txt', bytes: Buffer.from('text') }]),
    })
    expect(await media.archive(Buffer.from('PK'))).toEqual({ fault: 'notAZip', file: null })
  })

  it('does not keep the event loop from answering, also an archive that unpacks to 48 MiB', async () => {
    const { media } = threads
    await media.archive(bannerZip())
    const page = randomBytes(2_000_000).toString('base64')
    const scripts = Array.from({ length: 48 }, (_, n) => [`${n}.js`, page.slice(n * 100, n * 100 + 25_000).repeat(40)] as const)
    const archive = bannerZip({ files: { 'index.html': page.slice(0, 1_900_000), ...Object.fromEntries(scripts) } })
    const { here, there } = await least(
      () => inspectBannerZip(archive),
      () => media.archive(archive),
    )
    expect(await media.archive(archive)).toHaveProperty('files')
    expect(there, `${here} ms here`).toBeLessThan(here / 2)
  })

  it('waits for one of another account at most, however many that one sent', async () => {
    const image = await imageOf(1500)
    const order: string[] = []
    const inspected = (account: string) =>
      asAccount(account, () => threads.media.images.inspect(image)).then(() => void order.push(account))
    const many = Array.from({ length: 12 }, () => inspected('many'))
    await Promise.all([...many, inspected('other')])
    expect(order.indexOf('other')).toBeLessThan(4)
  })

  it('an uploaded file is refused when the account waits for too many, while others are taken', async () => {
    const image = await imageOf(8)
    const inspected = (account: string) =>
      asAccount(account, () => threads.media.images.inspect(image)).catch((error: unknown) => error)
    const [ends, other] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => inspected('many'))),
      inspected('other'),
    ])
    expect(ends.filter((end) => end instanceof TooMany).length).toBeGreaterThan(10)
    expect(other).toMatchObject({ width: 8 })
  })

  it('an uploaded file whose client leaves while it waits is not inspected', async () => {
    const image = await imageOf(1500)
    const client = new AbortController()
    const sent = Array.from({ length: 6 }, () => asAccount('leaving', () => threads.media.images.inspect(image), client.signal))
    const ends = Promise.allSettled(sent)
    client.abort()
    const lost = (await ends).filter((end) => end.status === 'rejected' && end.reason instanceof Left)
    expect(lost.length).toBeGreaterThanOrEqual(4)
    expect(await asAccount('leaving', () => threads.media.images.inspect(image))).toMatchObject({ width: 1500 })
  })

  it('waits for no document, which may take long', async () => {
    const order: string[] = []
    const document = threads.workbook(sheetOf(40_000)).then(() => void order.push('document'))
    await threads.media.images.inspect(await imageOf(8)).then(() => void order.push('image'))
    await document
    expect(order).toEqual(['image', 'document'])
  })

  it('an uploaded file that takes too long is given up, and the next one has its turn', async () => {
    // Less than a thread takes to start.
    const pool = createThreadPool(1, 5)
    try {
      for (let n = 0; n < 2; n++)
        await expect(pool.run('media', { name: 'sound', args: [Buffer.alloc(8)] }, false)).rejects.toMatchObject({
          name: 'TookTooLong',
        })
    } finally {
      await pool.close()
    }
  })
})
