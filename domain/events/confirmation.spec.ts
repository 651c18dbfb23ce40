import { describe, expect, it } from 'vitest'
import { markOf, siteOf, type Mark } from './confirmation.ts'

const start = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)
const event = { campaignId: 'c', time: '2026-11-10T12:00:00.000Z', expected: true }

describe('an event', () => {
  it.each<
    readonly [what: string, over: Partial<typeof event> | { campaignId: null }, clicks: readonly string[], mark: Mark | null]
  >([
    ['of a campaign with a click on its day', {}, ['2026-11-10'], null],
    ['of a campaign with a click 30 days before', {}, ['2026-10-11'], null],
    ['of a campaign with a click 31 days before', {}, ['2026-10-10'], 'click'],
    ['of a campaign with a click on the day after', {}, ['2026-11-11'], 'click'],
    ['of a campaign without a click', {}, [], 'click'],
    ['of no campaign', { campaignId: null }, [], null],
    ['of a page of another site, whatever was clicked', { expected: false }, ['2026-11-10'], 'origin'],
    ['of a page of another site and of no campaign', { expected: false, campaignId: null } as never, [], 'origin'],
  ])('a confirmation %s has its mark', (_, over, clicks, mark) =>
    expect(markOf({ ...event, ...over }, clicks.map(start))).toBe(mark),
  )
})

describe('the site of a page', () => {
  it.each([
    ['https://nile.example/landing?a=b', 'nile.example'],
    ['https://www.nile.example', 'nile.example'],
    ['http://NILE.example:8080/', 'nile.example:8080'],
    ['https://shop.nile.example/', 'shop.nile.example'],
    ['https://nile.example.evil.example/', 'nile.example.evil.example'],
    ['null', null],
    ['', null],
    ['data:text/html,nile.example', null],
  ])('%s is %s', (page, site) => expect(siteOf(page)).toBe(site))
})
