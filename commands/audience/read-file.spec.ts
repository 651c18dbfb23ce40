import { expect, it } from 'vitest'
import { readAudienceFile } from './read-file.ts'
import { processorMs } from '#test/support/processor'

/** Chunks that are all there: nothing but the reader gives others their turn. */
async function* chunksOf(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const read = (text: string) =>
  readAudienceFile(chunksOf(text), { key: Buffer.alloc(32), column: null, kind: null, store: async () => {} })

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
