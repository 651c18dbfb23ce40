import { describe, expect, it } from 'vitest'
import { campaignInput } from '#contract/campaign-body'
import { z } from '#contract/zod'
import { decide } from '#domain/campaign/campaign'
import type { CampaignCommand, CommandFacts } from '#domain/campaign/commands'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { fileAddress } from '#domain/campaign/content/file-addresses'
import { NOTHING_LOOKED_UP, type FileFacts } from '#domain/campaign/saving/references'
import { evolve, initial, type CampaignState } from '#domain/campaign/state'
import { givenFor } from '#test/support/decider'
import { readPatch } from './patch.ts'
import { campaignOut } from './wire.ts'

/** Content that a save keeps of a body, from the body that is sent to the answer of a read. */

type Body = Readonly<Record<string, unknown>>
type By = 'advertiser' | 'owner'

const NOW = '2026-06-15T12:00:00.000Z'
const image = (width: number, height: number): FileFacts => ({
  contentType: 'image/png',
  size: 1000,
  width,
  height,
  seconds: null,
})
const FILES: Readonly<Record<string, FileFacts>> = {
  landscape: image(1200, 627),
  square: image(600, 600),
  icon: image(128, 128),
  companion: image(300, 250),
  film: { contentType: 'video/mp4', size: 4321, width: 640, height: 360, seconds: 12 },
  track: { contentType: 'audio/mpeg', size: 320_000, width: null, height: null, seconds: 20 },
  zip: { ...image(320, 50), contentType: 'application/zip' },
}
const facts = (files: Readonly<Record<string, FileFacts>>): CommandFacts => ({
  now: NOW,
  available: 1e12,
  spentToday: 0,
  spentTotal: 0,
  baseBid: 100_000,
  maxMargin: 50,
  nameTaken: false,
  countryOffset: 3600,
  references: { ...NOTHING_LOOKED_UP, files: new Map(Object.entries(files)) },
})
const given = (files = FILES) =>
  givenFor({
    decide: (command: CampaignCommand, state: CampaignState) => decide(command, state, facts(files)),
    evolve: (state, event) => evolve(state, event, { at: NOW, revision: state.revision + 1, actor: 'ada' }),
    initial,
  })

const saveOf = (sent: Body, by: By) => ({
  patch: readPatch(z.parse(campaignInput, sent)).patch,
  newIds: Array.from({ length: 20 }, (_, n) => `new ${n}`),
  mayWriteOwnerFields: by === 'owner',
})
const create = (sent: Body = {}, by: By = 'advertiser'): CampaignCommand => ({
  type: 'CreateCampaign',
  id: 'c',
  spaceId: 's',
  whitelabelId: 'w',
  replicatedFrom: null,
  base: DEFAULT_CONTENT,
  publish: false,
  ...saveOf({ name: 'One', country: 'NG', bidding_strategy: { type: 'awareness' }, ...sent }, by),
})
const update = (sent: Body, by: By = 'advertiser'): CampaignCommand => ({
  type: 'UpdateCampaign',
  expected: null,
  ...saveOf(sent, by),
})

/** The campaign as an advertiser or an owner reads it. */
const shown = (state: CampaignState, to: By = 'advertiser') =>
  campaignOut(state, {
    actor: { userId: 'u', roles: [], whitelabelId: 'w', homeSpaceId: 's', spaceId: 's' },
    seesOwnerFields: to === 'owner',
    actorName: (id) => id,
    now: NOW,
    audiences: null,
  }) as unknown as Body
const saved = (sent: Body, by: By = 'advertiser') => shown(given()(create(), update(sent, by)).state, by)

/** The part of `answer` at the paths that `sent` has: a save may answer with more than was sent. */
function partOf(answer: unknown, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((inner, i) => partOf((answer as readonly unknown[] | undefined)?.[i], inner))
  if (typeof sent !== 'object' || sent === null) return answer
  return Object.fromEntries(Object.entries(sent).map(([key, inner]) => [key, partOf((answer as Body | undefined)?.[key], inner)]))
}
const expectKept = (sent: Body, by: By = 'advertiser') => expect(partOf(saved(sent, by), sent)).toEqual(sent)

/** The same material with foreign addresses: the server derives them from the files. */
const misplaced = <T>(material: T): T =>
  JSON.parse(JSON.stringify(material).replaceAll(/"url":"[^"]*"/g, '"url":"https://elsewhere.example/x.png"'))

describe('a save', () => {
  // covers CAM-ENT-01 CAM-ENT-03 CAM-ENT-05 CAM-ENT-11 CAM-ENT-19 CAM-ENT-38 CAM-GEN-02 CAM-API-06 CAM-API-07
  it.each<[string, Body]>([
    ['a name', { name: 'Весна 2026 🌍' }], // covers CAM-ENT-04
    ['an address', { product_url: 'https://nile.example/a?b=c' }], // covers CAM-ENT-14
    ['a daily budget', { budget: 123.45, budget_type_key: 2 }], // covers CAM-ENT-27 CAM-ENT-28
    ['a total budget', { budget: 1000, budget_type_key: 1 }], // covers CONST-02
    ['a bid of its own', { user_cpx: 0.5, manual_cpx: true }], // covers CAM-ENT-21 CAM-ENT-22
    ['a rate', { cpm: 0.75 }], // covers CAM-ENT-23
    ['attribution rows', { attribution: [{ name: 'CLICK_ID', value: '{CLICK_ID}' }] }], // covers CAM-ENT-12
    ['tags', { attribution_tags: 'utm_source={SOURCE}&x=1' }], // covers CAM-ENT-37
    [
      'switches',
      {
        freq_and_scheduling_on: true,
        native_ad_enabled: true,
        dynamic_ad_enabled: true,
        video_ad_enabled: true,
      },
    ], // covers CAM-ENT-41 CAM-ENT-44..46
    ['frequency caps', { frequency_cap: { '1': 3, '2': 6, '3': 12 } }], // covers CAM-ENT-43
    ['a schedule', { scheduling: { '0': ['00', '09'], '1': [], '2': ['23'], '3': [], '4': ['12'], '5': [], '6': ['01'] } }], // covers CAM-ENT-42 CAM-SCH-05 CAM-SCH-06
    ['a format type', { campaign_type_key: 1 }], // covers CAM-ENT-29
  ])('keeps %s', (_, body) => {
    const data = saved(body)
    expect(partOf(data, body)).toEqual(body)
    expect(data).toMatchObject({ id: 'c', country: 'NG', timezone_offset_seconds: 3600, status_key: 0, space_id: 's' })
    expect(Object.keys(data).filter((key) => !/^[a-z][a-z_]*$/.test(key))).toEqual([])
  })

  // covers CAM-ENT-30 CAM-ENT-31 FP-11
  it('stores dates as the first or last instant of a day in the zone of the campaign', () => {
    const { campaign_start_at, campaign_end_at } = saved({ campaign_start_at: '2030-05-01', campaign_end_at: '2030-06-01' })
    expect([campaign_start_at, campaign_end_at]).toEqual(['2030-04-30T23:00:00.000Z', '2030-06-01T22:59:59.999Z'])
  })

  // covers FP-2
  it('a save without changes records no event', () => {
    given()(create({ budget: 50 }))
      .when(update({ budget: 50 }))
      .then([])
  })

  // covers CAM-SCH-07
  it('stores no frequency caps beyond the three', () => {
    expect(Object.keys(saved({ frequency_cap: { '1': 3, '4': 9 } })['frequency_cap'] as object)).toEqual(['1', '2', '3'])
  })

  // covers CAM-ENT-37
  it('accepts tags as a query, and refuses an address before it that is not the landing page', () => {
    const tags = (attribution_tags: string) => update({ product_url: 'https://nile.example/landing', attribution_tags })
    const { when } = given()(create())
    when(tags('https://nile.example/landing?utm_source={SOURCE}')).then(['CampaignUpdated'])
    expect(when(tags('https://elsewhere.example/landing?utm_source={SOURCE}')).refusal).toMatchObject({
      code: 2,
      faults: [{ path: 'attribution_tags' }],
    })
  })

  it.each<[string, Body]>([
    ['a manager', { account_manager_id: 'someone' }], // covers CAM-ENT-06 CAM-ADM-01
    ['categories', { campaign_category_keys: ['IAB20', 'IAB20-3'] }], // covers CAM-ENT-07 CAM-ADM-02
    ['exchanges', { exchange_id: ['google', 'verve', 'taboola', 'yandex', '3rdpresence'] }], // covers CAM-ENT-08 CAM-ADM-03 CONST-36
    ['a pixel', { impression_url: 'https://pixel.example/i' }], // covers CAM-ENT-36 CAM-ADM-04
    ['a deal', { deal_link: 'https://deal.example/1' }], // covers CAM-ENT-18 CAM-ADM-05
    ['a bid', { cpx: 0.4 }], // covers CAM-ENT-24 CAM-ADM-06
    ['t', { t: 0.5 }], // covers CAM-ADM-07
    ['a margin', { margin: 12, fixed_cpm: null }], // covers CAM-ENT-25 CAM-ADM-08 CAM-GEN-10
    ['a fixed rate', { fixed_cpm: 1.5, margin: null }], // covers CAM-ENT-26 CAM-ADM-09
    ['test devices', { test_devices: ['38400000-8cf0-11bd-b23e-10b96e40000d', 'second'] }], // covers CAM-ENT-13 CAM-ADM-10
    ['telco models', { telco_model: 'x', no_telco_model: 'y', dummy_models: 'z' }], // covers CAM-ENT-15..17 CAM-ADM-11..13
    ['slots', { slots: [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0], slots_include_unknown: false }], // covers CAM-ENT-09 CAM-ENT-10 CAM-ADM-14
    ['no targeting', { disregard_targeting: true }], // covers CAM-ENT-33 CAM-ADM-16
    ['custom HTML', { custom_html: '<b>x</b>' }], // covers CAM-ADM-19
    ['multipliers', { bid_multipliers: [{ key: 'os:android', value: 1.1 }] }], // covers CAM-ADM-20
  ])('keeps %s from the owner, and neither shows it to advertisers nor lets them change it', (_, body) => {
    expectKept(body, 'owner')
    const none = Object.fromEntries(Object.keys(body).map((key) => [key, null]))
    const { state } = given()(create(), update(body, 'owner'), update(none))
    for (const key of Object.keys(body)) expect(shown(state)).not.toHaveProperty(key)
    expect(partOf(shown(state, 'owner'), body)).toEqual(body)
  })

  // covers CAM-ENT-49..52 CAM-ENT-54..59 CAM-TGT-11 CAM-TGT-12 CAM-STRAT-07 CAM-STRAT-13 CAM-PLC-01
  it('fills in the defaults of an untouched draft', () => {
    expect(shown(given()(create({ bidding_strategy: { type: 'conversion' } })).state, 'owner')).toMatchObject({
      cpx: 0.35,
      cpm: 0.35,
      slots_include_unknown: true,
      slots: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      frequency_cap: { '1': 7 },
      placement: { device_type_key: 1, included_apps: [], excluded_apps: [] },
      targeting: { similarity: 1, gender: 1, fromAge: 18, toAge: 65, automaticTargeting: true },
      bidding_strategy: {
        is_auto_enhancement: true,
        goal: 'WEB_STANDARD_CONVERSION',
        website_promotion: { url_type: 'conversion', optionCondition: 'contains' },
      },
    })
  })
})

describe('a strategy', () => {
  // covers CAM-STRAT-01 CAM-STRAT-02
  it.each<[string, Body]>([
    ['awareness', { type: 'awareness', goal: 'ENHANCED_EXPOSURE' }], // covers CAM-GEN-18
    ['reach', { type: 'awareness', goal: 'MAXIMIZED_REACH', is_retargeting: true, is_auto_enhancement: false }], // covers CAM-GEN-19 CAM-STRAT-03 CAM-STRAT-04
    ['traffic', { type: 'consideration', goal: 'LANDING_PAGE_TRAFFIC', click_url: 'https://nile.example/click' }], // covers CAM-GEN-20 CAM-STRAT-05
    [
      'installs',
      {
        type: 'consideration',
        goal: 'APP_INSTALLS',
        app_promotion: {
          app_name: 'WhatsApp',
          bundle_id: 'com.whatsapp',
          mmp: 'adjust',
          app_platform_type: 'android',
          click_url: 'https://track.example/c',
          tracking_url: 'https://track.example/t',
          custom_action_name: null,
          metadata: { headline: 'H', body: 'B', price: '0', starRating: 4, cta: 'Install', advertiser: 'W' },
        },
      },
    ], // covers CAM-GEN-14 CAM-STRAT-15 CAM-STRAT-16 CAM-STRAT-19 CAM-STRAT-20 CAM-STRAT-22..27
    [
      'an event in an app',
      {
        type: 'consideration',
        goal: 'APP_CUSTOM_EVENT',
        app_promotion: {
          bundle_id: 'net.whatsapp.WhatsApp',
          mmp: 'appsflyer',
          app_platform_type: 'ios',
          custom_action_name: 'purchase',
        },
      },
    ], // covers CAM-GEN-15 CAM-STRAT-21
    [
      'conversion',
      {
        type: 'conversion',
        goal: 'WEB_STANDARD_CONVERSION',
        website_promotion: { url_type: 'conversion', conversion_url: 'https://nile.example/thanks' },
      },
    ], // covers CAM-GEN-21 CAM-STRAT-08
    [
      'an event on a site',
      {
        type: 'conversion',
        goal: 'WEBSITE_CUSTOM_EVENT',
        website_promotion: {
          url_type: 'parameter',
          custom_action_name: 'sign-up',
          secondary_events: ['scroll', 'view'],
          optionDomain: 'nile.example',
          optionCondition: 'does_not_contain',
          optionValue: 'test',
        },
      },
    ], // covers CAM-GEN-16 CAM-STRAT-06 CAM-STRAT-09..12 CAM-STRAT-14
    [
      'promotion of a site',
      {
        type: 'conversion',
        goal: 'WEBSITE_PROMOTION',
        website_promotion: { optionCondition: 'contains', url_type: 'conversion' },
      },
    ], // covers CAM-GEN-13
  ])('a strategy of %s is kept', (_, bidding_strategy) => {
    expectKept({ bidding_strategy })
  })

  it.each([
    { mmp: 'branch' }, // covers CAM-STRAT-17
    { app_platform_type: 'windows' }, // covers CAM-STRAT-18
  ])('a strategy with the app promotion %j is refused', (wrong) => {
    const app_promotion = { bundle_id: 'com.whatsapp', mmp: 'adjust', app_platform_type: 'android', ...wrong }
    const sent = { bidding_strategy: { type: 'consideration', goal: 'APP_INSTALLS', app_promotion } }
    given()(create()).when(update(sent)).then(2)
  })

  it.each([
    ['other', 'AUDIO_ADVERTISING'], // covers CAM-STRAT-28
    ['awareness', 'ENHANCED_EXPOSURE'], // covers CAM-STRAT-29
    ['consideration', 'LANDING_PAGE_TRAFFIC'], // covers CAM-STRAT-30
    ['conversion', 'WEB_STANDARD_CONVERSION'], // covers CAM-STRAT-31
  ])('a strategy of the type %s has a goal by default', (type, goal) => {
    const { state } = given()(create({ bidding_strategy: { type } }))
    expect(shown(state)['bidding_strategy']).toMatchObject({ type, goal })
  })
})

describe('targeting', () => {
  it.each<[string, Body]>([
    ['ages', { fromAge: 20, toAge: 40, ageRange: [20, 40] }], // covers CAM-TGT-13
    ['interests', { interests: { includeAny: ['sports'], include: ['sports.football'], exclude: ['travel'] } }], // covers CAM-TGT-14..16
    ['apps', { apps: { includeAny: ['whatsapp'], include: ['facebook'], exclude: ['viber'] } }], // covers CAM-TGT-17..19
    ['cities', { city_ids: ['2332459'] }], // covers CAM-TGT-24
    ['gender', { gender: 3 }],
    ['no similarity', { similarity: 0 }],
    ['most similarity', { similarity: 3 }], // covers CAM-TGT-26
    ['languages', { target_languages: ['english', 'hausa'] }], // covers CAM-TGT-27
    ['regions', { regions: ['lagos', 'west', 'north_west', 'north_east', 'south_south', 'south_east'] }], // covers CAM-TGT-28
    ['connections', { connection_types: ['2g', '3g', '4g', '5g', 'other'] }], // covers CAM-TGT-29
    ['attributes', { customer_attributes: ['super_gold', 'gold', 'new_ultra', 'new', 'silver', 'ivory'] }], // covers CAM-TGT-30
    ['automatic', { automaticTargeting: true }],
    ['manual', { automaticTargeting: false }], // covers CAM-TGT-31
  ])('targeting by %s is kept', (_, targeting) => {
    expectKept({ targeting })
  })

  it.each<[string, Body]>([
    ['gender', { gender: 4 }], // covers CAM-TGT-25
    ['similarity', { similarity: 4 }],
    ['region', { regions: ['east'] }], // covers CONST-37
    ['connection', { connection_types: ['6g'] }], // covers CONST-38
    ['attribute', { customer_attributes: ['platinum'] }], // covers CONST-39
    ['language', { target_languages: ['klingon'] }], // covers CONST-40
  ])('targeting by an unknown %s is refused', (_, targeting) => {
    given()(create()).when(update({ targeting })).then(2)
  })

  // covers CAM-ENT-40
  it('targeting is on while it is manual', () => {
    for (const automaticTargeting of [false, true])
      expect(saved({ targeting: { automaticTargeting } })['targeting_on']).toBe(!automaticTargeting)
  })
})

describe('placement', () => {
  it.each<[string, Body]>([
    ['a minimum version', { min_os_version: '12' }], // covers CAM-PLC-12
    ['excluded apps', { excluded_apps: ['com.a', 'com.b'] }], // covers CAM-PLC-13
    ['included apps', { included_apps: ['com.c'] }], // covers CAM-PLC-14
    ['iOS', { device_type_key: 3 }],
    ['Android', { device_type_key: 4 }], // covers CAM-PLC-15
    ['apps', { environment: 'app' }],
    ['the web', { environment: 'web' }], // covers CAM-PLC-16
    ['exclusion of games', { excluded_all_games: true }], // covers CAM-PLC-18
    ['gambling publishers', { exclude_non_gambling_publishers: true }], // covers CAM-PLC-19
    ['included categories', { included_app_category_ids: ['finance'] }], // covers CAM-PLC-20
    ['excluded categories', { excluded_app_category_ids: ['dating'] }], // covers CAM-PLC-21
    ['excluded game categories', { excluded_game_category_ids: ['game_casino'] }], // covers CAM-PLC-22
    ['languages', { languages: ['english'] }], // covers CAM-PLC-23
  ])('placement by %s is kept', (_, placement) => {
    expectKept({ placement })
  })

  // covers CAM-PLC-17
  it('placement in all environments is stored as null', () => {
    expect(saved({ placement: { environment: 'all' } })['placement']).toMatchObject({ environment: null, device_type_key: 1 })
  })
})

describe('creatives', () => {
  // covers CAM-GEN-24 CAM-CRE-20..24 CAM-CRE-26..29 WL-06
  it('keeps a responsive ad with either name of its call to action', () => {
    const ad = {
      creative_name: 'spring',
      titles: [
        { index: 0, value: 'Nile' },
        { index: 1, value: 'Cairo' },
      ],
      descriptions: [
        { index: 0, value: 'Sail' },
        { index: 1, value: 'Rest' },
      ],
      company_name: 'Nile',
      images: [{ index: 0, file_id: 'landscape', url: fileAddress('landscape') }],
      logos: [{ index: 0, file_id: 'icon', url: fileAddress('icon') }],
      isManual: true,
    }
    for (const action of [{ cta: 'Book' }, { call_to_action: 'Book' }]) {
      const dynamic_ad = { ...misplaced(ad), ...action, call_to_action_color: 'ff0000' }
      expect(saved({ dynamic_ad })['dynamic_ad']).toMatchObject({
        ...ad,
        call_to_action: 'Book',
        call_to_action_color: '#ff0000',
      })
    }
  })

  // covers CAM-CRE-25 CAM-CRE-37 CAM-CRE-38
  it('creatives have the defaults of their ads', () => {
    const data = saved({ dynamic_ad: { creative_name: 'one' }, native_ad: { creative_name: 'two' } })
    expect(data['dynamic_ad']).toMatchObject({ call_to_action_color: '#65abf6' })
    expect(data['native_ad']).toMatchObject({ star_rating: 5, price: '0' })
  })

  // covers CAM-GEN-23 CAM-CRE-31..36 CAM-CRE-39..44 WL-06
  it('keeps a native ad, whose video has the size and length of its file', () => {
    const native_ad = {
      creative_name: 'native',
      headline: 'Sail the Nile',
      body: 'Two nights on the river',
      images: [
        { width: 1200, height: 627, file_id: 'landscape', url: fileAddress('landscape') },
        { width: 600, height: 600, file_id: 'square', url: fileAddress('square') },
      ],
      call_to_action: 'Book',
      logo: { width: 128, height: 128, file_id: 'icon', url: fileAddress('icon') },
      star_rating: 4,
      price: '9.90',
      advertiser: 'Nile Travel',
    }
    const video = { url: fileAddress('film'), fileId: 'film', filename: 'n.mp4' }
    const sent = misplaced({ ...native_ad, video: { ...video, size: 1, duration: 99 } })
    expect(saved({ native_ad: sent })['native_ad']).toMatchObject({ ...native_ad, video: { ...video, duration: 12, size: 4321 } })
  })

  // covers CAM-GEN-25 CAM-CRE-46..57 CAM-RULE-11 WL-06
  it('keeps a video ad, whose video has the properties of its file instead of those of the request', () => {
    const video_ad = {
      creative_name: 'film',
      headline: 'Sail',
      long_headline: 'Sail the Nile this spring',
      cta: 'Book',
      companion_banners: [{ width: 300, height: 250, file_id: 'companion', url: fileAddress('companion') }],
    }
    const video = { file_id: 'film', name: 'film.mp4', url: fileAddress('film') }
    const lies = { size: 3, duration: 1, width: 9, height: 9 }
    const sent = misplaced({ ...video_ad, video: { ...video, ...lies } })
    expect(saved({ video_ad: sent })['video_ad']).toMatchObject({
      ...video_ad,
      video: { ...video, size: 4321, duration: 12, width: 640, height: 360 },
    })
  })

  // covers CAM-GEN-22 CAM-CRE-64..70 CONST-21..30 WL-06
  it('keeps banners of every size under its key, including archives', () => {
    const sizes = [
      [970, 90, 101],
      [320, 50, 102],
      [728, 90, 103],
      [160, 600, 104],
      [250, 250, 105],
      [300, 250, 106],
      [300, 100, 107],
      [300, 600, 108],
      [240, 400, 109],
      [320, 480, 110],
    ] as const
    const banners = sizes.map(([width, height]) => {
      const file_id = height === 50 ? 'zip' : `${width}x${height}`
      return { width, height, file_id, url: fileAddress(file_id), creative_name: `b_${width}` }
    })
    const files = Object.fromEntries(banners.map(({ file_id, width, height }) => [file_id, image(width, height)]))
    const { state } = given({ ...files, zip: FILES['zip'] as FileFacts })(
      create(),
      update({ visuals: { banners: misplaced(banners) } }),
    )
    const stored = (shown(state)['visuals'] as { banners: { type_key: number; size_key: number }[] }).banners
    expect(partOf(stored, banners)).toEqual(banners)
    expect(stored.map(({ type_key }) => type_key)).toEqual(sizes.map(() => 1))
    expect(stored.map(({ size_key }) => size_key)).toEqual(sizes.map(([, , key]) => key))
  })

  // covers CAM-GEN-17 CAM-GEN-26 CAM-CRE-59..63 CAM-ENT-47 WL-06
  it('keeps the tracks of an audio campaign, with sizes in megabytes of two decimals', () => {
    const sent = [{ file_id: 'track', name: 'spot', url: '', size: 99, extension: 'wav' }]
    const { state } = given()(create({ bidding_strategy: { type: 'other' }, audio_ads: misplaced(sent) }))
    const data = shown(state)
    expect(data).toMatchObject({ audio_ad_enabled: true, bidding_strategy: { goal: 'AUDIO_ADVERTISING' } })
    const track = { fileId: 'track', name: 'spot', url: fileAddress('track'), extension: 'mp3', size: 0.31 }
    expect(data['audio_ads']).toMatchObject([track])
  })
})
