import { expect, it } from 'vitest'
import { readAudienceFile, type FileSettings } from './read-file.ts'
import { processorMs } from '#test/support/processor'

/** Chunks that are all there: nothing but the reader gives others their turn. */
async function* chunksOf(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const read = (text: string, settings: Partial<FileSettings> = {}) =>
  readAudienceFile(chunksOf(text), { key: Buffer.alloc(32), column: null, kind: null, store: async () => {}, ...settings })

const DEVICE = '0b1e9d0a-6b1c-4f7e-9f0a-1c2d3e4f5a6b'

// covers AUD-16
it('counts rejected rows by their reasons, and keeps their numbers', async () => {
  const rejected: (readonly [number, string])[] = []
  const rows = ['phone', '+2348031234567', '002348031234567', '08031234567', DEVICE, '0'.repeat(32), 'x']
  const found = await read(rows.join('\n'), { store: async (page) => void rejected.push(...page.rejected) })
  expect(found).toMatchObject({ rows: 6, rejected: 5, reasons: { prefix: 2, notFull: 1, anonymous: 1, format: 1 } })
  expect(rejected).toEqual([
    [2, 'prefix'],
    [3, 'prefix'],
    [4, 'notFull'],
    [6, 'anonymous'],
    [7, 'format'],
  ])
})

it('takes the column and the kind that a person confirmed', async () => {
  const csv = `name;backup;best\nNadia;${DEVICE};2348031234567\nOsei;${DEVICE};2348031234568\n`
  expect(await read(csv, { column: 'best', kind: 'phone' })).toMatchObject({ readable: true, rows: 2, rejected: 0 })
  expect(await read(csv, { column: 'best', kind: 'device' })).toMatchObject({ rows: 2, rejected: 2 })
  expect(await read(csv, { column: 'nothing' })).toMatchObject({ readable: false })
})

it.each([
  ['150,000 commas', ','.repeat(150_000)],
  ['rows of 1,001 cells', `${',a'.repeat(1000)}\n`.repeat(60)],
  ['a quoted row of many lines of commas', `"id"\n${`${','.repeat(900)}"\n"`.repeat(3000)}`],
])('cannot read %s', async (_, text) => expect(await read(text)).toMatchObject({ readable: false }))

it('gives other calls their turn while it reads millions of rows that are all there', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  expect(await read('0\n'.repeat(600_000))).toMatchObject({ rows: 600_000, rejected: 600_000 })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

it.each([
  ['a number with marks between its digits', '1 '.repeat(120_000)],
  ['marks without end', `+${'(-'.repeat(120_000)}`],
  ['a name of a column', 'phone'.repeat(50_000)],
])('rejects cells of a quarter of a megabyte without reading them: %s', async (_, cell) => {
  const began = processorMs()
  const found = await read(`${cell}\n`.repeat(50))
  expect(found).toMatchObject({ readable: true, rows: found.rejected, reasons: { format: found.rows } })
  // What reads such cells whole takes far longer.
  expect(processorMs() - began).toBeLessThan(6000)
})
