import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ENCODERS } from '#test/support/encoders'
import { readAudienceFile, type FileSettings } from './read-file.ts'
import { processorMs } from '#test/support/processor'

/** Chunks that are all there: nothing but the reader gives others their turn. */
async function* chunksOf(content: string | Uint8Array): AsyncIterable<Buffer> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const read = (text: string | Uint8Array, settings: Partial<FileSettings> = {}) =>
  readAudienceFile(chunksOf(text), {
    key: Buffer.alloc(32),
    column: null,
    kind: null,
    country: null,
    anyForm: false,
    store: async () => {},
    ...settings,
  })

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
  expect(await read(csv, { column: 'best', kind: 'phone' })).toMatchObject({
    fault: null,
    column: 'best',
    kind: 'phone',
    rows: 2,
    rejected: 0,
  })
  expect(await read(csv, { column: 'best', kind: 'device' })).toMatchObject({ rows: 2, rejected: 2 })
  expect(await read(csv, { column: 'nothing' })).toMatchObject({ fault: 'noColumn' })
})

it.each([
  ['150,000 commas', ','.repeat(150_000)],
  ['rows of 1,001 cells', `${',a'.repeat(1000)}\n`.repeat(60)],
  ['a quoted row of many lines of commas', `"id"\n${`${','.repeat(900)}"\n"`.repeat(3000)}`],
])('reports that it cannot read %s', async (_, text) => expect(await read(text)).toMatchObject({ fault: 'cells' }))

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
  expect(found).toMatchObject({ fault: null, rows: found.rejected, reasons: { format: found.rows } })
  // Reading such cells whole takes far longer.
  expect(processorMs() - began).toBeLessThan(6000)
})

/** Members that are stored of a file, as 16 bytes in hexadecimal digits. */
async function members(text: string | Uint8Array, settings: Partial<FileSettings> = {}) {
  const stored: string[] = []
  const found = await read(text, {
    ...settings,
    store: async ({ members: buckets }) => {
      for (const { members: of } of buckets)
        for (let at = 0; at < of.length; at += 16) stored.push(of.toString('hex', at, at + 16))
    },
  })
  return { found, stored: stored.toSorted() }
}
const hashOf = (digits: string) => createHmac('sha256', Buffer.alloc(32)).update(`phone:${digits}`).digest('hex').slice(0, 32)

describe('lists of others', () => {
  const phones = Array.from({ length: 8 }, (_, n) => `44791112345${n}`)
  const expected = phones.map(hashOf).toSorted()
  const file = (header: string, row: (phone: string) => string, end = '\n') => [header, ...phones.map(row), ''].join(end)

  it.each<readonly [string, string | Uint8Array, object]>([
    ['floats', file('phone', (one) => `${one}.0`), { column: 'phone', normalised: { decimal: 8 } }],
    ['a (0) behind the country code', file('phone', (one) => `44 (0) ${one.slice(2)}`), { normalised: { trunk: 8 } }],
    [
      'dates before numbers',
      file('id,created,mobile_no', (one) => `1,2026-11-10,${one}`),
      { column: 'mobile_no', kind: 'phone' },
    ],
    ['amounts before numbers', file('customer,amount,contact', (one) => `C,12345678,${one}`), { column: 'contact' }],
    ['UNIX times before numbers', file('timestamp,number', (one) => `1764321476,${one}`), { column: 'number' }],
    [
      'Russian orders in Windows-1251',
      ENCODERS['Windows-1251'](file('Заказ;Телефон', (one) => `10000001;${one}`)),
      { column: 'Телефон' },
    ],
    [
      'UTF-16 of Excel',
      ENCODERS['UTF-16LE with its mark'](file('phone\tname', (one) => `${one}\tAna`, '\r\n')),
      { column: 'phone' },
    ],
    ['line ends of old Macs', file('phone', (one) => one, '\r'), { rows: 8 }],
    ['sep=;', `sep=;\r\n${file('Name;Phone', (one) => `A;${one}`, '\r\n')}`, { column: 'Phone', rejected: 0 }],
    ['formulas of text', file('Phone', (one) => `"=""${one}"""`), { normalised: { excelText: 8 } }],
    ['apostrophes and vertical bars', file('who|Phone', (one) => `A|'${one}`), { normalised: { excelText: 8 } }],
    ['direction marks', file('Phone', (one) => `\u202a${one}\u202c`), { normalised: { signs: 8 } }],
    ['IP addresses beside numbers', file('ip,phone', (one) => `192.168.100.100,${one}`), { column: 'phone' }],
  ])('lists of others target the people in the file: %s', async (_, content, answer) => {
    const { found, stored } = await members(content)
    expect(stored).toEqual(expected)
    expect(found).toMatchObject({ qualified: true, rows: 8, rejected: 0, ...answer })
  })

  it.each([
    ['IP addresses', 'ip\n192.168.100.100\n192.168.100.101\n', { column: 'ip', reasons: { ip: 2 } }],
    ['order numbers', file('order no', (one) => one), { column: 'order no', reasons: {} }],
    ['dates without a name', '20261110\n20261111\n', { column: '0', reasons: { plan: 2 } }],
    ['hashes', `email,phone\n,${'ab'.repeat(32)}\n,${'cd'.repeat(32)}\n`, { column: 'phone', reasons: { hashed: 2 } }],
    ['rounded numbers', 'phone\n4.47911E+11\n4.47911E+11\n', { column: 'phone', reasons: { scientific: 2 } }],
  ])('lists of others store no one as a member: %s', async (_, content, answer) => {
    const { found, stored } = await members(content)
    expect(stored).toEqual([])
    expect(found).toMatchObject({ qualified: false, ...answer })
  })

  it('lists of others count + and the national form by name, and read them when they are asked to', async () => {
    const text = ['phone', `+${phones[0]}`, `00${phones[1]}`, '07911123452', phones[3]].join('\n')
    const gb = { country: 'GB' }
    expect((await members(text, gb)).found).toMatchObject({ rejected: 3, reasons: { prefix: 2, notFull: 1 } })
    const { found, stored } = await members(text, { ...gb, anyForm: true })
    expect(found).toMatchObject({ rejected: 0, normalised: { completed: 3 } })
    expect(stored).toEqual(phones.slice(0, 4).map(hashOf).toSorted())
  })

  it('lists of others answer with examples of what was read, changed and rejected', async () => {
    const { examples } = await read(['phone', '44 7911 123450', phones[1], 'x', 'y'].join('\n'))
    expect(examples).toEqual([
      { row: 2, text: '44 7911 123450', value: phones[0], reason: null, changes: ['marks'] },
      { row: 3, text: phones[1], value: phones[1], reason: null, changes: [] },
      { row: 4, text: 'x', value: null, reason: 'format', changes: [] },
    ])
  })
})

it('a column by its position is that column, also where a cell of the first row has its digits', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => `${n + 1};${79161234510 + n}`)
  expect(await read(rows.join('\n'), { column: '1' })).toMatchObject({ rows: 12, rejected: 0, column: '1' })
})

it('a name that was cut within a character leaves the file in UTF-8', async () => {
  const text = Buffer.from(
    `Заказ;Телефон\n${Array.from({ length: 20 }, (_, n) => `7900000000${n % 10};7916123451${n % 10}`).join('\n')}\nИва`,
  )
  expect(await read(text.subarray(0, -1))).toMatchObject({ column: 'Телефон', as_likely: [] })
})
