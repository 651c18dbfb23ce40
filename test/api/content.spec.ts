import { withoutToken } from '#domain/campaign/content/file-addresses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { png, publishable, sendFile, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Body = Readonly<Record<string, unknown>>

/** The part of `answer` at the paths that `sent` has: a save may answer with more than was sent. */
function partOf(answer: unknown, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((inner, i) => partOf((answer as readonly unknown[] | undefined)?.[i], inner))
  if (typeof sent !== 'object' || sent === null) return answer
  return Object.fromEntries(Object.entries(sent).map(([key, inner]) => [key, partOf((answer as Body | undefined)?.[key], inner)]))
}

describe('saving a campaign', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let id = ''
  let space_id = ''
  const files: Record<string, string> = {}
  const bytesOf: Record<string, number> = {}
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner] = await Promise.all([product.as('ada@nile.example'), product.as('owner@dsp.example')])
    const upload = async (name: string, path: string, bytes: Uint8Array) => {
      const { data } = await sendFile(product.base, ada.token, path, bytes)
      files[name] = data.file_id
      bytesOf[name] = bytes.length
    }
    await Promise.all([
      upload('landscape', '/v1/file/upload3', await png(1200, 627)),
      upload('square', '/v1/file/upload3', await png(600, 600)),
      upload('icon', '/v1/file/upload3', await png(128, 128)),
      upload('companion', '/v1/file/upload3', await png(300, 250)),
      upload('film', '/v1/file/video', mp4({ width: 640, height: 360, seconds: 12 })),
      upload('track', '/v1/file/audio', mp3({ seconds: 20 })),
      upload('zip', '/v1/file/upload2?width=320&height=50', bannerZip({})),
    ])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { country: 'NG' }))).data.id
    space_id = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => product.stop())

  const urlOf = (name: string): string => `/v1/file/cache/${files[name]}`

  /** The same material with foreign addresses: the server derives them from the files. */
  const misplaced = <T>(material: T): T =>
    JSON.parse(JSON.stringify(material).replaceAll(/"url":"[^"]*"/g, '"url":"https://elsewhere.example/x.png"'))

  /** Saves and reads the campaign back. */
  async function readBack(body: Body): Promise<Body> {
    const saved = await ada.call<Body>('PUT', '/v1/campaign', { id, ...body })
    expect(saved.code, JSON.stringify(saved.data)).toBe(0)
    return withoutTokens((await ada.call<Body>('GET', `/v1/campaign/${id}`)).data)
  }
  /** The files are not reviewed yet: their addresses have tokens. */
  const withoutTokens = <T>(read: T): T =>
    JSON.parse(JSON.stringify(read), (_, part: unknown) => (typeof part === 'string' ? withoutToken(part) : part))

  /** Saves and reads back; the answer of the save must equal the read. */
  async function kept(session: Session, body: Body): Promise<Body> {
    const saved = await session.call<Body>('PUT', '/v1/campaign', { id, ...body })
    expect(saved.code, JSON.stringify(saved.data)).toBe(0)
    const { data } = await session.call<Body>('GET', `/v1/campaign/${id}`)
    expect(partOf(saved.data, body)).toEqual(partOf(data, body))
    return data
  }

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
  ])('keeps %s', async (_, body) => {
    const data = await kept(ada, body)
    expect(partOf(data, body)).toEqual(body)
    expect(data).toMatchObject({ id, country: 'NG', timezone_offset_seconds: 3600, status_key: 0, space_id })
    expect(Object.keys(data).filter((key) => !/^[a-z][a-z_]*$/.test(key))).toEqual([])
  })

  // covers CAM-ENT-30 CAM-ENT-31 FP-11
  it('stores dates as the first or last instant of a day in the zone of the campaign', async () => {
    const data = await kept(ada, { campaign_start_at: '2030-05-01', campaign_end_at: '2030-06-01' })
    expect([data['campaign_start_at'], data['campaign_end_at']]).toEqual(['2030-04-30T23:00:00.000Z', '2030-06-01T22:59:59.999Z'])
  })

  // covers CAM-SCH-07
  it('stores no frequency caps beyond the three', async () => {
    const data = await kept(ada, { frequency_cap: { '1': 3, '4': 9 } })
    expect(Object.keys(data['frequency_cap'] as object).sort()).toEqual(['1', '2', '3'])
  })

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
  ])('keeps the strategy of %s', async (_, bidding_strategy) => {
    const data = await kept(ada, { bidding_strategy })
    expect(partOf(data['bidding_strategy'], bidding_strategy)).toEqual(bidding_strategy)
  })

  it.each([
    { mmp: 'branch' }, // covers CAM-STRAT-17
    { app_platform_type: 'windows' }, // covers CAM-STRAT-18
  ])('refuses an app promotion with %j', async (wrong) => {
    const app_promotion = { bundle_id: 'com.whatsapp', mmp: 'adjust', app_platform_type: 'android', ...wrong }
    const bidding_strategy = { type: 'consideration', goal: 'APP_INSTALLS', app_promotion }
    expect((await ada.call('PUT', '/v1/campaign', { id, bidding_strategy })).code).toBe(2)
  })

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
  ])('keeps targeting by %s', async (_, targeting) => {
    const data = await kept(ada, { targeting })
    expect(partOf(data['targeting'], targeting)).toEqual(targeting)
  })

  it.each<[string, Body, number]>([
    ['gender', { gender: 4 }, 2], // covers CAM-TGT-25
    ['similarity', { similarity: 4 }, 2],
    ['region', { regions: ['east'] }, 2], // covers CONST-37
    ['connection', { connection_types: ['6g'] }, 2], // covers CONST-38
    ['attribute', { customer_attributes: ['platinum'] }, 2], // covers CONST-39
    ['language', { target_languages: ['klingon'] }, 2], // covers CONST-40
    ['city', { city_ids: ['2643743'] }, 131], // covers CAM-ERR-31
    ['app', { apps: { includeAny: ['no-such-app'] } }, 131],
    ['audience', { segment_audiences: { include: ['0198a000-0000-7000-8000-000000000001'] } }, 131],
  ])('refuses targeting by an unknown %s', async (_, targeting, code) => {
    const { data: before } = await ada.call<Body>('GET', `/v1/campaign/${id}`)
    expect((await ada.call('PUT', '/v1/campaign', { id, targeting })).code).toBe(code)
    expect((await ada.call<Body>('GET', `/v1/campaign/${id}`)).data['targeting']).toEqual(before['targeting'])
  })

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
  ])('keeps placement by %s', async (_, placement) => {
    const data = await kept(ada, { placement })
    expect(partOf(data['placement'], placement)).toEqual(placement)
  })

  // covers CAM-ENT-37
  it('accepts tags as a query, and refuses an address before it that is not the landing page', async () => {
    const saved = (attribution_tags: string) =>
      ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/landing', attribution_tags })
    expect((await saved('https://nile.example/landing?utm_source={SOURCE}')).code).toBe(0)
    const refused = await saved('https://elsewhere.example/landing?utm_source={SOURCE}')
    expect([refused.code, refused.data.errors[0]?.path]).toEqual([2, 'attribution_tags'])
  })

  // covers CAM-ENT-40
  it('turns targeting on while it is manual', async () => {
    for (const automaticTargeting of [false, true])
      expect((await readBack({ targeting: { automaticTargeting } }))['targeting_on']).toBe(!automaticTargeting)
  })

  // covers CAM-PLC-17
  it('stores all environments as null', async () => {
    const data = await kept(ada, { placement: { environment: 'all' } })
    expect(data['placement']).toMatchObject({ environment: null, device_type_key: 1 })
  })

  // covers CAM-GEN-24 CAM-CRE-20..24 CAM-CRE-26..29 WL-06
  it('keeps a responsive ad, with either name of its call to action', async () => {
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
      images: [{ index: 0, file_id: files['landscape'], url: urlOf('landscape') }],
      logos: [{ index: 0, file_id: files['icon'], url: urlOf('icon') }],
      isManual: true,
    }
    for (const action of [{ cta: 'Book' }, { call_to_action: 'Book' }]) {
      const dynamic_ad = { ...misplaced(ad), ...action, call_to_action_color: 'ff0000' }
      expect((await readBack({ dynamic_ad }))['dynamic_ad']).toMatchObject({
        ...ad,
        call_to_action: 'Book',
        call_to_action_color: '#ff0000',
      })
    }
  })

  // covers CAM-CRE-25 CAM-CRE-37 CAM-CRE-38
  it('fills in the defaults of an ad', async () => {
    const data = await readBack({ dynamic_ad: { creative_name: 'one' }, native_ad: { creative_name: 'two' } })
    expect(data['dynamic_ad']).toMatchObject({ call_to_action_color: '#65abf6' })
    expect(data['native_ad']).toMatchObject({ star_rating: 5, price: '0' })
  })

  // covers CAM-GEN-23 CAM-CRE-31..36 CAM-CRE-39..44 WL-06
  it('keeps a native ad, and reads size and length of its video from the file', async () => {
    const native_ad = {
      creative_name: 'native',
      headline: 'Sail the Nile',
      body: 'Two nights on the river',
      images: [
        { width: 1200, height: 627, file_id: files['landscape'], url: urlOf('landscape') },
        { width: 600, height: 600, file_id: files['square'], url: urlOf('square') },
      ],
      call_to_action: 'Book',
      logo: { width: 128, height: 128, file_id: files['icon'], url: urlOf('icon') },
      star_rating: 4,
      price: '9.90',
      advertiser: 'Nile Travel',
    }
    const video = { url: urlOf('film'), fileId: files['film'], filename: 'n.mp4' }
    const data = await readBack({ native_ad: misplaced({ ...native_ad, video: { ...video, size: 1, duration: 99 } }) })
    expect(data['native_ad']).toMatchObject({ ...native_ad, video: { ...video, duration: 12, size: bytesOf['film'] } })
  })

  // covers CAM-GEN-25 CAM-CRE-46..57 CAM-RULE-11 WL-06
  it('keeps a video ad, and reads the properties of its video from the file instead of the request', async () => {
    const video_ad = {
      creative_name: 'film',
      headline: 'Sail',
      long_headline: 'Sail the Nile this spring',
      cta: 'Book',
      companion_banners: [{ width: 300, height: 250, file_id: files['companion'], url: urlOf('companion') }],
    }
    const video = { file_id: files['film'], name: 'film.mp4', url: urlOf('film') }
    const lies = { size: 3, duration: 1, width: 9, height: 9 }
    const data = await readBack({ video_ad: misplaced({ ...video_ad, video: { ...video, ...lies } }) })
    expect(data['video_ad']).toMatchObject({
      ...video_ad,
      video: { ...video, size: bytesOf['film'], duration: 12, width: 640, height: 360 },
    })
  })

  // covers CAM-GEN-22 CAM-CRE-64..70 CONST-21..30 WL-06
  it('keeps banners of every size under its key, including archives', async () => {
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
    const banners = await Promise.all(
      sizes.map(async ([width, height]) => {
        const path = `/v1/file/upload2?width=${width}&height=${height}`
        const bytes = width === 320 && height === 50 ? bannerZip({}) : await png(width, height)
        const { data } = await sendFile(product.base, ada.token, path, bytes)
        return { width, height, file_id: data.file_id, url: withoutToken(data.file_url), creative_name: `b_${width}` }
      }),
    )
    const data = await readBack({ visuals: { banners: misplaced(banners) } })
    const stored = (data['visuals'] as { banners: { type_key: number; size_key: number }[] }).banners
    expect(partOf(stored, banners)).toEqual(banners)
    expect(stored.map(({ type_key }) => type_key)).toEqual(sizes.map(() => 1))
    expect(stored.map(({ size_key }) => size_key)).toEqual(sizes.map(([, , key]) => key))
  })

  // covers CAM-GEN-17 CAM-GEN-26 CAM-CRE-59..63 CAM-ENT-47 WL-06
  it('keeps the tracks of an audio campaign', async () => {
    const created = await ada.call<Body>('POST', '/v1/campaign', {
      name: 'Spoken',
      country: 'NG',
      bidding_strategy: { type: 'other' },
      audio_ads: misplaced([{ file_id: files['track'], name: 'spot', url: '', size: 99, extension: 'wav' }]),
    })
    const { data } = await ada.call<Body>('GET', `/v1/campaign/${String(created.data['id'])}`)
    expect(data).toMatchObject({ audio_ad_enabled: true, bidding_strategy: { goal: 'AUDIO_ADVERTISING' } })
    const [track] = withoutTokens(data['audio_ads']) as Record<string, unknown>[]
    expect(track).toMatchObject({ fileId: files['track'], name: 'spot', url: urlOf('track'), extension: 'mp3' })
    // Megabytes with two decimals.
    expect(bytesOf['track']).toBeGreaterThan(100_000)
    expect(track?.['size']).toBe(Math.round(((bytesOf['track'] ?? 0) / 1_048_576) * 100) / 100)
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
  ])('keeps %s from the owner, and neither shows it to advertisers nor lets them change it', async (_, body) => {
    const data = await kept(owner, body)
    expect(partOf(data, body)).toEqual(body)
    const seen = await ada.call<Body>('GET', `/v1/campaign/${id}`)
    for (const key of Object.keys(body)) expect(seen.data).not.toHaveProperty(key)
    const other = Object.fromEntries(Object.keys(body).map((key) => [key, null]))
    expect((await ada.call('PUT', '/v1/campaign', { id, ...other })).code).toBe(0)
    expect(partOf((await owner.call<Body>('GET', `/v1/campaign/${id}`)).data, body)).toEqual(body)
  })

  // covers CAM-ENT-34 CAM-ENT-35 CAM-ADM-15 CAM-ADM-17
  it('stores the date of a verification', async () => {
    const before = Date.now()
    const at = Date.parse(String((await kept(owner, { placard_verified: true }))['placard_tag_date']))
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  // covers CAM-ENT-49..52 CAM-ENT-54..59 CAM-TGT-11 CAM-TGT-12 CAM-STRAT-07 CAM-STRAT-13 CAM-PLC-01
  it('fills in the defaults of an untouched draft', async () => {
    const body = { name: 'Untouched', country: 'NG', bidding_strategy: { type: 'conversion' } }
    const { data } = await owner.call<Body>('POST', '/v1/campaign', body)
    expect(data).toMatchObject({
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

  it.each([
    ['other', 'AUDIO_ADVERTISING'], // covers CAM-STRAT-28
    ['awareness', 'ENHANCED_EXPOSURE'], // covers CAM-STRAT-29
    ['consideration', 'LANDING_PAGE_TRAFFIC'], // covers CAM-STRAT-30
    ['conversion', 'WEB_STANDARD_CONVERSION'], // covers CAM-STRAT-31
  ])('sets the default goal of %s', async (type, goal) => {
    const body = { name: `Default of ${type}`, country: 'NG', bidding_strategy: { type } }
    const { data } = await ada.call<Body>('POST', '/v1/campaign', body)
    expect(data['bidding_strategy']).toMatchObject({ type, goal })
  })
})
