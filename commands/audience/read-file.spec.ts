import { expect, it } from 'vitest'
import { readAudienceFile } from './read-file.ts'

/** Chunks that are all there: nothing but the reader gives others their turn. */
async function* chunksOf(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const read = (text: string) =>
  readAudienceFile(chunksOf(text), { key: Buffer.alloc(32), column: null, kind: null, store: async () => {} })

/** The longest time without a turn for others during the work, milliseconds. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0]
  const turn = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(turn, 1)
  await work()
  turn()
  clearInterval(timer)
  return longest
}

it('gives other calls their turn while it reads millions of rows that are all there', async () => {
  const rows = '0\n'.repeat(600_000)
  const began = performance.now()
  const waited = await longestWait(async () => expect(await read(rows)).toMatchObject({ rows: 600_000, rejected: 600_000 }))
  expect(waited).toBeLessThan((performance.now() - began) / 2)
})

it.each([
  ['a number with marks between its digits', '1 '.repeat(120_000)],
  ['marks without end', `+${'(-'.repeat(120_000)}`],
  ['a name of a column', 'phone'.repeat(50_000)],
])('rejects cells of a quarter of a megabyte without reading them: %s', async (_, cell) => {
  const began = performance.now()
  const found = await read(`${cell}\n`.repeat(50))
  expect(found).toMatchObject({ readable: true, rows: found.rejected, reasons: { format: found.rows } })
  // On a busy machine; what reads such cells whole takes far longer.
  expect(performance.now() - began).toBeLessThan(3000)
})
