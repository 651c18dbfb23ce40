import { describe, expect, it } from 'vitest'
import { kindsFor, nextDigest, NOTIFICATION_KINDS, pathOf } from './notification.ts'

describe('the daily digest', () => {
  it.each([
    ['before eight', '2026-11-25T05:59:59Z', 'UTC', '2026-11-25T08:00:00.000Z'],
    ['at eight', '2026-11-25T08:00:00Z', 'UTC', '2026-11-26T08:00:00.000Z'],
    ['in a zone east of UTC', '2026-11-25T05:30:00Z', 'Asia/Yerevan', '2026-11-26T04:00:00.000Z'],
    ['in a zone west of UTC', '2026-11-25T02:00:00Z', 'America/New_York', '2026-11-25T13:00:00.000Z'],
    ['with a fixed offset', '2026-11-25T02:00:00Z', 3600, '2026-11-25T07:00:00.000Z'],
    ['at the end of a month', '2026-11-30T20:00:00Z', 'UTC', '2026-12-01T08:00:00.000Z'],
  ])('the daily digest is sent at the next 08:00 of the account %s', (_, instant, zone, expected) =>
    expect(nextDigest(instant, zone)).toBe(expected),
  )
})

describe('kinds of notifications', () => {
  it('kinds of notifications of an accountant are about money and the chat alone', () =>
    expect(kindsFor(['ACCOUNTANT'])).toEqual([
      'balance-low',
      'payment-failed',
      'invoice-issued',
      'invoice-overdue',
      'chat-message',
    ]))
  it('kinds of notifications of a moderator are messages of users', () =>
    expect(kindsFor(['WL_MODERATOR'])).toEqual(['chat-question']))
  it('kinds of notifications of an auditor are answers in the chat', () =>
    expect(kindsFor(['AUDITOR'])).toEqual(['chat-message']))
  it('kinds of notifications lead to an address of the application, whatever their data holds', () => {
    for (const kind of NOTIFICATION_KINDS) expect(pathOf(kind, { id: '../x?y#z' })).toMatch(/^\/[a-z]/)
    expect(pathOf('invoice-issued', { id: '../x' })).toBe('/payments/invoice/..%2Fx')
  })
})
