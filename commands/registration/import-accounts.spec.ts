import { describe, expect, it } from 'vitest'
import { importAccounts, MOST_IMPORT_BYTES, type ImportDeps } from './import-accounts.ts'
import { ENCODERS } from '#test/support/encoders'
import { processorMs } from '#test/support/processor'

const HEADER = 'email,first_name,last_name,phone,country'
const GOOD = 'one@import.example,Nadia,Osei,+2348012345678,NG'

/** Checks a file that is refused before anything is asked of the database. */
async function check(text: string | Uint8Array, apply = true) {
  const errors: string[] = []
  const lines: string[] = []
  const began = processorMs()
  const code = await importAccounts(typeof text === 'string' ? Buffer.from(text) : text, {
    store: { personOfAddress: () => Promise.resolve(null) } as unknown as ImportDeps['store'],
    derivedId: () => '',
    now: () => '',
    commands: {} as ImportDeps['commands'],
    isCountry: (iso) => iso === 'NG',
    isWhiteLabel: (id) => id === 'dsp',
    apply,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
  })
  return { code, errors, lines, ms: processorMs() - began }
}

describe('a hostile file of accounts is refused in few short lines', () => {
  it.each<readonly [problem: string, text: string, line: RegExp]>([
    ['a million columns', `${','.repeat(1_000_000)}\n`, /^line 1, column : this column is not known$/],
    [
      'the same column a million times',
      `${HEADER}${',email'.repeat(1_000_000)}\n`,
      /^line 1, column email: this column stands twice$/,
    ],
    ['200,000 wrong rows', `${HEADER}\n${'x\n'.repeat(200_000)}`, /^line 2, column -: 1 cells, but the header has 5$/],
    ['a row of a million cells', `${HEADER}\n${'x,'.repeat(1_000_000)}\n`, /1000001 cells/],
    [
      'a quote that is never closed',
      `${HEADER}\n${GOOD}\n"${'x'.repeat(3_000_000)}`,
      /^line 3, column -: the last quote of the file is never closed$/,
    ],
    ['a quote that is never closed in the header', `"${'x,\n'.repeat(1_000_000)}`, /^line 1, column -: the last quote/],
    [
      'a name of ten megabytes',
      `${HEADER}\n${GOOD.replace('Nadia', 'N'.repeat(10_000_000))}\n`,
      /^line 2, column first_name: longer than 1000/,
    ],
    [
      'an address of ten megabytes',
      `${HEADER}\n${'a@'.repeat(5_000_000)},${GOOD.slice(19)}\n`,
      /^line 2, column email: longer than 1000/,
    ],
    ['NUL characters', `${HEADER}\n${GOOD.replace('Nadia', 'Na\0dia')}\n`, /^line 2, column first_name: .*NUL/],
    ['nothing but NUL characters', '\0'.repeat(1_000_000), /^line 1, column \?{60}: this column is not known$/],
    ['signs that a terminal carries out', `${HEADER},\u001b[2J\n`, /^line 1, column \?\[2j: this column is not known$/],
  ])('a hostile file of accounts: %s', async (_, text, line) => {
    const { code, errors, ms } = await check(text)
    expect(code).toBe(1)
    expect(errors.some((one) => line.test(one))).toBe(true)
    expect(errors.length).toBeLessThanOrEqual(101)
    expect(errors.every((one) => one.length < 200)).toBe(true)
    expect(errors.at(-1)).toMatch(/^\d+ problems in \d+ rows\. Nothing was changed\.$/)
    expect(ms).toBeLessThan(10_000)
  })

  it('a file of accounts of more than 20 MB is refused in few short lines', async () => {
    const { code, errors } = await check(new Uint8Array(MOST_IMPORT_BYTES + 1))
    expect([code, errors]).toEqual([1, ['The file is larger than 20 MB. Split it. Nothing was changed.']])
  })
})

describe('a list of accounts as spreadsheets save it', () => {
  const COLUMNS = ['email', 'first_name', 'last_name', 'company_name', 'country', 'phone', 'currency']
  const ROW = ['zoe@import.example', 'Zoë', 'Müller', '"Zoë & Co"', 'NG', '+2348012345678', 'USD']
  const file = (mark: string, end: string) => [COLUMNS.join(mark), ROW.join(mark), ''].join(end)

  it.each<readonly [string, Uint8Array]>([
    ...Object.entries(ENCODERS)
      .filter(([name]) => name !== 'Windows-1251')
      .map(([name, encode]) => [`semicolons in ${name}`, encode(file(';', '\r\n'))] as const),
    ['tabs of Excel', ENCODERS['UTF-16LE with its mark'](file('\t', '\r\n'))],
    ['vertical bars', ENCODERS['UTF-8'](file('|', '\n'))],
    ['line ends of old Macs', ENCODERS['UTF-8'](file(',', '\r'))],
    ['sep=;', ENCODERS['UTF-8'](`sep=;\r\n${file(';', '\r\n')}`)],
  ])('a list of accounts as spreadsheets save it is read: %s', async (_, bytes) => {
    expect(await check(bytes, false)).toMatchObject({
      code: 0,
      errors: [],
      lines: ['1 accounts to add, 0 to skip. Nothing was changed; add --apply to add them.'],
    })
  })

  it.each([
    ['an Excel workbook', [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0], /^line 1, column -: the file is an Excel workbook/],
    ['a PDF', [...Buffer.from('%PDF-1.7\n%âãÏÓ')], /^line 1, column -: the file is a PDF/],
  ])('a list of accounts is refused by the name of what it is: %s', async (_, bytes, line) => {
    const { code, errors } = await check(Uint8Array.from(bytes))
    expect([code, errors[0]]).toEqual([1, expect.stringMatching(line)])
  })
})
