import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '#test/support/processor'
import { createRecords } from './csv-records.ts'

/** Reads a text in chunks of so many bytes. */
function read(text: string, chunkBytes = 65_536) {
  const found: (readonly string[])[] = []
  const records = createRecords((record) => found.push(record))
  const bytes = Buffer.from(text)
  const times: number[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const began = processorMs()
    records.write(bytes.subarray(at, at + chunkBytes))
    times.push(processorMs() - began)
  }
  records.end()
  // Half of the chunks took less: collection of garbage may fall into any of them.
  const chunkMs = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
  return { found: records.failed() ? null : found, chunkMs }
}

describe('records of CSV', () => {
  it('are those that were written, with any separator, quotes and line ends, in chunks of any size', () => {
    const cell = fc
      .array(fc.constantFrom('a', 'é', '😀', ' ', '"', ',', ';', '\t', '\n', '\r\n', '1'), { maxLength: 6 })
      .map((parts) => parts.join('').trim())
    const record = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => ['r', ...cells])
    const seen = { quoted: 0, split: 0 }
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 8, size: 'max' }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (records, delimiter, record_delimiter, bom, chunkBytes) => {
          // The first line shows the separator.
          const all = [['a', 'b', 'c', 'd'], ...records]
          const text = stringify(all, { delimiter, record_delimiter, bom, quoted_match: /[\s"]/ })
          expect(read(text, chunkBytes).found).toEqual(all)
          seen.quoted += text.includes('"') ? 1 : 0
          seen.split += chunkBytes < text.length ? 1 : 0
        },
      ),
      { numRuns: 300 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
  })

  it.each([
    ['quotes within a cell are characters', 'a,5" pipe,b\n', [['a', '5" pipe', 'b']]],
    ['text behind a closing quote belongs to the cell', '"a" b,c\n', [['"a" b', 'c']]],
    ['spaces around quotes are left out', ' "a" , b \n', [['a', 'b']]],
    ['spaces within quotes are left out', '" a ",b\n', [['a', 'b']]],
    ['lines without cells are no records', '\n \r\na\n\n', [['a']]],
    ['the last line needs no end', 'a,b\n"c","d"', [['a', 'b'], ['c', 'd']]], // prettier-ignore
    ['a quote that never closes is no CSV', 'a,"b\n', null],
  ])('%s', (_, text, expected) => expect(read(text).found).toEqual(expected))

  it.each([
    ['a row of 1,001 cells', `${','.repeat(1000)}\n`],
    ['a quoted row of 1,001 cells', `"a"${',"a"'.repeat(1000)}\n`],
    ['a row of more than 256 KiB', `"${'a'.repeat(400_000)}"\n`],
    ['a line that never ends', 'a'.repeat(400_000)],
  ])('end at %s', (_, text) => expect(read(text).found).toBeNull())

  it.each([
    ['rows of 1,000 cells', `${',a'.repeat(999)}\n`],
    ['rows of 1,000 quoted cells', `"a"${',"a"'.repeat(999)}\n`],
    ['rows of one quoted and 999 other cells', `"a"${',a'.repeat(999)}\n`],
    ['rows of one quoted cell', '"1"\n'],
    ['rows of doubled quotes', `"${'""'.repeat(50_000)}"\n`],
    ['rows of one cell', '1\n'],
    ['empty lines', '\n'],
  ])('of 4 MiB of %s are read fast, and no chunk stops other work for long', (_, row) => {
    const began = processorMs()
    const { found, chunkMs } = read(row.repeat(Math.ceil((4 * 1024 * 1024) / row.length)))
    expect(found).not.toBeNull()
    expect(chunkMs).toBeLessThan(60)
    expect(processorMs() - began).toBeLessThan(4000)
  })
})
