import { eventually, publishable, sendFile, type Session } from '../support/product.ts'
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
  const { data: me } = await ada.call<{ readonly id: string; readonly space_id: string }>('GET', '/v1/user/me')
  await reported(base, ada, await as('moderator'))
  await waitingMoney(owner, me.space_id)
  await savedReport(ada)
  await invited(ada, me.space_id)
  await scheduled(ada, running.id)
  return {
    running: running.id,
    waiting: waiting.id,
    rich: await showcase(base, ada, owner),
    audio: await audio(base, ada),
    contested: contested.data.id,
    audience: audienceOf('static'),
    visitors: audienceOf('dynamic'),
    accountOwner: me.id,
  }
}

/** Notifies the advertiser of an approved and of a rejected campaign, so that the bell has something to show. */
async function reported(base: string, advertiser: Session, moderator: Session): Promise<void> {
  for (const [name, decision, comment] of [
    ['Aswan by train', 'approve', undefined],
    ['Siwa oasis, last seats', 'reject', 'Name the price of the last seats.'],
  ] as const) {
    const { data } = await advertiser.call('POST', '/v1/campaign/saveAndPublish', await publishable(base, advertiser, { name }))
    const { moderation_start_at } = (await advertiser.call('GET', `/v1/campaign/${data.id}`)).data
    const decided = await moderator.call('POST', `/v1/whitelabel/admin/campaign/${decision}`, {
      campaign_id: data.id,
      moderation_start_at,
      comment,
    })
    if (decided.code !== 0) throw new Error(`${name} was not decided: ${JSON.stringify(decided)}`)
  }
  type Listed = { readonly unread: number }
  await eventually(
    () => advertiser.call<Listed>('GET', '/v1/notifications'),
    ({ data }) => data.unread >= 2,
  )
}

/** A credit by hand beyond the limit, which waits for a second person. */
async function waitingMoney(owner: Session, spaceId: string): Promise<void> {
  const limited = await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { payment_approval_limit: 100 } })
  const asked = await owner.call<{ readonly stage: string }>('POST', `/v1/space/${spaceId}/credit`, {
    amount: 250,
    comment: 'Goodwill for the outage',
  })
  if (limited.code !== 0 || asked.data.stage !== 'pending')
    throw new Error(`no credit waits: ${JSON.stringify({ limited, asked })}`)
}

/** A report that is mailed each month. */
async function savedReport(advertiser: Session): Promise<void> {
  const saved = await advertiser.call('POST', '/v1/reports/saved', {
    name: 'Countries of the week',
    report: { grouping: 'country', range: 'last7' },
    schedule: 'monthly',
    schedule_day: 1,
    format: 'xlsx',
  })
  if (saved.code !== 0) throw new Error(`the report was not saved: ${JSON.stringify(saved)}`)
}

/** An invitation that waits to be accepted. */
async function invited(advertiser: Session, spaceId: string): Promise<void> {
  const sent = await advertiser.call('POST', `/v1/space/${spaceId}/team/invite`, {
    email: 'noor@nile.example',
    first_name: 'Noor',
    last_name: 'Hassan',
    roles: ['ACCOUNTANT'],
  })
  if (sent.code !== 0) throw new Error(`the invitation was refused: ${JSON.stringify(sent)}`)
}

/** A budget of a weekend and its way back, which wait, and a pause that was cancelled. */
async function scheduled(advertiser: Session, campaignId: string): Promise<void> {
  const inDays = (days: number, time: string) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}:00.000Z`
  const ask = async (body: object) => {
    const asked = await advertiser.call<{ readonly ids: readonly string[] }>('POST', `/v1/campaign/${campaignId}/schedule`, body)
    if (asked.code !== 0) throw new Error(`nothing was scheduled: ${JSON.stringify(asked)}`)
    return asked.data.ids
  }
  const budget = (amount: number, days: number, time: string) =>
    ({ act: 'save', fields: { budget: amount }, due_at: inDays(days, time) }) as const
  await ask({ changes: [budget(180, 3, '16:00'), budget(130, 6, '05:00')], note: 'More for the long weekend' })
  const [pause] = await ask({ changes: [{ act: 'pause', due_at: inDays(9, '20:00') }] })
  await advertiser.call('DELETE', `/v1/schedule/${pause}`)
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
