import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '#test/support/processor'
import { ENCODERS, type Encode } from '#test/support/encoders'
import { createTableReader } from './reader.ts'

/** Reads bytes, or a text in UTF-8, in chunks of so many bytes. */
function read(content: string | Uint8Array, chunkBytes = 65_536) {
  const found: (readonly string[])[] = []
  const lines: number[] = []
  const records = createTableReader((record, line) => {
    found.push(record)
    lines.push(line)
  })
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const times: number[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const began = processorMs()
    records.write(bytes.subarray(at, at + chunkBytes))
    times.push(processorMs() - began)
  }
  records.end()
  // Half of the chunks took less: collection of garbage may fall into any of them.
  const chunkMs = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
  return { found: records.fault() === null ? found : null, fault: records.fault(), lines, chunkMs }
}

describe('records of a table', () => {
  it('records of a table are those that were written, with any separator, quotes and line ends, in chunks of any size', () => {
    const cell = fc
      .array(fc.constantFrom('a', 'é', '😀', ' ', '"', ',', ';', '|', '\t', '\n', '1'), { maxLength: 6 })
      .map((parts) => parts.join('').trim())
    const record = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => ['r', ...cells])
    const seen = { quoted: 0, split: 0 }
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 8, size: 'max' }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r'),
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
  ])('records of a table: %s', (_, text, expected) => expect(read(text).found).toEqual(expected))

  it('records of a table in every encoding are the same, in chunks of any size', () => {
    const word = fc.constantFrom('Анна', 'Иван Петров', 'Москва', '79161234560', 'a', '"x;y"', ' ')
    const encoders = Object.entries(ENCODERS).filter(([name]) => name !== 'Windows-1252')
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(...encoders),
        fc.constantFrom(';', '\t', '|'),
        fc.integer({ min: 1, max: 5000 }),
        (rows, [, encode], mark, chunkBytes) => {
          const whole = [['Телефон', 'Имя', 'Город'], ...rows.map((cells) => ['Строка', ...cells])]
          const written = whole.map((cells) => cells.join(mark)).join('\r\n')
          expect(read(encode(written), chunkBytes).found).toEqual(read(written).found)
        },
      ),
    )
  })

  const RUSSIAN = 'Телефон;Имя\r\n79161234560;Анна\r\n'
  const GERMAN = 'Telefon;Größe;Straße\n4915112345678;Müller;Köln\n'
  const without = (page: string, text: string) =>
    Object.entries(ENCODERS)
      .filter(([name]) => name !== page)
      .map(([name, encode]) => [name, encode, text] as const)
  const behindAscii = `phone;name\n${'79161234560;a\n'.repeat(7500)}1;Иван Петров\n`
  it.each<readonly [string, Encode, string]>([
    ...without('Windows-1252', RUSSIAN),
    ...without('Windows-1251', GERMAN),
    ['Windows-1252 with what ISO 8859-1 lacks', ENCODERS['Windows-1252'], 'name;note\nZoë;“5 €” – später\n'],
    ['Windows-1251 behind 100 KiB of ASCII', ENCODERS['Windows-1251'], behindAscii],
    ['UTF-8 behind 100 KiB of ASCII', ENCODERS['UTF-8'], behindAscii],
  ])('records of a table are read in %s', (_, encode, text) => {
    const lines = text.trim().split(/\r?\n/)
    expect(read(encode(text), 1000).found).toEqual(lines.map((line) => line.split(';')))
  })

  it.each([
    ['sep=; is not a row', 'sep=;\r\nName;Phone\r\nA;1\r\n', ['Name/Phone', 'A/1']],
    ['sep=, in quotes', '"sep=,"\na;b,c\n', ['a;b/c']],
    ['sep= of a tab', 'sep=\t\na,b\tc\n', ['a,b/c']],
    ['SEP=|', 'SEP=|\na;b|c\n', ['a;b/c']],
    ['a vertical bar', 'a|b\n1|2\n', ['a/b', '1/2']],
    ['decimal commas between semicolons', 'phone;sum\n1;5,5\n2;7,5\n', ['phone/sum', '1/5,5', '2/7,5']],
    [
      'titles above the table',
      'Customer report\n"November 1, 2026 - November 30, 2026"\nName\tPhone\nA, B\t1\n',
      ['Customer report', 'November 1, 2026 - November 30, 2026', 'Name/Phone', 'A, B/1'],
    ],
    ['a name with the other separator in quotes', '"Name, first";Phone\nA;1\n', ['Name, first/Phone', 'A/1']],
    ['line ends of old Macs', 'phone\r1\r2\r', ['phone', '1', '2']],
    ['line ends that are mixed', 'phone\r\n1\n2\r3', ['phone', '1', '2', '3']],
    ['a line break in quotes', '"a\r\nb",c\r\nd,e\r\n', ['a\nb/c', 'd/e']],
  ])('records of a table are read as foreign software separates them: %s', (_, text, expected) => {
    for (const size of [1, 3, 65_536]) expect(read(text, size).found?.map((cells) => cells.join('/'))).toEqual(expected)
  })

  it('records of a table know their lines, also behind empty ones and breaks in quotes', () => {
    expect(read('sep=;\na;b\n\n"x\ny";1\nc;d\n').lines).toEqual([2, 4, 6])
  })

  it.each([
    ['workbook', [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8]],
    ['oldWorkbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
    ['pdf', [...Buffer.from('%PDF-1.7\n%')]],
    ['archive', [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0]],
    ['archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]],
    ['archive', [...Buffer.from('Rar!\x1a\x07\x01\0')]],
    ['binary', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['binary', [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]],
  ])('a file of another kind has no records: %s', (fault, bytes) => {
    for (const size of [1, 65_536]) expect(read(Uint8Array.from(bytes), size).fault).toBe(fault)
  })

  it.each([
    ['a row of 1,001 cells', `${','.repeat(1000)}\n`],
    ['a quoted row of 1,001 cells', `"a"${',"a"'.repeat(1000)}\n`],
    ['a row of more than 256 KiB', `"${'a'.repeat(400_000)}"\n`],
    ['a line that never ends', 'a'.repeat(400_000)],
  ])('records of a table end at %s', (_, text) => expect(read(text).found).toBeNull())

  it.each([
    ['rows of 1,000 cells', `${',a'.repeat(999)}\n`],
    ['rows of 1,000 quoted cells', `"a"${',"a"'.repeat(999)}\n`],
    ['rows of one quoted and 999 other cells', `"a"${',a'.repeat(999)}\n`],
    ['rows of one quoted cell', '"1"\n'],
    ['rows of doubled quotes', `"${'""'.repeat(50_000)}"\n`],
    ['rows of one cell', '1\n'],
    ['empty lines', '\n'],
  ])('records of a table of 4 MiB of %s are read fast, and no chunk stops other work for long', (_, row) => {
    const began = processorMs()
    const { found, chunkMs } = read(row.repeat(Math.ceil((4 * 1024 * 1024) / row.length)))
    expect(found).not.toBeNull()
    expect(chunkMs).toBeLessThan(60)
    expect(processorMs() - began).toBeLessThan(4000)
  })
})
