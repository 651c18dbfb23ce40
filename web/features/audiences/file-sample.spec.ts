import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAudienceFile } from '#commands/audience/read-file'
import { ENCODERS } from '#test/support/encoders'
import { readSample } from './file-sample.ts'

const phone = fc.integer({ min: 0, max: 99 }).map((n) => `4479111234${String(n).padStart(2, '0')}`)
const cell = fc.oneof(
  phone,
  phone.map((digits) => `+${digits}`),
  phone.map((digits) => `${digits}.0`),
  fc.uuid(),
  fc.constantFrom('Анна', 'a;b', 'a,"b"', 'two\nlines', '2026-11-10', '12345678', '', '192.168.100.100'),
)
const names = fc.constantFrom('phone', 'Телефон', 'Дата', 'idfa', 'amount', 'who', 'mobile', 'Заказ')

it('reads of the same bytes what the server reads: the column, its kind, and each row', async () => {
  const seen = { chosen: 0, asked: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 80, size: 'max' }),
      fc.option(fc.tuple(names, names, names)),
      fc.constantFrom(...Object.entries(ENCODERS).filter(([name]) => name !== 'Windows-1252')),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      async (rows, header, [, encode], delimiter, record_delimiter, anyForm) => {
        const whole = header === null ? rows : [header, ...rows]
        const bytes = encode(stringify(whole, { delimiter, record_delimiter, quoted: true }))
        const server = await readAudienceFile(chunksOf(bytes), {
          key: Buffer.alloc(32),
          column: null,
          kind: null,
          country: 'GB',
          anyForm,
          store: async () => {},
        })
        const sample = await readSample(new Blob([new Uint8Array(bytes)]), 'GB')
        const { column, likeliest } = sample
        expect([server.fault, server.qualified]).toEqual([sample.fault, column !== null])
        seen[column === null ? 'asked' : 'chosen'] += 1
        const at = column ?? likeliest ?? 0
        expect([sample.columns[at] ?? '', String(at)]).toContain(server.column)
        const first = sample.header ? 2 : 1
        for (const { row, text, value, reason } of server.examples.filter(({ row }) => row - first < sample.rows.length)) {
          const read = sample.read(sample.rows[row - first]?.[at] ?? '', at, 'any', anyForm)
          expect([text, read.kind === 'rejected' ? read.reason : read.value]).toEqual([text, value ?? reason])
        }
      },
    ),
    { numRuns: 200 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
})

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 777) yield Buffer.from(bytes.subarray(at, at + 777))
}
