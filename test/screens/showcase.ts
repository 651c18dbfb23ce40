import sharp from 'sharp'
import type { Session } from '../support/product.ts'
import { mp4 } from '../support/media/mp4.ts'

/** A campaign with content on every tab, for pictures and checks. Created by the advertiser, completed by the owner. */
export async function showcase(base: string, advertiser: Session, owner: Session): Promise<string> {
  const upload = async (path: string, bytes: Uint8Array) => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), 'showcase')
    const headers = { authorization: `Bearer ${advertiser.token}` }
    const response = await fetch(`${base}/v1/file/${path}`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    const { data }: { data: { file_id: string; file_url: string } } = await response.json()
    return { file_id: data.file_id, url: data.file_url }
  }
  const banner = async (width: number, height: number) => ({
    width,
    height,
    ...(await upload(`upload2?width=${width}&height=${height}`, await felucca(width, height))),
    creative_name: `felucca_${width}x${height}`,
  })
  const picture = async (width: number, height: number) => ({
    width,
    height,
    ...(await upload('upload3', await felucca(width, height))),
  })
  const landscape = await picture(1200, 627)
  const square = await picture(600, 600)
  const icon = await picture(128, 128)
  const daytime = ['08', '09', '10', '11', '12', '17', '18', '19', '20', '21']
  const weekend = [...daytime, '13', '14', '15', '16']
  const created = await advertiser.call('POST', '/v1/campaign', {
    name: 'Nile by felucca',
    country: 'EG',
    product_url: 'https://nile.example/felucca',
    budget: 120,
    budget_type_key: 2,
    bidding_strategy: { type: 'consideration', goal: 'LANDING_PAGE_TRAFFIC' },
    freq_and_scheduling_on: true,
    scheduling: { '0': weekend, '1': daytime, '2': daytime, '3': daytime, '4': daytime, '5': daytime, '6': weekend },
    frequency_cap: { '1': 2, '2': 6, '3': 15 },
    native_ad_enabled: true,
    dynamic_ad_enabled: true,
    video_ad_enabled: true,
    targeting: {
      automaticTargeting: false,
      fromAge: 25,
      toAge: 55,
      gender: 1,
      similarity: 1,
      interests: { includeAny: ['travel', 'music'], include: [], exclude: ['pets'] },
      apps: { includeAny: ['whatsapp', 'facebook'], include: [], exclude: [] },
      target_languages: ['english'],
      connection_types: ['4g', '5g'],
    },
    placement: {
      device_type_key: 4,
      environment: 'app',
      included_app_category_ids: ['travel_and_local', 'shopping', 'finance'],
      excluded_game_category_ids: ['game_casino'],
    },
    dynamic_ad: {
      creative_name: 'felucca_responsive',
      titles: ['Sail the Nile', 'Two nights under the stars', 'A boat, a crew, a river'].map((value, index) => ({
        index,
        value,
      })),
      descriptions: ['From Aswan to Edfu, all meals on board', 'Small boats, at most eight guests'].map((value, index) => ({
        index,
        value,
      })),
      call_to_action: 'Book',
      company_name: 'Nile',
      images: [{ index: 0, file_id: landscape.file_id, url: landscape.url }],
      logos: [{ index: 0, file_id: icon.file_id, url: icon.url }],
    },
    native_ad: {
      creative_name: 'felucca_native',
      headline: 'Sail the Nile',
      body: 'Two nights under the stars, from Aswan to Edfu',
      images: [landscape, square],
      call_to_action: 'Book',
      logo: icon,
      advertiser: 'Nile Travel',
    },
    video_ad: {
      creative_name: 'felucca_film',
      headline: 'Sail the Nile',
      long_headline: 'Two nights on the river, from Aswan to Edfu',
      cta: 'Book',
      video: { ...(await upload('video', mp4({ width: 640, height: 360, seconds: 12 }))), name: 'felucca.mp4' },
      companion_banners: [await picture(300, 250)],
    },
    visuals: { banners: [await banner(300, 250), await banner(320, 50), await banner(728, 90)] },
  })
  if (created.status !== 200) throw new Error(`the showcase was refused: ${JSON.stringify(created)}`)
  const { id } = created.data
  const saved = await owner.call('PUT', '/v1/campaign', { id, traffic_targeting: RULES })
  if (saved.status !== 200) throw new Error(`its rules were refused: ${JSON.stringify(saved)}`)
  const renamed = await advertiser.call('PUT', '/v1/campaign', { id, budget: 150, name: 'Nile by felucca, spring' })
  if (renamed.status !== 200) throw new Error(`its change was refused: ${JSON.stringify(renamed)}`)
  return id
}

const RULES = JSON.stringify([
  {
    id: 1,
    name: 'Loyal visitors on phones',
    multiplier: 1.4,
    rules: {
      condition: 'and',
      rules: [
        { field: 'os', operator: 'is', value: 'Android' },
        {
          condition: 'or',
          rules: [
            { field: 'visits_7d', operator: 'is_more_than', value: 3 },
            { field: 'bid_floor', operator: 'is_less_than', value: 0.4 },
          ],
        },
      ],
    },
  },
  {
    id: 2,
    name: 'Never on this site',
    multiplier: 0,
    rules: { condition: 'and', rules: [{ field: 'site', operator: 'is', value: 'gossip.example' }] },
  },
])

/** A sail before the evening sky. */
export function felucca(width: number, height: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#1e3a8a"/><stop offset=".6" stop-color="#f59e0b"/><stop offset="1" stop-color="#fde68a"/></linearGradient></defs>
    <rect width="100" height="70" fill="url(#sky)"/><circle cx="70" cy="52" r="9" fill="#fff7ed"/><rect y="66" width="100" height="34" fill="#0f4c75"/>
    <path d="M38 66 L40 22 Q62 46 62 66 Z" fill="#fff7ed"/><path d="M30 66 H68 L62 74 H36 Z" fill="#451a03"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}
