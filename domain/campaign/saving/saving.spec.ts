import { NOTHING_LOOKED_UP, sizedAudiences } from './references.ts'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '#domain/kit/errors'
import { givenFor } from '#test/support/decider'
import { decide } from '../campaign.ts'
import type { CampaignCommand, CommandFacts } from '../commands.ts'
import { ATTRIBUTION_TEMPLATE } from '../content/attribution.ts'
import { DEFAULT_CONTENT, type CampaignContent } from '../content/content.ts'
import { shape, type CampaignPatch } from '../content/shape.ts'
import { reviewedOf } from '../review/reviewed.ts'
import { evolve, initial, type CampaignState } from '../state.ts'

const NOW = '2026-06-15T12:00:00.000Z'
const FACTS: CommandFacts = {
  now: NOW,
  available: 1e12,
  spentToday: 0,
  spentTotal: 0,
  baseBid: 100_000,
  maxMargin: 50,
  nameTaken: false,
  countryOffset: 3600,
  references: NOTHING_LOOKED_UP,
}
const SHAPING = { mayWriteOwnerFields: true, countryOffset: 3600, newIds: [], now: NOW }
const banner = { id: 'b', width: 300, height: 250, file_id: 'f', url: '/files/f', creative_name: 'main' }
const WHOLE: CampaignPatch = {
  name: 'One',
  country: 'NG',
  budget: 50_000_000,
  product_url: 'https://nile.example',
  bidding_strategy: { type: 'awareness' },
  visuals: { banners: [banner] },
}

function created(patch: CampaignPatch, publish = false, facts: Partial<CommandFacts> = {}) {
  const given = givenFor({
    decide: (command: CampaignCommand, state) => decide(command, state, { ...FACTS, ...facts }),
    evolve: (state, event) => evolve(state, event, { at: NOW, revision: 1, actor: 'a' }),
    initial,
  })
  return given().when({
    type: 'CreateCampaign',
    id: 'c',
    spaceId: 's',
    whitelabelId: 'w',
    replicatedFrom: null,
    base: DEFAULT_CONTENT,
    publish,
    patch: { ...WHOLE, ...patch },
    newIds: ['1', '2', '3', '4', '5', '6', '7', '8'],
    mayWriteOwnerFields: true,
  })
}

/** Faults of a campaign that is complete except for this patch; none when it is accepted. */
const faults = (patch: CampaignPatch, publish = false, facts: Partial<CommandFacts> = {}) =>
  created(patch, publish, facts).refusal?.faults ?? []
const errorsOf = (patch: CampaignPatch, publish = false) => faults(patch, publish).map(({ path, code }) => [path, code])

/** The content that a save stores. */
function stored(patch: CampaignPatch): CampaignContent {
  const { refusal, state } = created(patch)
  if (refusal !== null) throw new Error(JSON.stringify(refusal))
  return state.head
}

const strategy = (type: string, goal: string, more: object = {}): CampaignPatch => ({ bidding_strategy: { type, goal, ...more } })
const bytes = (count: number) => 'я'.repeat(Math.floor(count / 2)) + (count % 2 === 1 ? 'a' : '')

describe('saving', () => {
  it.each<[CampaignPatch, string, number]>([
    [{ name: ' ' }, 'name', 1301], // covers CAM-VAL-01 CAM-ERR-40
    [{ country: null }, 'country', 1301], // covers CAM-VAL-02
    [{ bidding_strategy: {} }, 'bidding_strategy.type', 1301], // covers CAM-VAL-25
    [{ product_url: 'https://a.example/?utm_source=a' }, 'product_url', 2], // covers CAM-VAL-03
    [{ product_url: 'https://a.example/?x=1&utm_medium=a' }, 'product_url', 2], // covers CAM-VAL-04
    [{ product_url: 'https://a.example/?utm%5Fsource=a' }, 'product_url', 2],
    [{ product_url: 'https://a.example/?utm_source' }, 'product_url', 2],
    [{ product_url: 'https://a.example/#/sale?UTM_Campaign=a' }, 'product_url', 2],
    [{ product_url: 'https://a.example/?UTM_CAMPAIGN=a' }, 'product_url', 2], // covers CAM-VAL-05
  ])('refuses %j at %s with code %d', (patch, path, code) => expect(errorsOf(patch)).toContainEqual([path, code]))

  it.each<[CampaignPatch, string, number]>([
    [{ manual_cpx: true, user_cpx: -1_000_000 }, 'user_cpx', 2], // covers CAM-VAL-10
    [{ frequency_cap: { '1': -1 } }, 'frequency_cap.1', 2], // covers CAM-VAL-12
    [{ t: -1 }, 't', 2], // covers CAM-VAL-13
    [{ frequency_cap: { '1': null, '2': 10, '3': 10 } }, 'frequency_cap', 1315], // covers CAM-VAL-15
    [{ frequency_cap: { '1': 7, '2': 7 } }, 'frequency_cap', 1315], // covers CAM-VAL-16
    [{ margin: 1.5 }, 'margin', 2], // covers CAM-VAL-17
    [{ margin: -1 }, 'margin', 2], // covers CAM-VAL-18
    [{ margin: 51 }, 'margin', 2], // covers CAM-VAL-19
    [
      strategy('conversion', 'WEBSITE_CUSTOM_EVENT', {
        website_promotion: { custom_action_name: 'x', secondary_events: ['1', '2', '3', '4', '5'] },
      }),
      'bidding_strategy.website_promotion.secondary_events',
      2,
    ], // covers CAM-VAL-36
    [{ attribution: Array.from({ length: 11 }, (_, i) => ({ name: `n${i}`, value: 'v' })) }, 'attribution', 2], // covers CAM-VAL-38
    [{ test_devices: Array.from({ length: 11 }, (_, i) => `d${i}`) }, 'test_devices', 2], // covers CAM-VAL-39
    [{ campaign_start_at: '2026-06-14' }, 'campaign_start_at', 1304], // covers CAM-VAL-41
    [{ campaign_end_at: '2026-06-14' }, 'campaign_end_at', 1305], // covers CAM-VAL-42
    [{ targeting: { fromAge: 17 } }, 'targeting.fromAge', 2], // covers CAM-VAL-43
    [{ targeting: { toAge: 66 } }, 'targeting.fromAge', 2], // covers CAM-VAL-43
    [{ targeting: { similarity: 4 } }, 'targeting.similarity', 2], // covers CAM-VAL-44
    [{ targeting: { regions: ['x'.repeat(480)] } }, 'targeting.regions', 2],
    [{ exchange_id: ['x'.repeat(101)] }, 'exchange_id', 2],
  ])('refuses %j, out of range, at %s with code %d', (patch, path, code) => expect(errorsOf(patch)).toContainEqual([path, code]))

  it.each<[CampaignPatch, Partial<CommandFacts>, string, number]>([
    [{ campaign_start_at: '2026-07-02', campaign_end_at: '2026-07-01' }, {}, 'campaign_end_at', 1303], // covers CAM-ERR-42
    [{ campaign_start_at: '2026-06-14' }, {}, 'campaign_start_at', 1304], // covers CAM-ERR-43
    [{ campaign_end_at: '2026-06-14' }, {}, 'campaign_end_at', 1305], // covers CAM-ERR-44
    [{ budget_type_key: 9 }, {}, 'budget_type_key', 1307], // covers CAM-ERR-46
    [{}, { nameTaken: true }, 'name', 1312], // covers CAM-ERR-51
    [{ impression_url: 'http://pixel.example' }, {}, 'impression_url', 1313], // covers CAM-ERR-52
    [{ impression_url: 'pixel' }, {}, 'impression_url', 1313],
    [{ frequency_cap: { '1': 7, '2': 3 } }, {}, 'frequency_cap', 1315], // covers CAM-ERR-53
    [{}, { references: { ...NOTHING_LOOKED_UP, missingFiles: new Set(['f']) } }, 'visuals.banners[0].file_id', 132], // covers CAM-ERR-32
  ])('refuses %j with the facts %j at %s with code %d', (patch, facts, path, code) =>
    expect(faults(patch, false, facts).map((one) => [one.path, one.code])).toContainEqual([path, code]),
  )

  it.each<[path: string, patch: CampaignPatch]>([
    ['dynamic_ad.images[0].file_id', { dynamic_ad: { images: [{ index: 0, file_id: 'text' }] } }],
    ['dynamic_ad.logos[0].file_id', { dynamic_ad: { logos: [{ index: 0, file_id: 'text' }] } }],
    ['native_ad.images[0].file_id', { native_ad: { images: [{ width: 600, height: 600, file_id: 'text' }] } }],
    ['native_ad.logo.file_id', { native_ad: { logo: { width: 128, height: 128, file_id: 'text' } } }],
    ['native_ad.video.fileId', { native_ad: { video: { fileId: 'text' } } }],
    ['video_ad.video.file_id', { video_ad: { video: { file_id: 'text' } } }],
    [
      'video_ad.companion_banners[0].file_id',
      { video_ad: { companion_banners: [{ width: 300, height: 250, file_id: 'text' }] } },
    ],
    ['audio_ads[0].fileId', { audio_ads: [{ fileId: 'text' }] }],
    ['visuals.banners[0].file_id', { visuals: { banners: [{ width: 300, height: 250, file_id: 'text' }] } }],
  ])('refuses a file of the wrong kind at %s', (path, patch) => {
    const text = { contentType: 'text/plain', size: 1, width: null, height: null, seconds: null }
    const references = { ...NOTHING_LOOKED_UP, files: new Map([['text', text]]) }
    expect(faults(patch, false, { references }).map((one) => one.path)).toContain(path)
  })

  // covers FP-5
  it.each<[CampaignPatch, string, number]>([
    [{ budget: 100_000 }, 'budget', 1302], // covers CAM-ERR-41
    [{ manual_cpx: true, user_cpx: 100_000 }, 'user_cpx', 1308], // covers CAM-ERR-47 CAM-CVAL-62
    [{ manual_cpx: true, user_cpx: 2_000_000, budget: 1_000_000 }, 'budget', 1309], // covers CAM-ERR-48
  ])('refuses to publish %j at %s with code %d, but accepts it in a draft', (patch, path, code) => {
    expect(errorsOf(patch, true)).toContainEqual([path, code])
    expect(errorsOf(patch)).toEqual([])
  })

  it.each<[CampaignPatch, string]>([
    [
      { product_url: 'https://a.example/?utm_source=a' },
      'Oops, we cannot proceed with the provided click link as it cannot contain utm parameters. Please remove these parameters and try again.',
    ], // covers CAM-VAL-06
    [{ budget: -1 }, 'Only positive numbers allowed.'], // covers CAM-VAL-09
    [{ manual_cpx: true, user_cpx: -1_000_000 }, 'The field value needs to be a number. Make sure to enter a numeric value.'], // covers CAM-VAL-11
    [{ frequency_cap: { '1': -1 } }, 'Only positive Numbers allowed'], // covers CAM-VAL-14
    [{ t: -1 }, 'Only positive Numbers allowed'], // covers CAM-VAL-14
    [{ margin: 51 }, 'Only positive integer numbers allowed, less than 50'], // covers CAM-VAL-22
  ])('refuses %j with the message "%s"', (patch, message) => expect(faults(patch).map((one) => one.message)).toContain(message))

  // covers CAM-VAL-23 CAM-VAL-24
  it('reports margin and fixed CPM together, each with its own message', () => {
    const found = faults({ margin: 10, fixed_cpm: 1_000_000 })
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ['margin', 'Fixed CPM should be removed before setting the Margin.'],
      ['fixed_cpm', 'Margin should be removed before setting the Fixed CPM.'],
    ])
  })

  it('reports every fault at once, with the code of the first by precedence', () => {
    const { refusal } = created({
      name: '',
      budget_type_key: 9,
      targeting: { similarity: 4 },
      frequency_cap: { '1': 7, '2': 3 },
    })
    expect(refusal?.code).toBe(1301)
    const codes = refusal?.faults ?? []
    expect(codes.map(({ code }) => code).sort((a, b) => a - b)).toEqual([2, 1301, 1307, 1315])
    expect(refusalOf(codes)?.code).toBe(1301)
  })
})

describe('accepted values', () => {
  // covers CAM-VAL-21
  it.each<[CampaignPatch]>([
    [{ budget: 0 }],
    [{ budget: null }],
    [{ manual_cpx: true, user_cpx: 0 }],
    [{ margin: null }],
    [{ margin: 0 }],
    [{ margin: 50 }],
    [{ frequency_cap: { '1': 0, '2': null, '3': 1 } }],
    [{ frequency_cap: { '1': 1, '2': 2, '3': 3 } }],
    [{ campaign_start_at: '2026-06-15', campaign_end_at: '2026-06-16' }],
    [{ targeting: { fromAge: 18, toAge: 65, similarity: 3 } }],
    [{ attribution: [] }],
  ])('saving accepts %j', (patch) => expect(errorsOf(patch)).toEqual([]))
})

describe('publishing', () => {
  const app = { app_platform_type: 'ios', bundle_id: 'id1', mmp: 'adjust' }
  const promoted = 'bidding_strategy.app_promotion'
  const site = 'bidding_strategy.website_promotion'

  // covers FP-5
  it.each<[CampaignPatch, string, number]>([
    [{ budget: 0 }, 'budget', 2], // covers CAM-VAL-08
    [{ budget: null }, 'budget', 135],
    [{ product_url: null }, 'product_url', 135], // covers CAM-ERR-35
    [
      strategy('consideration', 'APP_INSTALLS', { app_promotion: { ...app, app_platform_type: null } }),
      `${promoted}.app_platform_type`,
      135,
    ], // covers CAM-VAL-26
    [strategy('consideration', 'APP_INSTALLS', { app_promotion: { ...app, bundle_id: null } }), `${promoted}.bundle_id`, 135], // covers CAM-VAL-27
    [strategy('consideration', 'APP_INSTALLS', { app_promotion: { ...app, mmp: null } }), `${promoted}.mmp`, 135], // covers CAM-VAL-28
    [strategy('conversion', 'WEB_STANDARD_CONVERSION'), `${site}.conversion_url`, 135], // covers CAM-VAL-31
    [strategy('conversion', 'WEBSITE_CUSTOM_EVENT'), `${site}.custom_action_name`, 135], // covers CAM-VAL-32
  ])('refuses %j at %s with code %d, but accepts it in a draft', (patch, path, code) => {
    expect(errorsOf(patch, true)).toContainEqual([path, code])
    expect(errorsOf(patch)).toEqual([])
  })

  // covers FP-62
  it('refuses an uploaded list that is too small with 135, at publish and in what a submitted campaign adds, but accepts it in a draft', () => {
    const small = { references: { ...NOTHING_LOOKED_UP, smallAudiences: true } }
    expect(faults({}, false, small)).toEqual([])
    const found = [
      { path: 'targeting.segment_audiences', code: 135, key: 'audienceSmall', params: { min: 100 }, tab: 'targeting' },
    ]
    expect(faults({}, true, small)).toMatchObject(found)
    const update: CampaignCommand = {
      type: 'UpdateCampaign',
      patch: { budget: 60_000_000 },
      expected: null,
      newIds: [],
      mayWriteOwnerFields: true,
    }
    const after = (publish: boolean) => decide(update, created({}, publish).state, { ...FACTS, ...small })
    expect(after(true)).toMatchObject({ kind: 'rejected', rejection: { code: 135, faults: found } })
    expect(after(false).kind).toBe('events')
  })

  it('counts the size of every list of a first publication, and else of those that a save adds', () => {
    const naming = (include: readonly string[], exclude: readonly string[] = []) =>
      stored({ targeting: { segment_audiences: { includeAny: [], include: [...include], exclude: [...exclude] } } })
    const [head, next] = [naming(['a', 'b']), naming(['b'], ['a', 'c'])]
    const draft = { head, approved: null }
    const approved = { head, approved: { reviewed: reviewedOf(head), versions: {}, version: 1 } }
    expect(sizedAudiences(draft, next, true)).toEqual(['b', 'a', 'c'])
    expect(sizedAudiences(draft, next, false)).toEqual(['c'])
    expect(sizedAudiences(approved, next, true)).toEqual(['c'])
    expect(sizedAudiences(approved, head, true)).toEqual([])
  })

  it.each<[CampaignPatch]>([
    [strategy('consideration', 'APP_INSTALLS', { app_promotion: app })],
    [strategy('consideration', 'LANDING_PAGE_TRAFFIC')], // covers CAM-VAL-29
    [strategy('awareness', 'ENHANCED_EXPOSURE')], // covers CAM-VAL-33
    [{ ...strategy('other', 'AUDIO_ADVERTISING'), product_url: null, audio_ads: [{ id: 'a', fileId: 'f', name: 'track' }] }], // covers CAM-VAL-30
  ])('accepts the complete %j', (patch) => expect(errorsOf(patch, true)).toEqual([]))

  it.each<[CampaignPatch, readonly string[]]>([
    [
      { dynamic_ad_enabled: true, dynamic_ad: { company_name: 'Nile' } },
      ['dynamic_ad.creative_name', 'dynamic_ad.logos', 'dynamic_ad.images'],
    ], // covers CAM-CVAL-54..56
    [
      { native_ad_enabled: true, native_ad: { headline: 'Nile' } },
      [
        'native_ad.creative_name',
        'native_ad.logo',
        'native_ad.images',
        'native_ad.body',
        'native_ad.call_to_action',
        'native_ad.advertiser',
      ],
    ], // covers CAM-CVAL-57 CAM-CRE-09
    [{ video_ad_enabled: true, video_ad: { headline: 'Nile' } }, ['video_ad.creative_name', 'video_ad.video']], // covers CAM-CVAL-58 CAM-CVAL-59
    [
      { dynamic_ad_enabled: true, dynamic_ad: { creative_name: 'a', images: [{ index: 0, url: '/x.png' }] } },
      ['dynamic_ad.logos', 'dynamic_ad.images[0].file_id'],
    ], // covers CAM-CVAL-55
    [{ video_ad_enabled: true, video_ad: { creative_name: 'a', video: { url: '/x.mp4' } } }, ['video_ad.video.file_id']], // covers CAM-CVAL-59
    [{ visuals: { banners: [] } }, ['visuals.banners']], // covers CAM-CVAL-60
    [{ visuals: { banners: [{ ...banner, creative_name: ' ' }] } }, ['visuals.banners[0].creative_name']], // covers CAM-CVAL-61
  ])('refuses creatives of %j without %j', (patch, paths) => {
    expect(errorsOf(patch, true)).toEqual(paths.map((path) => [path, 135]))
  })

  // covers CAM-CVAL-04
  it.each([
    'native_ad.body', // covers CAM-CRE-12
    'native_ad.call_to_action', // covers CAM-CRE-14
    'native_ad.advertiser', // covers CAM-CRE-15
  ])('reports an empty %s as required', (path) => {
    const found = faults({ native_ad_enabled: true, native_ad: { headline: 'Nile' } }, true).find((fault) => fault.path === path)
    expect(found).toMatchObject({ code: 135, message: 'Field is required.' })
  })

  // covers CAM-CRE-16
  it('does not require an advertiser for app installs', () => {
    const installs = strategy('consideration', 'APP_INSTALLS', { app_promotion: app })
    const native = { native_ad_enabled: true, native_ad: { headline: 'Nile' } }
    expect(errorsOf({ ...installs, ...native }, true).map(([path]) => path)).not.toContain('native_ad.advertiser')
  })
})

describe('images and videos of creatives', () => {
  it('images and videos of creatives have every key, even when only some were sent', () => {
    const content = stored({
      native_ad: {
        headline: 'x',
        images: [{ width: 1200, height: 627 }],
        logo: { width: 128, height: 128 },
        video: { url: '/v' },
      },
      video_ad: { headline: 'x', video: { name: 'v' }, companion_banners: [{ width: 300, height: 250 }] },
    })
    expect(content.native_ad).toMatchObject({
      images: [{ width: 1200, height: 627, file_id: null, url: null }],
      logo: { width: 128, height: 128, file_id: null, url: null },
      video: { url: null, fileId: null, filename: null, size: null, duration: null },
    })
    expect(content.video_ad).toMatchObject({
      video: { file_id: null, name: 'v', url: null, size: null, duration: null, width: null, height: null },
      companion_banners: [{ width: 300, height: 250, file_id: null, url: null }],
    })
  })
})

describe('audiences of a targeting', () => {
  // covers CAM-TGT-20..23
  it('audiences of a targeting are kept as ids in three lists', () => {
    const segment_audiences = { includeAny: ['a1', 'a2'], include: ['a3'], exclude: ['a4'] }
    expect(stored({ targeting: { segment_audiences } }).targeting.segment_audiences).toEqual(segment_audiences)
  })
})

describe('texts of creatives', () => {
  // covers CAM-CVAL-01 CAM-CVAL-03
  it.each<[string, number, (text: string) => CampaignPatch]>([
    ['dynamic_ad.call_to_action', 12, (call_to_action) => ({ dynamic_ad: { call_to_action } })], // covers CAM-CVAL-05
    ['dynamic_ad.company_name', 10, (company_name) => ({ dynamic_ad: { company_name } })], // covers CAM-CVAL-06
    ['dynamic_ad.descriptions[0]', 50, (value) => ({ dynamic_ad: { descriptions: [{ index: 0, value }] } })], // covers CAM-CVAL-07
    ['dynamic_ad.titles[0]', 30, (value) => ({ dynamic_ad: { titles: [{ index: 0, value }] } })], // covers CAM-CVAL-08
    ['native_ad.advertiser', 25, (advertiser) => ({ native_ad: { advertiser } })], // covers CAM-CVAL-14
    ['native_ad.call_to_action', 15, (call_to_action) => ({ native_ad: { call_to_action } })], // covers CAM-CVAL-15
    ['native_ad.body', 90, (body) => ({ native_ad: { body } })], // covers CAM-CVAL-16
    ['native_ad.headline', 25, (headline) => ({ native_ad: { headline } })], // covers CAM-CVAL-17
  ])('%s has at most %d bytes', (path, max, patch) => {
    expect(errorsOf(patch(bytes(max)))).toEqual([])
    expect(faults(patch(bytes(max + 1)))).toMatchObject([{ path, code: 2, message: `Maximum ${max} characters allowed!` }])
  })

  // covers CAM-CVAL-02
  it('texts of creatives count spaces', () =>
    expect(errorsOf({ dynamic_ad: { company_name: `${' '.repeat(10)}a` } })).toEqual([['dynamic_ad.company_name', 2]]))

  it.each<[CampaignPatch, string]>([
    [{ dynamic_ad: { images: [0, 1].map((index) => ({ index, file_id: 'f', url: '/f' })) } }, 'dynamic_ad.images'], // covers CAM-CVAL-09
    [{ dynamic_ad: { logos: [0, 1].map((index) => ({ index, file_id: 'f', url: '/f' })) } }, 'dynamic_ad.logos'], // covers CAM-CVAL-10
    [{ native_ad: { headline: 'x', star_rating: 0 } }, 'native_ad.star_rating'], // covers CAM-CVAL-23
    [{ native_ad: { headline: 'x', star_rating: 6 } }, 'native_ad.star_rating'], // covers CAM-CVAL-23
    [{ audio_ads: [1, 2, 3, 4, 5, 6].map((n) => ({ id: `a${n}`, fileId: 'f' })) }, 'audio_ads'], // covers CAM-CVAL-35
  ])('%j is too long or out of range at %s', (patch, path) => expect(errorsOf(patch)).toEqual([[path, 2]]))

  // covers CAM-CVAL-51
  it('texts of creatives report an empty name as required', () => {
    const unnamed = faults({ visuals: { banners: [{ ...banner, creative_name: '' }] } }, true)
    expect(unnamed).toMatchObject([{ path: 'visuals.banners[0].creative_name', message: 'Creative Name is a required field' }])
  })

  // covers CAM-CVAL-47..50
  it('texts of creatives allow names of up to 75 letters, digits, dashes, underscores and dots', () => {
    const named = (creative_name: string) => faults({ visuals: { banners: [{ ...banner, creative_name }] } })
    expect(named('A-b_c.9'.padEnd(75, 'x'))).toEqual([])
    expect(named('x'.repeat(76))).toMatchObject([{ code: 2, message: 'Names must be 75 characters or less' }])
    expect(named('a/b')).toMatchObject([
      { code: 2, message: 'Names can only contain letters, numbers, dashes, underscores no spaces' },
    ])
  })
})

describe('a save', () => {
  // covers CAM-SAVE-01
  it('reads a date as midnight in the zone of the campaign', () =>
    expect(stored({ campaign_start_at: '2026-06-20' }).campaign_start_at).toBe('2026-06-19T23:00:00.000Z'))

  // covers CAM-SAVE-02..04
  it('trims owner texts', () => {
    const content = stored({ telco_model: ' x ', no_telco_model: ' y ', dummy_models: ' z ' })
    expect([content.telco_model, content.no_telco_model, content.dummy_models]).toEqual(['x', 'y', 'z'])
  })

  // covers CAM-SAVE-05
  it('stores no native ad when it was not touched', () =>
    expect(stored({ native_ad: { star_rating: 5, price: '0' } }).native_ad).toBeNull())

  // covers CAM-SAVE-06 CAM-SAVE-07 CAM-SAVE-10
  it('turns targeting on for an audio campaign, and stores the fixed address without tags', () => {
    const { targeting_on, product_url, attribution_tags } = stored({
      ...strategy('other', 'AUDIO_ADVERTISING'),
      targeting_on: false,
    })
    expect({ targeting_on, product_url, attribution_tags }).toEqual({
      targeting_on: true,
      product_url: 'https://www.example.com',
      attribution_tags: '',
    })
  })

  // covers CAM-SAVE-08 CAM-SAVE-09
  it('derives tags from the address, and stores none for app installs', () => {
    expect(stored({}).attribution_tags).toMatch(/^https:\/\/nile\.example\?utm_source=\{SOURCE\}&/)
    expect(stored({ attribution_tags: 'own=1' }).attribution_tags).toBe('own=1')
    expect(stored(strategy('consideration', 'APP_INSTALLS')).attribution_tags).toBe('')
  })

  it('puts the tags of a shop of one page before its fragment, where the shop reads them, and moves those of before there', () => {
    const [page, template] = ['https://shop.example/?a=1#/sale', ATTRIBUTION_TEMPLATE]
    const right = `https://shop.example/?a=1&${template}#/sale`
    expect(stored({ product_url: page }).attribution_tags).toBe(right)
    const { head } = created({ product_url: page, attribution_tags: `${page}&${template}` }).state
    expect(shape(head, { budget: 60_000_000 }, SHAPING).content.attribution_tags).toBe(right)
  })

  // covers CAM-CVAL-46
  it('replaces spaces by underscores in creative names', () =>
    expect(
      stored({ visuals: { banners: [{ ...banner, creative_name: ' my banner ' }] } }).visuals.banners[0]?.creative_name,
    ).toBe('my_banner'))

  // covers CAM-RULE-01..04 CAM-ENT-34 CAM-ENT-35 CAM-ADM-15 CAM-ADM-17
  it('sets the verification date once, and clears promotions of other types', () => {
    expect(stored({ placard_verified: true }).placard_tag_date).toBe(NOW)
    expect(stored({}).placard_tag_date).toBeNull()
    const earlier = shape(
      { ...DEFAULT_CONTENT, placard_tag_date: '2026-01-01T00:00:00.000Z' },
      { placard_verified: true },
      SHAPING,
    )
    expect(earlier.content.placard_tag_date).toBe('2026-01-01T00:00:00.000Z')
    const promotions = { app_promotion: { bundle_id: 'x' }, website_promotion: { conversion_url: 'https://a.example' } }
    const kept = (type: string, goal: string) => stored(strategy(type, goal, promotions)).bidding_strategy
    expect(kept('consideration', 'APP_INSTALLS').app_promotion.bundle_id).toBe('x')
    expect(kept('consideration', 'APP_INSTALLS').website_promotion.conversion_url).toBeNull()
    expect(kept('conversion', 'WEB_STANDARD_CONVERSION').website_promotion.conversion_url).toBe('https://a.example')
    expect(kept('conversion', 'WEB_STANDARD_CONVERSION').app_promotion.bundle_id).toBeNull()
  })
})

// covers CAM-COPY-01
it('a copy has the content alone: it was never submitted, rejected, approved or run, and has its own times', () => {
  const before = '2026-06-01T00:00:00.000Z'
  const source: CampaignState = {
    ...initial,
    id: 'c',
    revision: 7,
    head: stored({ attribution: [{ name: 'a', value: 'b' }] }),
    review: { kind: 'rejected', comment: 'Blurred', at: before, reviewed: reviewedOf(stored({})) },
    approved: { reviewed: reviewedOf(stored({})), versions: {}, version: 1 },
    moderation_start_at: before,
    moderation_rejected_at: before,
    moderator_comment: 'Blurred',
    last_run_at: before,
    created_at: before,
    updated_at: before,
  }
  const decision = decide(
    {
      type: 'CreateCampaign',
      id: 'copy',
      spaceId: 's',
      whitelabelId: 'w',
      replicatedFrom: { id: source.id, revision: source.revision },
      base: source.head,
      publish: false,
      patch: { name: 'Copy' },
      newIds: [],
      mayWriteOwnerFields: true,
    },
    initial,
    FACTS,
  )
  if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision.rejection))
  const copy = decision.events.reduce((state, event) => evolve(state, event, { at: NOW, revision: 1, actor: 'a' }), initial)
  expect(copy).toMatchObject({
    head: { ...source.head, name: 'Copy' },
    replicated_from: { id: source.id, revision: source.revision },
    review: { kind: 'none' },
    approved: null,
    decisions: {},
    moderation_start_at: null,
    moderation_rejected_at: null,
    moderator_comment: null,
    last_run_at: null,
    created_at: NOW,
    updated_at: NOW,
  })
})
