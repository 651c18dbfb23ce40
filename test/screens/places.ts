import { sendFile, type Session } from '../support/product.ts'
import { mp3 } from '../support/media/mp3.ts'
import { showcase } from './showcase.ts'
import type { Places } from './screen.ts'
import type { Tour } from './visit.ts'

type Row = { readonly id: string; readonly status_key: number }

/** Finds or creates the campaigns that the screens show. */
export async function placesOf(base: string, as: Tour['as']): Promise<Places> {
  const owner = await as('owner')
  const ada = await as('advertiser')
  const all = await owner.call<{ data: readonly Row[] }>('POST', '/v1/campaign/admin/list', { pageSize: 100 })
  const mine = await ada.call<{ data: readonly Row[] }>('POST', '/v1/campaign/list/v2', { pageSize: 25 })
  const running = mine.data.data.find(({ status_key }) => status_key === 3)
  const waiting = all.data.data.find(({ status_key }) => status_key === 1)
  if (running === undefined || waiting === undefined) throw new Error('the demo lacks a campaign')
  const audiences = await ada.call<{ data: readonly { readonly id: string; readonly type: string }[] }>(
    'POST',
    '/v1/segment-audience/list',
    {},
  )
  const audienceOf = (type: string) => audiences.data.data.find((one) => one.type === type)?.id ?? ''
  const contested = await ada.call('POST', '/v1/campaign', {
    name: 'Changed by two',
    country: 'EG',
    bidding_strategy: { type: 'awareness' },
  })
  if (contested.status !== 200) throw new Error(`the contested campaign was refused: ${JSON.stringify(contested)}`)
  return {
    running: running.id,
    waiting: waiting.id,
    rich: await showcase(base, ada, owner),
    audio: await audio(base, ada),
    contested: contested.data.id,
    audience: audienceOf('static'),
    visitors: audienceOf('dynamic'),
  }
}

async function audio(base: string, advertiser: Session): Promise<string> {
  const track = await sendFile(base, advertiser.token, '/v1/file/audio', mp3({ seconds: 20 }), 'felucca.mp3')
  const created = await advertiser.call('POST', '/v1/campaign', {
    name: 'Nile, audio',
    country: 'EG',
    bidding_strategy: { type: 'other', goal: 'AUDIO_ADVERTISING' },
    audio_ads: [{ fileId: track.data.file_id, url: track.data.file_url, name: 'felucca.mp3', size: 0.3, extension: 'mp3' }],
  })
  if (created.status !== 200) throw new Error(`the audio campaign was refused: ${JSON.stringify(created)}`)
  return created.data.id
}
