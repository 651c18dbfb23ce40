import { screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { rejectCampaign, reviewGuidelines } from '#contract/moderation'
import { reviewFindings, type ReviewFindings } from '#contract/review-findings'
import type { CannedReason } from '#contract/review-guidelines'
import { later, NO_FINDINGS, NO_GUIDELINES, openQueue, shows, stopTheClock, three } from '@/test/queue-fixture'
import { placeOf, suggestedRejection, visible } from './findings.ts'

stopTheClock()

const FOUND: ReviewFindings = {
  revision: 1,
  total: 102,
  checking: false,
  findings: [
    { check: 'not_https', topic: 'addresses', path: 'bidding_strategy.click_url', value: 'http://nile.example', fault: null },
    { check: 'banned_word', topic: 'words', path: 'native_ad.body', value: 'vodka', fault: null },
  ],
  reasons: [1],
}
const reason = (en: string, topic: string): CannedReason => ({
  topic,
  active: true,
  title: { en, ru: `${en} (ru)` },
  text: { en: `${en} is not allowed.`, ru: `${en}: нельзя.` },
})
const REASONS = [reason('Tobacco', 'Drugs'), reason('Alcohol', 'Banned words')]
const open = (found: ReviewFindings, reasons = REASONS) =>
  openQueue(three(), (server) => {
    server.on(reviewFindings, () => found)
    server.on(reviewGuidelines, () => ({ ...NO_GUIDELINES, reasons }))
  })
const panel = () => screen.findByRole('region', { name: 'Simple checks' })

/** Fine print 104. */
describe('findings of simple checks', () => {
  it('findings of simple checks are shown with place, policy and value, without an axe violation', async () => {
    await open(FOUND)
    const items = within(await panel()).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Address without httpsAddressesClick addresshttp://nile.example',
      'Banned wordBanned wordsNative advodka',
    ])
    expect(await panel()).toHaveTextContent('Suggestion: Reject: Alcohol. The decision is yours.')
    expect(await panel()).toHaveTextContent('100 more findings')
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([])
  })

  it('says why a page cannot be reached, once the check has ended, and not before that nothing was found', async () => {
    const answers: ReviewFindings[] = [
      { ...NO_FINDINGS, checking: true },
      {
        ...NO_FINDINGS,
        total: 1,
        findings: [
          { check: 'dead_address', topic: 'addresses', path: 'product_url', value: 'https://nile.example/', fault: 'not_found' },
        ],
      },
    ]
    let asked = 0
    await openQueue(three(), (server) => server.on(reviewFindings, () => answers[Math.min(asked++, 1)] ?? NO_FINDINGS))
    expect(await panel()).toHaveTextContent('Checking whether the pages answer')
    expect(await panel()).not.toHaveTextContent('Nothing found.')
    await later()
    const item = await within(await panel()).findByRole('listitem')
    expect(item).toHaveTextContent(
      'Page that cannot be reachedAddressesLanding pagehttps://nile.example/The page does not exist.',
    )
    expect(await panel()).not.toHaveTextContent('Checking')
    expect(asked).toBe(2)
  })

  it('suggests nothing where nothing was found', async () => {
    const app = await open(NO_FINDINGS)
    expect(await panel()).toHaveTextContent('Nothing found.')
    await app.user.keyboard('r')
    expect(await screen.findByLabelText('In your words')).toHaveValue('')
  })

  it('begins a rejection with the canned reasons that fit, which the moderator sends', async () => {
    const app = await open(FOUND)
    await panel()
    await app.user.keyboard('r')
    expect(await screen.findByLabelText('In your words')).toHaveValue('Alcohol is not allowed.')
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    expect(app.sent(rejectCampaign)).toMatchObject([{ comment: 'Alcohol is not allowed.' }])
  })

  it('ticks reasons of the product where the white-label has none', async () => {
    const app = await open(FOUND, [])
    await panel()
    await app.user.keyboard('r')
    expect(await screen.findByRole('checkbox', { name: 'Prohibited product' })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: 'Click link broken or mismatched' })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: 'Adult content' })).not.toBeChecked()
  })

  it('findings of simple checks are written in the language of the advertiser, as far as there is room', () => {
    const long = { ...reason('Long', 'Banned words'), text: { en: 'x'.repeat(4000), ru: 'x'.repeat(4000) } }
    const found = { ...FOUND, reasons: [1, 2, 9] }
    expect(suggestedRejection(found, { language: 'ru', checklist: [], reasons: [...REASONS, long] })).toEqual({
      reasons: [],
      text: 'Alcohol: нельзя.',
    })
  })

  it('names places, and shows controls of the writing direction as codes', () => {
    expect(placeOf('visuals.banners[a].value')).toBe('other')
    expect(placeOf('dynamic_ad.titles[0].value')).toBe('dynamic')
    expect(visible('a\u202eb\u2066')).toBe('a[U+202E]b[U+2066]')
  })
})
