import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAudienceFile, type FileSettings } from '#commands/audience/read-file'
import { TooMany } from '#commands/refused'
import { asAsker } from '../database/lanes.ts'
import { Left } from '../database/turns.ts'
import { createThreads } from './threads.ts'
import type { Sheet } from './workbook.ts'

let threads: ReturnType<typeof createThreads>
beforeAll(() => {
  threads = createThreads()
})
afterAll(() => threads.close())

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
  return { key: Buffer.alloc(32, 7), column: null, kind: null, store, pages }
}

describe('a workbook of 20,000 rows', () => {
  it('is written without keeping the event loop from answering', async () => {
    await threads.workbook(sheetOf(1))
    const blocked = monitorEventLoopDelay({ resolution: 5 })
    blocked.enable()
    const file = await threads.workbook(sheetOf(20_000))
    blocked.disable()
    expect(file.subarray(0, 2).toString()).toBe('PK')
    expect(blocked.max / 1e6).toBeLessThan(400)
  })

  it('is left out when the client leaves, running or waiting, and others are written', async () => {
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

  it('is refused when the account waits for too many', async () => {
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

  it('is read as in this thread: the same members, rejected rows and hash', async () => {
    const [here, there] = [storing(), storing()]
    const expected = await readAudienceFile(chunksOf(FILE), here)
    expect(await threads.readAudience(chunksOf(FILE), there)).toEqual(expected)
    expect(expected).toMatchObject({ rows: 9000, rejected: 900 })
    expect(there.pages).toEqual(here.pages)
  })

  it('that is empty, or no CSV, is reported as such', async () => {
    expect(await threads.readAudience(chunksOf(''), storing())).toMatchObject({ bytes: 0, rows: 0 })
    expect(await threads.readAudience(chunksOf(';'.repeat(100_000)), storing())).toMatchObject({ readable: false })
  })

  it('whose storing fails rejects with that error, and leaves the thread to others', async () => {
    const failing = { ...storing(), store: () => Promise.reject(new Left()) }
    const many = Array.from({ length: 70_000 }, (_, n) => idOf(n)).join('\n')
    await expect(threads.readAudience(chunksOf(many), failing)).rejects.toBeInstanceOf(Left)
    expect(await threads.readAudience(chunksOf(FILE), storing())).toMatchObject({ rows: 9000 })
  })

  it('whose client leaves rejects with that error', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(10)
      throw new Error('the client left')
    }
    await expect(threads.readAudience(broken(), storing())).rejects.toThrow('the client left')
  })

  it('that arrives slowly does not delay another', async () => {
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
