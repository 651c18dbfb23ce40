import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONTENT, type CampaignContent } from '../content/content.ts'
import { bannedIn } from './banned-words.ts'
import { hostOf, isIpHost, isLookAlike, isSameSite } from './host-names.ts'
import { findingsIn, suggestedReasons } from './simple-checks.ts'

type Texts = { readonly headline?: string; readonly body?: string }
const native = ({ headline = 'Tea from Kenya', body = 'Fresh every day.' }: Texts): CampaignContent['native_ad'] => ({
  id: 'native',
  creative_name: null,
  headline,
  body,
  call_to_action: 'Buy',
  advertiser: 'Nile',
  star_rating: 5,
  price: '0',
  images: [],
  logo: null,
  video: null,
})
type Addresses = { readonly landing?: string; readonly click?: string; readonly html?: string }
const content = ({ landing = 'https://nile.example', click, html, ...texts }: Texts & Addresses = {}): CampaignContent => ({
  ...DEFAULT_CONTENT,
  product_url: landing,
  bidding_strategy: { ...DEFAULT_CONTENT.bidding_strategy, click_url: click ?? landing },
  custom_html: html ?? null,
  native_ad: native(texts),
})
const checks = (of: CampaignContent, words: readonly string[] = []) =>
  findingsIn(of, words).shown.map(({ check, path, value }) => [check, path, value])

/** Fine print 104. */
describe('the simple checks', () => {
  it('the simple checks find nothing in a plain campaign', () => {
    expect(findingsIn(content(), ['vodka'])).toEqual({ shown: [], total: 0 })
    expect(findingsIn(DEFAULT_CONTENT, ['vodka'])).toEqual({ shown: [], total: 0 })
  })

  it('the simple checks find addresses without https: click, landing page, and in scripts', () => {
    expect(checks(content({ landing: 'http://nile.example', html: '<script src="http://cdn.example/a.js"></script>' }))).toEqual([
      ['not_https', 'product_url', 'http://nile.example'],
      ['not_https', 'bidding_strategy.click_url', 'http://nile.example'],
      ['not_https', 'custom_html', 'http://cdn.example/a.js'],
    ])
  })

  it('the simple checks find addresses that are known to be dead, at each place that users follow, and say why', () => {
    const of = content({ landing: 'https://nile.example/a', click: 'https://nile.example/b' })
    expect(findingsIn(of, [], new Map([['https://nile.example/b', 'not_found']])).shown).toEqual([
      {
        check: 'dead_address',
        topic: 'addresses',
        path: 'bidding_strategy.click_url',
        value: 'https://nile.example/b',
        fault: 'not_found',
      },
    ])
    const both = content({ landing: 'https://nile.example/a' })
    expect(findingsIn(both, [], new Map([['https://nile.example/a', 'no_name']])).shown.map(({ path }) => path)).toEqual([
      'product_url',
      'bidding_strategy.click_url',
    ])
  })

  it('the simple checks find click addresses of another host than the landing page, but not of one below it', () => {
    const landing = 'https://www.nile.example/tea'
    expect(checks(content({ landing, click: 'https://shop.nile.example' }))).toEqual([])
    expect(checks(content({ landing, click: 'https://nile.example.evil.example' }))).toEqual([
      ['other_host', 'bidding_strategy.click_url', 'https://nile.example.evil.example'],
    ])
  })

  it('the simple checks find click addresses that are an IP address or look like another name', () => {
    expect(checks(content({ click: 'https://192.0.2.1/tea', landing: 'https://192.0.2.1' }))).toEqual([
      ['ip_host', 'bidding_strategy.click_url', 'https://192.0.2.1/tea'],
    ])
    expect(checks(content({ click: 'https://xn--80ak6aa92e.com', landing: 'https://xn--80ak6aa92e.com' }))).toEqual([
      ['lookalike_host', 'bidding_strategy.click_url', 'https://xn--80ak6aa92e.com'],
    ])
  })

  it('the simple checks find banned words with the word that matched', () => {
    expect(checks(content({ body: 'Cheap VODKA, and more.' }), ['vodka', 'wine'])).toEqual([
      ['banned_word', 'native_ad.body', 'vodka'],
    ])
  })

  it('the simple checks find texts in capitals, repeated signs, and controls of the writing direction', () => {
    expect(checks(content({ headline: 'BUY TEA NOW', body: 'Really?! Yes!!' }))).toEqual([
      ['capitals', 'native_ad.headline', 'BUY TEA NOW'],
      ['punctuation', 'native_ad.body', 'Really?! Yes!!'],
    ])
    expect(checks(content({ headline: 'Чай СССР и США', body: 'And so on... 10:30, NASA' }))).toEqual([])
    expect(checks(content({ body: 'Safe \u202etxt.exe' }))).toEqual([['hidden_text', 'native_ad.body', 'Safe \u202etxt.exe']])
  })

  it('the simple checks show at most 100 findings with values of at most 200 characters, and count all of them', () => {
    const many = content({ html: 'http://a.example '.repeat(250), body: `${'x'.repeat(300)}!!` })
    const { shown, total } = findingsIn(many, [])
    expect([shown.length, total]).toEqual([100, 251])
    expect(findingsIn(content({ body: `${'x'.repeat(300)}!!` }), []).shown[0]?.value).toHaveLength(200)
  })

  const anyContent = fc
    .record({
      landing: fc.oneof(fc.string({ size: 'max', maxLength: 3000 }), fc.webUrl()),
      click: fc.oneof(fc.string({ unit: 'binary', size: 'max', maxLength: 3000 }), fc.webUrl()),
      html: fc.string({ size: 'max', maxLength: 3000 }),
      headline: fc.string({ unit: 'binary', size: 'max', maxLength: 3000 }),
      body: fc.string({ unit: 'grapheme', size: 'max', maxLength: 3000 }),
    })
    .map(content)
  const anyWords = fc.array(fc.string({ unit: 'binary', maxLength: 100 }), { maxLength: 20 })

  it('the simple checks never throw, and count what they show', () => {
    fc.assert(
      fc.property(anyContent, anyWords, (one, words) => {
        const { shown, total } = findingsIn(one, words)
        return shown.length === Math.min(total, 100) && shown.every(({ value }) => [...value].length <= 200)
      }),
      { numRuns: 50 },
    )
  })

  it('the simple checks find the same in every order of the words', () => {
    const listed = (one: CampaignContent, words: readonly string[]) =>
      findingsIn(one, words)
        .shown.map((finding) => JSON.stringify(finding))
        .toSorted()
    fc.assert(
      fc.property(fc.shuffledSubarray(['tea', 'vodka', 'win', 'чай', '100%']), (words) => {
        const one = content({ headline: 'Tea 100%, vodka and Чай', body: 'Win!!' })
        expect(listed(one, words)).toEqual(listed(one, words.toSorted()))
        expect(findingsIn(one, words).total).toBe(words.length + 1)
      }),
    )
  })
})

describe('the suggestion', () => {
  const reasons = [{ topic: 'Drugs' }, { topic: ' запрещённые СЛОВА ' }, { topic: 'Addresses' }, { topic: '' }]

  it('picks the canned reasons whose policy is named like a topic of the findings, in any language', () => {
    expect(suggestedReasons(findingsIn(content({ body: 'vodka' }), ['vodka']), reasons)).toEqual([1])
    const both = content({ landing: 'http://nile.example', body: 'vodka' })
    expect(suggestedReasons(findingsIn(both, ['vodka']), reasons)).toEqual([1, 2])
    expect(suggestedReasons(findingsIn(content(), []), reasons)).toEqual([])
  })
})

describe('banned words', () => {
  it.each([
    ['whole words only', 'vodkas and avodka', 'vodka', false],
    ['at the edges of a text', 'vodka', 'vodka', true],
    ['beside signs', '«Vodka»!', 'vodka', true],
    ['in Russian, in any case', 'Лучшая ВОДКА', 'водка', true],
    ['Russian words as wholes', 'Водкант', 'водка', false],
    ['in full-width characters', 'ｖｏｄｋａ', 'vodka', true],
    ['split by invisible characters', 'vod\u200bka', 'vodka', true],
    ['of several words, with any spaces', 'easy\u00a0  money', 'Easy money', true],
    ['that end with a sign', 'now 100%!', '100%', true],
    ['that are empty', 'anything', ' ', false],
    ['in a later place of the text', 'vodkas, vodka', 'vodka', true],
    ['before a letter beyond the basic plane', 'vodka\u{1d400}', 'vodka', false],
  ])('banned words are found %s', (_, text, word, isFound) => {
    expect(bannedIn(text, [word])).toEqual(isFound ? [word] : [])
  })
})

describe('hosts of addresses', () => {
  it.each([
    ['https://User:pw@Shop.Example:8443/a?b', 'shop.example'],
    ['http:\\\\shop.example\\a', 'shop.example'],
    ['https://shop.example.#', 'shop.example'],
    ['https://ｓｈｏｐ.example', 'shop.example'],
    ['https://', null],
    ['mailto:a@b.example', null],
  ])('%s is of %s', (address, host) => {
    expect(hostOf(address)).toBe(host)
  })

  it.each(['192.0.2.1', '[2001:db8::1]', '3221225985', '0xc0000201', '0xc0.0x0.0x2.0x1'])('%s is an IP address', (host) => {
    expect(isIpHost(host)).toBe(true)
  })

  it.each(['shop.example', '1c.example', 'a1.b2.example'])('%s is no IP address', (host) => {
    expect(isIpHost(host)).toBe(false)
  })

  it.each([
    ['xn--80ak6aa92e.com', true],
    ['аррӏе.com', true],
    ['pаypal.example', true],
    ['xn--!.example', true],
    ['xn--p1ai', false],
    ['xn--e1afmkfd.xn--p1ai', false],
    ['пример.рф', false],
    ['кофе-дом.example', false],
    ['bücher.example', false],
    ['xn--bcher-kva.example', false],
    ['shop.example', false],
  ])('%s looks like another name: %s', (host, isAlike) => {
    expect(isLookAlike(host)).toBe(isAlike)
  })

  it('hosts of addresses are one site with those below them', () => {
    expect(isSameSite('www.a.example', 'a.example')).toBe(true)
    expect(isSameSite('a.example', 'b.a.example')).toBe(true)
    expect(isSameSite('aa.example', 'a.example')).toBe(false)
  })
})
