import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import writeExcel from 'write-excel-file/node'
import { ENCODERS } from '#test/support/encoders'
import { listRowWith } from '@/test/fake-server'
import { readTable } from './read-table.ts'
import { MOST_ROWS, planRow, planSheet, readRows, type Current, type SheetRow } from './sheet-plan.ts'

const READING = { order: 'MDY', today: new Date('2026-11-27T12:00:00Z') } as const
const current = (patch: Partial<Current> = {}): Current => ({
  name: 'Autumn',
  budget: 20,
  currency: 'USD',
  campaign_start_at: '2026-11-30T22:00:00.000Z',
  campaign_end_at: null,
  timezone_offset_seconds: 7200,
  ...patch,
})
const row = (patch: Partial<SheetRow> = {}): SheetRow => ({
  id: 'c1',
  name: 'Autumn',
  currency: 'USD',
  start: '2026-12-01',
  end: '',
  budget: '20',
  ...patch,
})

/** As the server writes its file. */
const fileOf = (rows: readonly (readonly string[])[]) =>
  new File(
    [
      '\ufeff',
      stringify([['Id', 'Name', 'Status', 'Start date', 'End date', 'Currency', 'Budget', 'Clicks'], ...rows], {
        escape_formulas: true,
      }),
    ],
    'campaigns.csv',
    { type: 'text/csv' },
  )

const day = fc
  .integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2199, 10, 30) })
  .map((time) => new Date(time).toISOString().slice(0, 10))
const zone = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 900)
const midnight = (of: string, offset: number) => new Date(Date.parse(`${of}T00:00:00Z`) - offset * 1000).toISOString()
const name = fc
  .tuple(
    fc.constantFrom('', '=', '+', '-', '@', "'", "'=", '"', ';'),
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  )
  .map((parts) => parts.join('').trim())
  // A name of the platform has no line breaks, and is not empty.
  .filter((text) => text !== '' && !/[\r\n\0]/.test(text))
const budget = fc.integer({ min: 1, max: 9_000_000_000_000_000 }).map((micros) => micros / 1e6)

const campaign = fc.record({ name, budget: fc.option(budget), start: fc.option(day), end: fc.option(day), offset: zone })

describe('a spreadsheet that comes back as it was exported', () => {
  it('changes nothing, whatever the campaigns are called and whenever they run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(campaign, { minLength: 1, maxLength: 8 }), async (campaigns) => {
        const table = await readTable(
          fileOf(
            campaigns.map(({ name, budget, start, end }, id) => [
              `c${id}`,
              name,
              'Running',
              start ?? '',
              end ?? '',
              'USD',
              budget === null ? '' : String(budget),
              '7',
            ]),
          ),
        )
        const sheet = readRows(table)
        if ('fault' in sheet) throw new Error(sheet.fault)
        const plans = planSheet(
          sheet.rows,
          (id) => {
            const { name, budget, start, end, offset } = campaigns[Number(id.slice(1))] ?? campaigns[0]!
            return {
              status_key: 3,
              name,
              budget,
              currency: 'USD',
              timezone_offset_seconds: offset,
              campaign_start_at: start === null ? null : midnight(start, offset),
              // The end of a day in the campaign's zone.
              campaign_end_at: end === null ? null : new Date(Date.parse(midnight(end, offset)) + 86_399_999).toISOString(),
            }
          },
          READING,
        )
        expect(plans).toEqual(campaigns.map(() => ({ kind: 'same' })))
      }),
      { numRuns: 200 },
    )
  })

  it('changes exactly what was changed in it', () => {
    fc.assert(
      fc.property(campaign, name, budget, day, (before, typed, amount, until) => {
        const stored = current({
          name: before.name,
          budget: before.budget,
          campaign_start_at: null,
          campaign_end_at: before.end === null ? null : midnight(before.end, before.offset),
          timezone_offset_seconds: before.offset,
        })
        const plan = planRow(row({ name: typed, budget: String(amount), start: '', end: until }), stored, READING)
        // An apostrophe before a formula is the mark of the export.
        const meant = /^'[=+\-@＝＋－＠]/.test(typed) && typed !== before.name ? typed.slice(1).trim() : typed
        const expected = {
          ...(meant === before.name ? {} : { name: meant }),
          ...(amount === before.budget ? {} : { budget: amount }),
          ...(until === before.end ? {} : { campaign_end_at: until }),
        }
        expect(plan.kind === 'changed' ? plan.fields : {}).toEqual(expected)
      }),
    )
  })
})

describe('a row of a spreadsheet', () => {
  it.each([
    [{ budget: '1500,5' }, 'budgetUnclear'],
    [{ budget: 'twenty' }, 'budgetUnclear'],
    [{ budget: '-3' }, 'budgetUnclear'],
    [{ budget: '0.0000001' }, 'budgetUnclear'],
    [{ budget: '0' }, 'budgetLow'],
    [{ budget: '9000000001' }, 'budgetHigh'],
    [{ budget: ' ' }, 'budgetMissing'],
    [{ budget: '€30' }, 'budgetUnclear'],
    [{ start: '12:30' }, 'startUnclear'],
    [{ name: '  ' }, 'nameEmpty'],
    [{ start: 'soon' }, 'startUnclear'],
    [{ end: '2026-02-31' }, 'endUnclear'],
    [{ budget: '30', currency: 'NGN' }, 'currency'],
  ] as const)('a row of a spreadsheet with %o is refused: %s', (patch, reason) => {
    expect(planRow(row(patch), current(), READING)).toEqual({ kind: 'refused', reason })
  })

  it.each([
    [{ budget: '1,500' }, { budget: 1500 }],
    [{ budget: '$1,500' }, { budget: 1500 }],
    [{ budget: '1,500.50 USD' }, { budget: 1500.5 }],
    [{ budget: '114.99999999999999' }, { budget: 115 }],
    [{ end: '12/24/2026' }, { campaign_end_at: '2026-12-24' }],
    [{ start: '' }, { campaign_start_at: null }],
    [{ name: ' Winter ' }, { name: 'Winter' }],
    [{ name: "'=Winter" }, { name: '=Winter' }],
    // Another currency only matters to amounts.
    [{ name: 'Winter', currency: 'NGN' }, { name: 'Winter' }],
  ] as const)('a row of a spreadsheet with %o changes %o', (patch, fields) => {
    expect(planRow(row(patch), current(), READING)).toMatchObject({ kind: 'changed', fields })
  })

  it('leaves alone what the file has no column for', () => {
    expect(planRow({ id: 'c1' }, current(), READING)).toEqual({ kind: 'same' })
  })

  const plansOf = (rows: readonly SheetRow[], status_key = 3) =>
    planSheet(rows, (id) => (id === 'c1' ? listRowWith({ ...current(), status_key }) : undefined), READING)

  it('a row of a spreadsheet is refused when its campaign is unknown, archived, or named twice with a change', () => {
    expect(plansOf([row({ id: 'c9', budget: '30' })])).toEqual([{ kind: 'refused', reason: 'unknown' }])
    expect(plansOf([row({ budget: '30' })], 5)).toEqual([{ kind: 'refused', reason: 'archived' }])
    expect(plansOf([row({ budget: '30' }), row({ budget: '40' })]).map((plan) => plan.kind)).toEqual(['refused', 'refused'])
    expect(plansOf([row(), row()]).map((plan) => plan.kind)).toEqual(['same', 'same'])
  })
})

describe('a file', () => {
  it.each([
    ['Name;Budget\r\nAutumn;20', 'noId'],
    ['Id,Status\nc1,Running', 'noColumns'],
    ['Id,Name\n', 'noRows'],
    ['', 'noTable'],
    [`Id,Name\n${'c,x\n'.repeat(MOST_ROWS + 1)}`, 'tooMany'],
  ] as const)('a file of %j is refused: %s', async (text, fault) => {
    expect(readRows(await readTable(new File([text], 'campaigns.csv')))).toEqual({ fault })
  })

  it('a file separated by semicolons, as spreadsheets of other languages write it, is read too', async () => {
    const table = await readTable(new File(['ID;Name;Budget\r\nc1;"Autumn; late";20\r\n'], 'campaigns.csv'))
    expect(readRows(table)).toEqual({ rows: [{ id: 'c1', name: 'Autumn; late', budget: '20' }] })
  })

  it.each(Object.entries(ENCODERS).filter(([name]) => name !== 'Windows-1252'))('saved in %s is read too', async (_, encode) => {
    const text = 'ID;Name;Budget\r\nc1;Осень;20\r\n'
    const table = await readTable(new File([new Uint8Array(encode(text))], 'campaigns.csv'))
    expect(readRows(table)).toEqual({ rows: [{ id: 'c1', name: 'Осень', budget: '20' }] })
  })

  it.each([
    ['tabs', 'ID\tName\nc1\tAutumn\n'],
    ['vertical bars', 'ID|Name\nc1|Autumn\n'],
    ['line ends of old Macs', 'ID,Name\rc1,Autumn\r'],
    ['sep=;', 'sep=;\nID;Name\nc1;Autumn\n'],
  ])('a file with %s is read too', async (_, text) => {
    const table = await readTable(new File([text], 'campaigns.csv'))
    expect(readRows(table)).toEqual({ rows: [{ id: 'c1', name: 'Autumn' }] })
  })

  it('a file is read as the workbook that it is, whatever its name', async () => {
    const rows = [['Id', 'Name'].map((value) => ({ value })), ['c1', 'Autumn'].map((value) => ({ value }))]
    const bytes = await writeExcel(rows).toBuffer()
    const table = await readTable(new File([new Uint8Array(bytes)], 'campaigns.csv', { type: 'text/csv' }))
    expect(readRows(table)).toEqual({ rows: [{ id: 'c1', name: 'Autumn' }] })
  })

  it('a file that unpacks to more than a page takes is refused', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(101_000_000) }, { level: 1 })
    expect(bomb.length).toBeLessThan(5_000_000)
    expect(await readTable(new File([new Uint8Array(bomb)], 'campaigns.xlsx'))).toBeNull()
  })

  it('a file that is no spreadsheet is refused', async () => {
    expect(readRows(await readTable(new File(['PK nonsense'], 'campaigns.xlsx')))).toEqual({ fault: 'noTable' })
  })
})
