import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AudioAd, Banner, DynamicAd, NativeAd, VideoAd } from '#domain/campaign/content/content'
import { BUDGET_TYPES, CAMPAIGN_FORMATS, codesOf, DEVICE_TYPES, GENDERS, SIMILARITIES } from '#domain/campaign/content/options'
import { logState } from '#domain/campaign/log-state'
import { initial as initialState } from '#domain/campaign/state'
import type { Language } from '#domain/kit/languages'
import { chooseLanguage } from '@/i18n/setup'
import { fieldChanges, untouched } from './field-changes.ts'
import { NAMES } from '@/test/log-fixture'
import { pathLabel } from './log-labels.ts'
import { fieldAt } from './log-lookup.ts'
import { inOneLine } from './said.ts'
import { sayChange } from './said-change.ts'
import { isObject } from './values.ts'

const said = (path: string, to: unknown) => inOneLine(sayChange({ path, from: null, to }, NAMES).after)

const image = { width: 1200, height: 628, file_id: 'f', url: '/f.png' }
const indexed = { index: 0, value: 'words' }
const indexedImage = { index: 0, file_id: 'f', url: '/f.png' }
/** Every key that an ad can have; the compiler sees to it that none is left out. */
const dynamic: DynamicAd = {
  id: 'd',
  creative_name: 'a',
  titles: [indexed],
  descriptions: [indexed],
  call_to_action: 'a',
  call_to_action_color: '#000',
  company_name: 'a',
  images: [indexedImage],
  logos: [indexedImage],
  isManual: true,
}
const native: NativeAd = {
  id: 'n',
  creative_name: 'a',
  headline: 'a',
  body: 'a',
  images: [image],
  call_to_action: 'a',
  logo: image,
  star_rating: 4,
  price: '1',
  advertiser: 'a',
  video: { url: '/v.mp4', fileId: 'f', filename: 'v.mp4', size: 1000, duration: 15 },
}
const video: VideoAd = {
  id: 'v',
  creative_name: 'a',
  video: { file_id: 'f', name: 'v.mp4', url: '/v.mp4', size: 1000, duration: 15, width: 640, height: 360 },
  headline: 'a',
  long_headline: 'a',
  cta: 'a',
  companion_banners: [image],
}
const audio: AudioAd = { id: 'a', fileId: 'f', name: 'a.mp3', url: '/a.mp3', size: 1, extension: 'mp3' }
const banner: Banner = {
  id: 'b',
  width: 300,
  height: 250,
  file_id: 'f',
  url: '/b.png',
  creative_name: 'a',
  type_key: 1,
  size_key: 1,
}

/** Every key of what the log compares, down to the last; lists by one element. */
const keysOf = (path: string, value: unknown): readonly string[] => {
  const element: unknown = Array.isArray(value) ? value[0] : value
  return isObject(element) ? Object.entries(element).flatMap(([key, inner]) => keysOf(`${path}.${key}`, inner)) : [path]
}
const KEYS = Object.entries({
  ...logState(initialState),
  dynamic_ad: dynamic,
  native_ad: native,
  video_ad: video,
  audio_ads: audio,
  visuals: { banners: banner },
}).flatMap(([key, value]) => keysOf(key, value))

/** Said with what it is a part of: identity and place of an element, sizes and files of pictures in lists. */
const PART =
  /^(audio_ads|visuals\.banners)\.id$|\.index$|^exchange_decisions|\.(images|companion_banners)\.(width|height|file_id|url)$/

describe('fields of the log', () => {
  afterEach(() => chooseLanguage('en'))

  it.each(['en', 'ru'] satisfies Language[])(
    'fields of the log have a label of their own in %s, whatever part of a campaign changes',
    async (language) => {
      await chooseLanguage(language)
      const own = KEYS.filter((path) => !PART.test(path))
      expect(own.filter((path) => fieldAt(path) === null)).toEqual([])
      expect(own.filter((path) => pathLabel(path) === path || pathLabel(path).includes('_'))).toEqual([])
      if (language === 'ru') expect(own.filter((path) => !/[а-яё]|^(CPM|CPX|T)$/i.test(pathLabel(path)))).toEqual([])
    },
  )

  it('fields of the log are all shown of a whole state', () => {
    const paths = untouched(logState(initialState), []).map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['name', 'targeting.gender', 'frequency_cap.1', 'scheduling.0', 'status_key']))
    expect(paths.filter((path) => pathLabel(path) === path)).toEqual([])
  })
})

describe('codes that are stored as numbers', () => {
  afterEach(() => chooseLanguage('en'))

  it.each(['en', 'ru'] satisfies Language[])(
    'codes that are stored as numbers all have a name in the change log in %s',
    async (language) => {
      await chooseLanguage(language)
      const paths = {
        'placement.device_type_key': DEVICE_TYPES,
        'targeting.gender': GENDERS,
        'targeting.similarity': SIMILARITIES,
        budget_type_key: BUDGET_TYPES,
        campaign_type_key: CAMPAIGN_FORMATS,
      }
      const unnamed = Object.entries(paths).flatMap(([path, codes]) =>
        codesOf(codes).filter((code) => /^[\d_a-z]*$/.test(said(path, code)) || said(path, code) === String(code)),
      )
      expect(unnamed).toEqual([])
    },
  )
})

describe('values of the change log in words', () => {
  it.each([
    ['budget', 20, '$20.00'],
    ['cpm', 0.1234567, '$0.123457'],
    ['margin', 12.5, '12.5%'],
    ['country', 'EG', 'country EG'],
    ['timezone_offset_seconds', -12_600, 'UTC−3:30'],
    // Midnight in the zone of the campaign, two hours east.
    ['campaign_start_at', '2026-03-01T22:00:00.000Z', 'Mar 02, 2026'],
    ['budget_type_key', 2, 'Daily'],
    ['targeting.gender', 2, 'Male'],
    ['targeting.ageRange', [18, 65], '18–65'],
    ['targeting.city_ids', ['7'], 'city 7'],
    ['placement.device_type_key', 3, 'iOS'],
    ['placement.device_type_key', 4, 'Android'],
    ['targeting.similarity', 2, 'Wide'],
    ['campaign_type_key', 1, 'Banner'],
    ['campaign_type_key', 5, 'In Page Video'],
    ['targeting_on', true, 'yes'],
    ['manual_cpx', false, 'no'],
    ['exchange_id', [], 'all'],
    ['exchange_id', ['google'], 'Google AdX'],
    ['status_key', 41, 'Paused'],
    ['scheduling.1', ['08', '09', '14'], '08:00–10:00, 14:00–15:00'],
    ['native_ad.video.duration', 15, '15 s'],
    ['native_ad.logo.width', 100, '100 px'],
    ['visuals.banners', [banner], 'a · 300 × 250'],
    ['custom_html', '', ''],
    ['targeting.apps.include', ['prime-video'], 'app prime-video'],
    ['placement.excluded_apps', ['among-us'], 'app among-us'],
    ['slots', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 'all'],
    ['slots', [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], '1, 3'],
    ['slots', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 'none'],
    ['bidding_strategy.website_promotion.optionCondition', 'does_not_contain', 'Address does not contain'],
    ['attribution', [{ name: 'utm', value: 'x' }], 'utm = x'],
    ['bid_multipliers', 'not a list', 'not a list'],
  ])('%s: %j is %j', (path, value, words) => expect(said(path, value)).toBe(words))

  it('a decision of an exchange is a word of the reader’s language, the whole of it and each part', async () => {
    onTestFinished(async () => chooseLanguage('en'))
    const part = (status: string) => ({ status, topics: [] })
    const decision = { dealsPolicyCompliance: part('approved'), networkPolicyCompliance: part('pending') }
    const words = () => [
      said('exchange_decisions.google.b1', decision),
      said('exchange_decisions.google.b1.dealsPolicyCompliance.status', 'approved'),
      said('exchange_decisions.google.b1.dealsPolicyCompliance.status', 'disapproved'),
    ]
    expect(words()).toEqual(['Pending', 'Approved', 'Disapproved'])
    await chooseLanguage('ru')
    expect(words()).toEqual(['Ожидает', 'Одобрено', 'Отклонено'])
  })

  it('an entry of advanced bidding is a sentence', () => {
    const entries = [
      {
        id: 1,
        name: 'Evenings',
        multiplier: 1.5,
        rules: { condition: 'and', rules: [{ field: 'hour', operator: '>', value: 18 }] },
      },
    ]
    expect(said('traffic_targeting', JSON.stringify(entries))).toMatch(/^Evenings: .*hour > 18.* × 1\.5$/)
  })
})

describe('changes field by field', () => {
  it('changes field by field take apart what was set as a whole, and leave out what was nothing and still is', () => {
    const changes = fieldChanges([{ path: 'targeting', from: null, to: { gender: 2, regions: [], fromAge: 18 } }])
    expect(changes).toEqual([
      { path: 'targeting.gender', from: undefined, to: 2 },
      { path: 'targeting.fromAge', from: undefined, to: 18 },
    ])
  })

  it('changes field by field say something even when there was nothing before and after', () => {
    expect(fieldChanges([{ path: 'regions', from: null, to: [] }])).toHaveLength(1)
  })

  it('changes field by field tell elements by what they are, not by where they stand', () => {
    const { items } = sayChange({ path: 'test_devices', from: ['a', 'b', 'c'], to: ['c', 'a', 'd'] }, NAMES)
    expect(items?.map(({ item, in: side }) => [item.text, side])).toEqual([
      ['a', 'both'],
      ['b', 'before'],
      ['c', 'both'],
      ['d', 'after'],
    ])
  })

  it('changes field by field compare long texts by words, and short ones as a whole', () => {
    const long = 'The quick brown fox jumps over the lazy dog every day'
    const words = (from: string, to: string) => sayChange({ path: 'native_ad.body', from, to }, NAMES).words
    expect(words('short', 'shorter')).toBeNull()
    expect(words(long, long.replace('quick ', ''))?.filter((one) => one.in !== 'both')).toEqual([
      { text: 'quick ', in: 'before' },
    ])
    expect(words(long, 'x'.repeat(60))).toBeNull()
  })
})
