import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numbering } from '#commands/formats/phone/numbering'
import { recognise } from './columns.ts'
import { hashedVisitor, phoneNumber, readIdentifier } from './identifiers.ts'

const FULL = { numbering, country: null, anyForm: false }
const UUID = '0b1e9d0a-6b1c-4f7e-9f0a-1c2d3e4f5a6b'
const said = (cell: string, reading: Parameters<typeof readIdentifier>[2] = FULL) => {
  const read = readIdentifier(cell, 'any', reading)
  return read.kind === 'rejected' ? read.reason : read.value
}

describe('an identifier', () => {
  it.each([
    [UUID, UUID],
    [` ${UUID.toUpperCase()} `, UUID],
    [UUID.replaceAll('-', ''), UUID],
    [`{${UUID.toUpperCase()}}`, UUID],
    [`="${UUID}"`, UUID],
    ['2348031234567', '2348031234567'],
    ['234 803-123.4567', '2348031234567'],
    ['+2348031234567', 'prefix'],
    ['002348031234567', 'prefix'],
    ['08031234567', 'notFull'],
    ['12345', 'notFull'],
    ['1234567890123456', 'format'],
    ['', 'empty'],
    ['  ', 'empty'],
    ['nadia', 'format'],
    ['00000000-0000-0000-0000-000000000000', 'anonymous'],
    ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'hashed'],
    ['A94A8FE5CCB19BA61C4C0873D391E987982FBBD3', 'hashed'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'hashed'],
  ])('"%s" is read as %s', (cell, expected) => expect(said(cell)).toBe(expected))

  it('an identifier of one kind is rejected in a column of the other', () => {
    expect(readIdentifier(UUID, 'phone', FULL).kind).toBe('rejected')
    expect(readIdentifier('2348031234567', 'device', FULL).kind).toBe('rejected')
  })

  it('an identifier has one normal form, which reads as itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uuid(), fc.stringMatching(/^44791\d{7}$/), fc.stringMatching(/^[1-9]\d{7,14}$/), fc.string()),
        (text) => {
          const read = readIdentifier(text, 'any', FULL)
          if (read.kind !== 'rejected') expect(readIdentifier(read.value, read.kind, FULL)).toEqual({ ...read, changes: [] })
        },
      ),
    )
  })

  it('an identifier of a visitor is that of a device when it is one', () => {
    expect(hashedVisitor(UUID.toUpperCase())).toBe(`device:${UUID}`)
    expect(hashedVisitor('v17')).toBe('visitor:v17')
    expect(hashedVisitor('00000000-0000-0000-0000-000000000000')).toBe('visitor:00000000-0000-0000-0000-000000000000')
    expect([phoneNumber('+20 100 555 0199'), phoneNumber('0100')]).toEqual(['201005550199', null])
  })
})

describe('numbers that are no people', () => {
  it.each([
    ['192.168.100.100', 'ip'],
    ['8.8.8.8:443', 'ip'],
    ['2026-11-10', 'date'],
    ['2026-11-10T12:30:00Z', 'date'],
    ['2026-11-10 12:30', 'date'],
    ['11.10.2026', 'date'],
    ['11/10/2026 09:15', 'date'],
    ['31-12-26', 'date'],
    ['4.47911E+11', 'scientific'],
    ['4,47911E+11', 'scientific'],
    ['447911123450E0', 'scientific'],
    ['20261110', 'plan'],
    ['20261110123000', 'plan'],
    ['31122026', 'plan'],
    ['1764321476', 'plan'],
    ['1764321476123', 'plan'],
    ['10000001', 'plan'],
    ['12345678', 'plan'],
    ['1234567.89', 'format'],
    ['12,345,678', 'format'],
    ['£12345678', 'format'],
    ['447911123450.5', 'format'],
    ['447911123450/447911123451', 'format'],
    ['4407911123450', 'plan'],
    ['4479111234500', 'plan'],
  ])('numbers that are no people: %s: %s', (cell, reason) => expect(said(cell)).toBe(reason))
})

describe('additions to a number by software and people', () => {
  const ARABIC = '٤٤٧٩١١١٢٣٤٥٠'
  it.each([
    ['447911123450.0', ['decimal']],
    ['447911123450,00', ['decimal']],
    ['44 (0) 7911123450', ['trunk']],
    ['44(0)7911-123-450', ['trunk']],
    ['44 7911 123450', ['marks']],
    ['(44) 7911/123450', ['marks']],
    ['\u200b447911123450\u200b', ['signs']],
    ['\u202a447911123450\u202c', ['signs']],
    ['44\u20117911\u2011123450', ['signs', 'marks']],
    ['44\u00a07911\u00a0123450', ['marks']],
    ['="447911123450"', ['excelText']],
    ["'447911123450", ['excelText']],
    [ARABIC, ['signs']],
    ['４４７９１１１２３４５０', ['signs']],
  ])('leaves out and reports what software and people add to a number: %j', (cell, changes) => {
    expect(readIdentifier(cell, 'any', FULL)).toEqual({ kind: 'phone', value: '447911123450', changes })
  })

  it('keeps the 0 that Italy dials', () => {
    expect(said('39 (0)6 6982')).toBe(said('39066982'))
    expect(said('39 (0)2 12345678')).toBe('390212345678')
  })
})

describe('the switch for other forms', () => {
  const ANY = { numbering, country: 'GB', anyForm: true }
  it.each([
    ['+447911123450', '447911123450', ANY],
    ['+44 (0) 7911 123450', '447911123450', ANY],
    ['00447911123450', '447911123450', ANY],
    ['07911 123450', '447911123450', ANY],
    ['(0)7911 123450', '447911123450', ANY],
    ['447911123450', '447911123450', ANY],
    ['+79161234560', '79161234560', ANY],
    ['8 (916) 123-45-60', '79161234560', { ...ANY, country: 'RU' }],
    ['916 123-45-60', '79161234560', { ...ANY, country: 'RU' }],
    ['(202) 555-0123', '12025550123', { ...ANY, country: 'US' }],
    ['011 44 7911 123450', '447911123450', { ...ANY, country: 'US' }],
    ['011 15-2345-6789', '5491123456789', { ...ANY, country: 'AR' }],
    ['08031234567', '2348031234567', { ...ANY, country: 'NG' }],
    ['08031234567', 'notFull', { ...ANY, country: null }],
    ['20261110', 'plan', { ...ANY, country: 'DE' }],
    ['1764321476', 'plan', { ...ANY, country: 'US' }],
    ['+1', 'prefix', ANY],
  ] as const)('reads %s as %s', (cell, expected, reading) => expect(said(cell, reading)).toBe(expected))

  it.each([
    ['89161234567', 'RU'],
    ['9161234567', 'RU'],
    ['2025550123', 'US'],
    ['07911123450', 'GB'],
  ])('counts %s in the national form of %s by that name while other forms are off', (cell, country) => {
    expect(said(cell, { ...FULL, country })).toBe('notFull')
  })
})

describe('the columns of a file', () => {
  const rowsOf = (header: readonly string[], row: (n: number) => readonly string[]) => [
    header,
    ...Array.from({ length: 8 }, (_, n) => row(n)),
  ]
  const phone = (n: number) => `44791112345${n}`
  const id = (n: number) => `6d92078a-8246-4ba4-ae5b-76104861e7d${n}`
  const seen = (rows: readonly (readonly string[])[], kind: 'device' | 'phone' | null = null) =>
    recognise(rows, { numbering, country: 'GB', kind })

  it.each([
    ['dates before numbers', rowsOf(['id', 'created', 'mobile_no'], (n) => [String(n), '2026-11-10', phone(n)]), 2],
    ['order dates', rowsOf(['Order Date', 'Customer', 'Cell'], (n) => ['11.10.2026', 'A', phone(n)]), 2],
    ['Russian orders', rowsOf(['Заказ', 'Телефон'], (n) => ['10000001', `7916123456${n}`]), 1],
    ['Russian dates', rowsOf(['Дата', 'Моб. тел.'], (n) => ['10.11.2026', `7916123456${n}`]), 1],
    ['amounts', rowsOf(['customer', 'amount', 'contact'], (n) => ['C', '12345678', phone(n)]), 2],
    ['UNIX times', rowsOf(['timestamp', 'number'], (n) => ['1764321476', phone(n)]), 1],
    ['a name that holds no ids', rowsOf(['device', 'advertising_id'], (n) => ['iPhone 13', id(n)]), 1],
    ['order numbers that are numbers of a plan', rowsOf(['order_no', 'x'], (n) => [phone(n), phone(9 - n)]), 1],
    ['the same number in each row', rowsOf(['a', 'b'], (n) => [phone(0), phone(n)]), 1],
    ['camelCase', rowsOf(['userId', 'phoneNumber'], (n) => [String(n), phone(n)]), 1],
    ['numbers with +', rowsOf(['Ref', 'Contact number'], (n) => [String(n), `+${phone(n)}`]), 1],
    ['a mobile advertising id', rowsOf(['Mobile OS', 'Mobile Advertising ID'], (n) => ['iOS', id(n)]), 1],
    [
      'no names',
      [
        ['A', phone(1)],
        ['B', phone(2)],
      ],
      1,
    ],
    [
      'a tenth of other cells',
      rowsOf(['who', 'x'], (n) => ['A', n === 0 ? 'total' : phone(n)]).concat([
        ['A', phone(8)],
        ['A', phone(9)],
      ]),
      1,
    ],
  ])('the columns of a file are chosen by what they hold: %s', (_, rows, column) =>
    expect(seen(rows)).toMatchObject({ column, asLikely: [] }),
  )

  it.each([
    ['order numbers alone', rowsOf(['order', 'name'], (n) => [phone(n), 'A']), 0],
    ['a column of which half are numbers', rowsOf(['who', 'x'], (n) => ['A', n % 2 === 0 ? 'total' : phone(n)]), 1],
    ['a weak name with some numbers', rowsOf(['number'], (n) => [n === 0 ? phone(0) : '10000001']), 0],
    ['IP addresses', rowsOf(['ip'], (n) => [`192.168.100.10${n}`]), 0],
    ['dates without names', [['20261110'], ['20261111']], 0],
    [
      'hashes',
      rowsOf(['email', 'sha256'], (n) => ['', `9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0${n}`]),
      1,
    ],
  ])('the columns of a file none of which qualifies are asked for, the likeliest named: %s', (_, rows, likeliest) =>
    expect(seen(rows)).toMatchObject({ column: null, likeliest }),
  )

  it('equally likely columns of a file are both named, and one of the asked kind is chosen', () => {
    const rows = rowsOf(['phone', 'mobile', 'idfa'], (n) => [phone(n), phone(9 - n), id(n)])
    expect(seen(rows)).toMatchObject({ column: 0, asLikely: [1, 2] })
    expect(seen(rows, 'device')).toMatchObject({ column: 2, asLikely: [], kind: 'device', device: 'idfa' })
  })

  it('an empty file has no columns', () => expect(seen([])).toMatchObject({ column: null, likeliest: null, header: false }))
})

describe('two readings of one number', () => {
  const inCountry = (country: string, national: boolean, anyForm = true) => ({ numbering, country, anyForm, national })

  it.each([
    ['US', '(203) 234-5678', '12032345678', '2032345678'],
    ['US', '323-234-5678', '13232345678', '3232345678'],
    ['RU', '9671234567', '79671234567', '9671234567'],
    ['RU', '(967) 123-45-67', '79671234567', '9671234567'],
    ['CN', '13012345678', '8613012345678', '13012345678'],
  ])(
    'reads in %s "%s" as %s in a column of national numbers, and as %s in one of full numbers',
    (country, cell, national, full) => {
      expect(said(cell, inCountry(country, true))).toBe(national)
      expect(said(cell, inCountry(country, false))).toBe(full)
      // A user who asked for full numbers alone gets no stranger.
      expect(said(cell, inCountry(country, true, false))).toBe('notFull')
    },
  )

  it.each([
    ['RU', ['9511234567', '9151234567', '9261234567', '9671234567'], [0]],
    ['RU', ['79511234567', '79151234567', '79671234567'], []],
    ['US', ['(203) 234-5678', '212-555-0123', '415 555 0123'], [0]],
    ['US', ['2032345678', '201005550199', '201112223334'], []],
  ])('recognises in %s whether a column of %j is in the national form: %j', (country, cells, national) => {
    const rows = [['Phone'], ...cells.map((cell) => [cell])]
    expect(recognise(rows, { numbering, country, kind: null }).national).toEqual(national)
  })

  it.each([
    ['4989123456.000', '4989123456'],
    ['49 89 1234567.0', '49891234567'],
    ['39 (0)331 123456', '390331123456'],
    ['33.1.23.45.67.00', '33123456700'],
    ['49 30/12345678', '493012345678'],
    ['4989123456 / 7', 'format'],
    ['49 89 123456 (12)', 'format'],
    ['4312345/4312346', 'format'],
    ['495-12-34/495-12-35', 'format'],
    ['-4989123456', 'format'],
  ])('"%s" is %s', (cell, expected) => expect(said(cell)).toBe(expected))
})

it('a named column whose first cells are empty is read, and no other', () => {
  const rows = [['Телефон', 'Доп'], ...Array.from({ length: 60 }, () => ['', '79161234567'])]
  expect(recognise(rows, { numbering, country: null, kind: null }).column).toBe(0)
})

it.each(['upc', 'GTIN', 'latitude', 'lon', 'Серия и номер', 'ord_no', 'Широта'])(
  'a column named "%s" holds no people',
  (name) => {
    const rows = [[name], ...Array.from({ length: 20 }, (_, n) => [String(4989123456 + n)])]
    expect(recognise(rows, { numbering, country: null, kind: null }).column).toBeNull()
  },
)
