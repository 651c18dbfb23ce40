import { describe, expect, it } from 'vitest'
import { ATTRIBUTION_TEMPLATE, generatedTags } from '#domain/campaign/content/attribution'
import { DEFAULT_CONTENT, type CampaignContent } from '#domain/campaign/content/content'
import { reviewedOf } from '#domain/campaign/review/reviewed'
import { initial } from '#domain/campaign/state'
import { taggedCampaign } from '#domain/events/attribution'
import type { SentEvent } from '#domain/events/tracked-event'
import { createEvents } from './accept-events.ts'
import type { EventSource, HintedCampaign, NewEvent } from './events-port.ts'

const NOW = '2026-11-10T12:00:00.000Z'
const SENT: SentEvent = {
  name: 'page_view',
  id: null,
  time: null,
  value: null,
  device_model: null,
  url: null,
  custom_parameters: {},
  campaign_id: null,
  conversion: null,
}
const landing = (tags: Readonly<Record<string, string>>) => `https://nile.example/landing?${new URLSearchParams(tags).toString()}`
/** As a bidder fills a click address for the campaign "Summer". */
const filled = (address: string) => address.replace('{CAMPAIGN_NAME}', 'Summer').replaceAll(/\{[A-Z_]+\}/g, 'x')
/** Its tags name it and the visitor. */
const TAGS = 'cid={CID}&visitor={ANONYMOUS_ID}'

/** An approved campaign that has served since the fifth of November. */
function campaign(id: string, content: Partial<CampaignContent> = {}): readonly HintedCampaign[] {
  const head = { ...DEFAULT_CONTENT, attribution_tags: TAGS, ...content }
  const tagged = taggedCampaign({ ...initial, id, head, approved: { reviewed: reviewedOf(head), versions: {}, version: 1 } })
  return tagged === null ? [] : [{ campaign: tagged, served: async () => [{ from: '2026-11-05T00:00:00.000Z', to: null }] }]
}

function given(...campaigns: readonly HintedCampaign[]) {
  return accepting(campaigns)
}
/** Null for more campaigns than a call may name. */
function accepting(campaigns: readonly HintedCampaign[] | null) {
  const stored: NewEvent[] = []
  const add = async (_: unknown, events: readonly NewEvent[]) => stored.push(...events)
  const accept = createEvents({
    port: {
      log: { add } as never,
      clickDays: async (ids) => new Map(ids.filter((id) => id !== 'unclicked').map((id) => [id, [Date.parse('2026-11-09')]])),
      campaigns: async (_, hints) => (expect(hints.join('')).not.toContain('\0'), campaigns),
    },
    now: () => NOW,
    newId: () => 'new',
  }).accept
  return {
    async when(source: EventSource, ...sent: readonly Partial<SentEvent>[]) {
      const events = sent.map((over) => ({
        sent: { ...SENT, ...over },
        device: { model: null, typeKey: 2, os: '' },
        visitor: 'browser',
      }))
      const accepted = await accept({ place: { spaceId: 's', whitelabelId: 'w' }, source, events })
      if (accepted.kind !== 'rejected') return stored
      expect(stored).toEqual([])
      return accepted.rejection.faults?.map(({ path }) => path)
    },
  }
}

describe('the campaign of an event', () => {
  it.each<[how: string, content: Partial<CampaignContent>, sent: Partial<SentEvent>]>([
    ['its id', {}, { campaign_id: 'c', conversion: true }],
    ['its id in the tags', {}, { conversion: true, url: landing({ cid: 'c' }) }],
    [
      'its name in the default tags, in any case',
      { attribution_tags: ATTRIBUTION_TEMPLATE, name: 'Name Ünïcode' },
      { conversion: true, url: landing({ utm_source: 'placard', utm_campaign: 'name ünïcode' }) },
    ],
    [
      'its name in the address of a shop of one page, as the tags were generated',
      { attribution_tags: generatedTags('https://nile.example/?a=1#/sale'), name: 'Summer' },
      { conversion: true, url: filled(generatedTags('https://nile.example/?a=1#/sale') ?? '') },
    ],
    ['the name of a conversion', {}, { name: 'Purchase', url: landing({ cid: 'c' }) }],
    [
      'its own custom action',
      {
        bidding_strategy: {
          ...DEFAULT_CONTENT.bidding_strategy,
          website_promotion: { ...DEFAULT_CONTENT.bidding_strategy.website_promotion, custom_action_name: 'Booked a cabin' },
        },
      },
      { name: 'booked a cabin', url: landing({ cid: 'c' }) },
    ],
  ])('the campaign of an event is found by %s, and the event is a conversion', async (_, content, sent) =>
    expect(await given(...campaign('c', content)).when('server', sent)).toMatchObject([
      { campaign_id: 'c', conversion: { country: '' } },
    ]),
  )

  it.each<[why: string, sent: Partial<SentEvent>]>([
    ['its address names another campaign', { url: landing({ cid: 'other' }) }],
    ['its address has none of the tags', { url: landing({ other: 'c' }) }],
    ['its address has no parameters', { url: 'https://nile.example/' }],
    ['the value of the tag holds NUL', { url: landing({ cid: '\0c', visitor: '\0' }) }],
    ['it happened before the campaign served', { time: '2026-11-04T23:59:59.999Z', url: landing({ cid: 'c' }) }],
  ])('the campaign of an event is none where %s', async (_, sent) => {
    expect(await given(...campaign('c')).when('server', { conversion: true, ...sent })).toMatchObject([
      { campaign_id: null, conversion: null },
    ])
  })

  it('the campaign that an event names must be an approved one of the account, or the whole call is refused', async () => {
    expect(await given().when('server', {}, { campaign_id: 'foreign' })).toEqual(['events[1].campaign_id'])
    expect(await given().when('pixel', { campaign_id: 'foreign' })).toEqual(['campaign_id'])
  })

  it('a call of events names at most a thousand campaigns', async () =>
    expect(await accepting(null).when('server', { url: landing({ cid: 'c' }) })).toEqual(['events']))

  it('looks for the campaign only among those that the event names', async () => {
    let compared = 0
    const many = Array.from({ length: 200 }, (_, n) => campaign(`c${n}`)).flat()
    const counted = many.map((one) => {
      const { tags, ...rest } = one.campaign
      return {
        ...one,
        campaign: {
          ...rest,
          get tags() {
            return ((compared += 1), tags)
          },
        },
      }
    })
    const naming = (n: number) => landing(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, `c${10 * n + i}`])))
    await given(...counted).when('server', ...Array.from({ length: 20 }, (_, n) => ({ url: naming(n) })))
    // Each of 20 events is compared with the ten that it names, in ten parameters.
    expect(compared).toBe(20 * 10 * 10)
  })

  it('knows the visitor by its tag alone; without it, the visitor is who sent the event', async () => {
    const events = await given(...campaign('c')).when(
      'pixel',
      { url: landing({ cid: 'c', visitor: 'v-1' }) },
      { url: landing({ cid: 'c', anonymous_id: 'v-2' }) },
      { url: landing({ cid: 'c', visitor: 'a\0b' }) },
    )
    expect(events).toMatchObject([{ visitor: 'v-1' }, { visitor: 'browser' }, { visitor: 'browser' }])
  })
})

describe('the address of an event', () => {
  const url = 'https://nile.example/?session=s3cret&utm_source=mail&cid=c&email=a%40b.example&utm_content=x#top'

  it('the address of an event from a page keeps only the parameters that tell where the visitor came from', async () => {
    expect(await given().when('pixel', { url })).toMatchObject([{ url: 'https://nile.example/?utm_source=mail&utm_content=x' }])
    expect(await given(...campaign('c')).when('pixel', { url })).toMatchObject([
      { campaign_id: 'c', url: 'https://nile.example/?utm_source=mail&cid=c&utm_content=x' },
    ])
  })

  it('the address of an event from a server keeps all of them', async () =>
    expect(await given().when('server', { url })).toMatchObject([{ url: url.replace('#top', '') }]))
})

describe('the mark of an event', () => {
  it('the mark of an event is that of the days of its own campaign, in one call with others', async () => {
    const events = await given(...campaign('clicked'), ...campaign('unclicked')).when(
      'server',
      { campaign_id: 'clicked', conversion: true },
      { campaign_id: 'unclicked', conversion: true },
      {},
    )
    expect(events).toMatchObject([
      { campaign_id: 'clicked', mark: null },
      { campaign_id: 'unclicked', mark: 'click', conversion: { country: '' } },
      { campaign_id: null, mark: null },
    ])
  })
})
