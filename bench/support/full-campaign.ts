import sharp from 'sharp'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { mp4 } from '#test/support/media/mp4'

/** Files of one space that a full campaign uses. */
export type Material = {
  readonly spaceId: string
  readonly banners: readonly { readonly width: number; readonly height: number; readonly file_id: string; readonly url: string }[]
  readonly landscape: string
  readonly square: string
  readonly icon: string
  readonly companion: string
  readonly film: string
}

export async function uploadMaterial(base: string, token: string): Promise<Material> {
  const headers = { authorization: `Bearer ${token}` }
  const upload = async (path: string, bytes: Uint8Array): Promise<{ readonly file_id: string; readonly file_url: string }> => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'bench')
    const response = await fetch(`${base}/v1/file/${path}`, { method: 'POST', headers, body: form })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()).data
  }
  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#2563eb' } })
      .png()
      .toBuffer()
  const banners = []
  for (const { width, height } of BANNER_SIZES) {
    const { file_id, file_url } = await upload(`upload2?width=${width}&height=${height}`, await image(width, height))
    banners.push({ width, height, file_id, url: file_url })
  }
  const me = await fetch(`${base}/v1/user/me`, { headers })
  const { data }: { data: { space_id: string } } = await me.json()
  return {
    spaceId: data.space_id,
    banners,
    landscape: (await upload('upload3', await image(1200, 627))).file_id,
    square: (await upload('upload3', await image(600, 600))).file_id,
    icon: (await upload('upload3', await image(128, 128))).file_id,
    companion: (await upload('upload3', await image(300, 250))).file_id,
    film: (await upload('video', mp4({ width: 640, height: 360, seconds: 12 }))).file_id,
  }
}

const BANNERS = 50
const ENTRIES = 20
const RULES_EACH = 10

/** The `n`th body: every tab filled, with changes in three of them. Banner ids are the same each time. */
export function fullCampaign(material: Material, { id, n }: { readonly id: string | null; readonly n: number }) {
  const file = (file_id: string) => ({ file_id, url: `/v1/file/cache/${file_id}` })
  const hours = ['08', '09', '10', '18', '19', '20']
  return {
    ...(id === null ? {} : { id }),
    country: 'NG',
    product_url: 'https://nile.example/summer-sale?ref=placard',
    budget: (10_000 + (n % 1_000_000)) / 100,
    budget_type_key: 2,
    campaign_end_at: '2030-12-31',
    user_cpx: 0.5,
    manual_cpx: true,
    attribution: Array.from({ length: 10 }, (_, i) => ({ name: `row_${i}`, value: '{CLICK_ID}' })),
    freq_and_scheduling_on: true,
    scheduling: { '0': hours, '1': hours, '2': hours, '3': hours, '4': hours, '5': hours, '6': hours },
    frequency_cap: { '1': 3, '2': 9, '3': 20 },
    native_ad_enabled: true,
    dynamic_ad_enabled: true,
    video_ad_enabled: true,
    bidding_strategy: {
      type: 'conversion',
      goal: 'WEBSITE_CUSTOM_EVENT',
      website_promotion: { custom_action_name: 'booking', secondary_events: ['view', 'search', 'cart', 'call'] },
    },
    targeting: {
      fromAge: 21,
      toAge: 55,
      interests: { includeAny: ['sports', 'travel', 'music'], include: [], exclude: ['pets'] },
      apps: { includeAny: ['whatsapp', 'facebook'], include: [], exclude: ['viber'] },
      city_ids: ['2332459', '2335204'],
      gender: 3,
      similarity: 2,
      target_languages: ['english', 'hausa'],
      regions: ['lagos', 'west'],
      connection_types: ['4g', '5g'],
      customer_attributes: ['gold', 'silver'],
      automaticTargeting: false,
    },
    placement: {
      min_os_version: '9',
      excluded_apps: Array.from({ length: 20 }, (_, i) => `com.example.app${i}`),
      device_type_key: 4,
      environment: 'app',
      included_app_category_ids: ['finance', 'shopping', 'travel_and_local'],
      excluded_game_category_ids: ['game_casino'],
      languages: ['english'],
    },
    dynamic_ad: {
      creative_name: 'responsive',
      titles: [0, 1, 2].map((index) => ({ index, value: `Sail the Nile ${index}` })),
      descriptions: [0, 1, 2].map((index) => ({ index, value: `Two nights on the river, ${index}` })),
      call_to_action: 'Book',
      company_name: 'Nile',
      images: [{ index: 0, ...file(material.landscape) }],
      logos: [{ index: 0, ...file(material.icon) }],
    },
    native_ad: {
      creative_name: 'native',
      headline: 'Sail the Nile',
      body: 'Two nights on the river',
      images: [
        { width: 1200, height: 627, ...file(material.landscape) },
        { width: 600, height: 600, ...file(material.square) },
      ],
      call_to_action: 'Book',
      logo: { width: 128, height: 128, ...file(material.icon) },
      advertiser: 'Nile Travel',
    },
    video_ad: {
      creative_name: 'film',
      headline: 'Sail the Nile',
      long_headline: 'Sail the Nile this spring',
      cta: 'Book',
      video: { ...file(material.film), name: 'film.mp4' },
      companion_banners: [{ width: 300, height: 250, ...file(material.companion) }],
    },
    visuals: {
      banners: Array.from({ length: BANNERS }, (_, i) => ({
        id: `banner-${i}`,
        ...material.banners[i % material.banners.length],
        creative_name: i === n % BANNERS ? `banner_${i}_${n}` : `banner_${i}`,
      })),
    },
    exchange_id: ['google', 'verve'],
    campaign_category_keys: ['IAB20', 'IAB20-3'],
    impression_url: 'https://pixel.example/i',
    margin: 12,
    test_devices: ['38400000-8cf0-11bd-b23e-10b96e40000d'],
    slots: [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0],
    traffic_targeting: JSON.stringify(
      Array.from({ length: ENTRIES }, (_, entry) => ({
        id: entry + 1,
        name: `Bidding ${entry + 1}`,
        multiplier: entry === n % ENTRIES ? 1 + (n % 100) / 100 : 1.5,
        rules: {
          condition: entry % 2 === 0 ? 'and' : 'or',
          rules: Array.from({ length: RULES_EACH }, (_, rule) => ({
            field: ['app', 'site', 'os', 'visits_7d', 'bid_floor'][rule % 5],
            operator: ['is_not', 'is', 'is', 'is_more_than', 'is_less_than'][rule % 5],
            value: [`com.example.${entry}`, `site${entry}.example`, 'Android', rule, 0.5][rule % 5],
          })),
        },
      })),
    ),
  }
}
