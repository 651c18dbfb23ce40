import type { Wired } from '../areas/services.ts'
import { countConversions } from '#commands/events/count-conversions'
import { createEvents } from '#commands/events/accept-events'
import type { SentEvent } from '#domain/events/tracked-event'
import { standing } from '#domain/estimates/panel'
import { createEventsPort } from '../areas/events/port.ts'
import { deviceOf } from '../areas/events/device.ts'
import { repeat } from '../process/repeat.ts'
import { DEMO_WHITELABEL } from './people.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Days of events before the first start. */
const DAYS = 14
/** Most visits of a day; each has one to three events. */
const VISITS = 28

const PAGES = ['', 'luxor', 'aswan', 'cruises', 'red-sea', 'desert-camps']
const SHIPS = ['Felucca', 'Dahabiya', 'Lotus', 'Karnak']
const USER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-A556E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; TECNO KI5q) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
]

/**
 * Visitors of the demo's advertiser: two weeks of events behind the first start, and then as the day goes on, through the code that
 * takes the pixel's. Ids and values follow from the day, so an interrupted run goes on where it stopped.
 */
export function createDemoEvents(kit: Wired, { leads }: { readonly leads: () => Promise<boolean> }) {
  const { db, derivedId, facts, inbox, newId, now, store, tracked } = kit
  const place = { spaceId: derivedId('demo', 'space', 'nile'), whitelabelId: DEMO_WHITELABEL }
  const port = createEventsPort({ db, facts, now, store, tracked })
  let done = 0
  let stopped = false
  kit.stops.add(async () => {
    stopped = true
  })

  /** Sends what has happened on one day until an instant, as of that instant. */
  async function send(day: number, until: number, campaigns: readonly string[]): Promise<void> {
    const events = visitsOf(day, campaigns).filter(({ sent }) => Date.parse(String(sent.time)) <= until)
    if (events.length === 0) return
    const accepted = await createEvents({ port, now: () => new Date(until).toISOString(), newId }).accept({
      place,
      source: 'pixel',
      events,
    })
    if (accepted.kind === 'rejected') throw new Error(`the demo's events were refused: ${JSON.stringify(accepted.rejection)}`)
  }

  async function sendAll(): Promise<void> {
    await kit.caughtUp(['campaign-list', 'accounts'], { withinMs: HOUR_MS })
    const rows = await db
      .selectFrom('rm_campaign_list')
      .select('name')
      .where('space_id', '=', place.spaceId)
      .where('approved', '=', true)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const present = Date.parse(now())
    const today = Math.floor(present / DAY_MS) * DAY_MS
    for (let day = Math.max(done + DAY_MS, today - DAYS * DAY_MS); day <= today && !stopped; day += DAY_MS) {
      await send(
        day,
        Math.min(present, day + DAY_MS - 1),
        rows.map(({ name }) => name),
      )
      if (day < today) done = day
    }
  }

  return {
    /** Sends what has happened until now, and counts its conversions: on the first start. */
    async complete(): Promise<void> {
      const sent = db.selectFrom('app.tracked_events').select('id').where('space_id', '=', place.spaceId).limit(1)
      if ((await sent.executeTakeFirst()) !== undefined) return
      await sendAll()
      for (const count of await countConversions({ log: tracked.log, inbox, facts }).scan([])) await count.act()
    },

    /** Goes on as time goes by, in the process that leads the policies. */
    start: () =>
      repeat(kit, MINUTE_MS, 'events of the demo', async () => {
        if (await leads()) await sendAll()
      }),
  }
}

/** The visits of one day, each with its events. */
function visitsOf(day: number, campaigns: readonly string[]) {
  return Array.from({ length: VISITS }, (_, n) => {
    const seed = `events/${day}/${n}`
    const draw = (what: string) => standing(`${seed}/${what}`)
    const pick = <T>(from: readonly T[], what: string): T | undefined => from[Math.floor(draw(what) * from.length)]
    const device = deviceOf(pick(USER_AGENTS, 'device'))
    const campaign = draw('brought') < 0.75 ? pick(campaigns, 'campaign') : undefined
    const page = pick(PAGES, 'page') ?? ''
    const visitor = `v${Math.floor(draw('visitor') * 400)}`
    const started = day + Math.floor(draw('time') * (DAY_MS - HOUR_MS))
    const event = (name: string, after: number, more: Partial<SentEvent> = {}) => ({
      device,
      sent: {
        name,
        id: `${seed}/${name}`,
        time: new Date(started + after * MINUTE_MS).toISOString(),
        value: null,
        device_model: null,
        url: addressOf(page, campaign, visitor),
        custom_parameters: {},
        campaign_id: null,
        conversion: null,
        ...more,
      },
    })
    const ship = pick(SHIPS, 'ship') ?? ''
    const nights = String(3 + Math.floor(draw('nights') * 5))
    const outcome = draw('outcome')
    return [
      event('page_view', 0),
      ...(outcome < 0.45 ? [event('search', 2, { custom_parameters: { nights, ship } })] : []),
      ...(outcome < 0.2 ? [event('lead', 7, { custom_parameters: { ship } })] : []),
      ...(outcome < 0.1
        ? [event('purchase', 16, { value: 180 + 20 * Math.floor(draw('price') * 40), custom_parameters: { nights, ship } })]
        : []),
    ]
  }).flat()
}

function addressOf(page: string, campaign: string | undefined, visitor: string): string {
  const tags = { utm_source: 'placard', utm_medium: 'banner', utm_campaign: campaign ?? '', anonymous_id: visitor }
  return `https://nile.example/${page}${campaign === undefined ? '' : `?${String(new URLSearchParams(tags))}`}`
}
