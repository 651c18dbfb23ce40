import { describe, expect, it } from 'vitest'
import { initial, type InvoiceState } from '#domain/invoice/state'
import { possibleSteps, summaryOf } from './shown.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const ISSUED: InvoiceState = {
  ...initial,
  stage: 'issued',
  number: 'W-1',
  total: 100,
  payable: 100,
  due_at: '2026-04-01T00:00:00.000Z',
}
const AMOUNTS = { total: 100, rounding: 0, tax: 0, payable: 100_000_000, tax_mode: 'none', tax_rate: 0 } as const

const dueOf = (state: InvoiceState) =>
  summaryOf({ id: 'i', space_name: '', dated_at: NOW, paid: 30_000_000, credited: 0, state }, NOW, AMOUNTS).balance_due

describe('an invoice in the list', () => {
  it('an invoice in the list has a balance due while it is issued', () => {
    expect(dueOf(ISSUED)).toBe(70)
  })

  it.each<readonly [string, InvoiceState]>([
    ['void', { ...ISSUED, stage: 'void' }],
    ['a draft', { ...ISSUED, stage: 'draft' }],
    ['being issued', { ...ISSUED, stage: 'issuing' }],
    ['a credit note', { ...ISSUED, kind: 'credit_note' }],
  ])('an invoice in the list has no balance due while it is %s, and is not paid', (_, state) => {
    expect(dueOf(state)).toBe(0)
    expect(possibleSteps(state, true).pay).toBe(false)
  })
})
