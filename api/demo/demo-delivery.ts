import type { Wired } from '../areas/services.ts'
import { systemContext } from '#domain/kit/event-metadata'
import { sql, type NotNull } from 'kysely'
import { anyOf } from '#eventstore/postgres/expressions'
import { createDelivery } from '#commands/delivery/accept-batch'
import type { Issue } from '#commands/campaign/campaign-commands'
import { createSettle } from '#commands/delivery/settle'
import { chosenExchanges, served } from '#domain/campaign/status/status'
import type { CampaignState } from '#domain/campaign/state'
import { dayOf, hasServedIn, type DeliveredCampaign, type DeliveryRow } from '#domain/delivery/batch'
import { trafficOf, type SimulatedCampaign } from '#domain/delivery/traffic'
import { spendOf } from '#projections/campaign/list/money-queries'
import { createDeliveryPort } from '../areas/delivery/port.ts'
import { createMarkets } from '../simulator/markets.ts'
import { repeat } from '../process/repeat.ts'
import { seedInvoices } from './demo-invoices.ts'
import { DEMO_SPACES, DEMO_WHITELABEL } from './people.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Days of delivery before the first start. */
const DAYS = 90
/** Rows of a campaign and hour: about 300,000 facts in 90 days. */
const ROWS = 24
const SLICE_MS = 5 * 60_000
const TICK_MS = 60_000
/** After a pause of the product, hours further back than this stay without delivery. */
const CATCH_UP_HOURS = 48
/** Most impressions a day that a demo campaign buys; it sets the price. */
const IMPRESSIONS_A_DAY = 60_000
/** Micros. */
const SMALL_BUDGET = 15_000_000
/** Policies record what is due within some seconds. */
const POLICY_DELAY_MS = 2000
/** A campaign has fewer starts, ends and midnights in a day. */
const MOST_ROUNDS = 5

type Options = {
  readonly commandsAt: (now: () => string) => Wired['commands']
  /** True while this process leads the policies: one process delivers. */
  readonly leads: () => Promise<boolean>
}

/**
 * Delivers the demo's campaigns by the code that takes batches of bidders: 90 days once, day by day under a clock of their own, and then
 * each five minutes. Everything is decided by ids of batches, so an interrupted run goes on where it stopped. Refills bring the
 * balances back to where they began.
 */
export function createDemoDelivery(kit: Wired, { commandsAt, leads }: Options) {
  const { db, derivedId, facts, now, reference } = kit
  const sentDays = db.selectFrom('app.delivery_batches').select('id').where('id', 'like', 'demo/____-__-__T%')
  const port = createDeliveryPort(kit)
  const delivery = createDelivery({ port, facts, now })
  const spaces = DEMO_SPACES.filter(({ house }) => !house).map(({ key }) => derivedId('demo', 'space', key))
  const marketOf = createMarkets(reference)
  let stopped = false
  kit.stops.add(async () => {
    stopped = true
  })

  /** The demo's campaigns that were ever approved, with when they served. */
  async function campaigns() {
    const rows = await db
      .selectFrom('rm_campaign_list as l')
      .innerJoin('rm_campaign_states as s', 's.id', 'l.id')
      .select(['l.id', 's.state'])
      .where('l.space_id', '=', anyOf(spaces))
      .where('l.approved', '=', true)
      .orderBy('l.id')
      .$castTo<{ readonly id: string; readonly state: CampaignState }>()
      .execute()
    const delivered = await port.delivered(
      rows.map(({ id }) => id),
      null,
    )
    return Promise.all(
      rows.flatMap(({ id, state }) => {
        const campaign = delivered.get(id)
        return campaign === undefined ? [] : [marketOf(state.head.country).then((market) => ({ campaign, state, market }))]
      }),
    )
  }
  type Candidate = Awaited<ReturnType<typeof campaigns>>[number]

  const trafficIn = ({ campaign, state, market }: Candidate, hour: string, share = 1, seed = 'demo'): readonly DeliveryRow[] =>
    hasServedIn(campaign, hour)
      ? trafficOf(simulated(campaign, state, share), hour, { seed, market, left: campaign.budget ?? 0, rows: ROWS })
      : []

  /** Traffic of the campaigns whose budgets are not reached, and those that reach theirs: that hour delivers a little beyond it. */
  async function rowsIn(all: readonly Candidate[], hour: string, share?: number, seed?: string) {
    const spent = await spendOf(
      db,
      all.map(({ campaign }) => ({ campaignId: campaign.id, localDay: dayOf(hour, campaign) })),
    )
    const reached: { readonly id: string; readonly at: number }[] = []
    const rows = all.flatMap((candidate, i) => {
      const { id, budget, budget_type_key: type } = candidate.campaign
      const billed = (type === 1 ? spent[i]?.total : spent[i]?.today) ?? 0
      if (billed >= (budget ?? 0)) return []
      const traffic = trafficIn(candidate, hour, share, seed)
      if (billed + traffic.reduce((sum, row) => sum + row.spent, 0) >= (budget ?? 0))
        reached.push({ id, at: Date.parse(hour) + HOUR_MS - 1000 })
      return traffic
    })
    return { rows, reached }
  }

  /** The rows of a UTC day, and when campaigns reach a budget in it: from then on they deliver nothing that day. */
  function rowsOfDay(all: readonly Candidate[], day: number, spent: Map<string, number>) {
    const reached: { readonly id: string; readonly at: number }[] = []
    const rows = all.flatMap((candidate) => {
      const { campaign } = candidate
      const ofCampaign: DeliveryRow[] = []
      for (let hour = day; hour < day + DAY_MS; hour += HOUR_MS) {
        const key = campaign.budget_type_key === 1 ? campaign.id : `${campaign.id} ${dayOf(iso(hour), campaign)}`
        const before = spent.get(key) ?? 0
        // A day budget opens again at the next local midnight, with which the next batch begins.
        if (before >= (campaign.budget ?? 0)) break
        const traffic = trafficIn(candidate, iso(hour))
        ofCampaign.push(...traffic)
        const after = before + traffic.reduce((sum, row) => sum + row.spent, 0)
        spent.set(key, after)
        if (after < (campaign.budget ?? 0)) continue
        reached.push({ id: campaign.id, at: hour + HOUR_MS - 1000 })
        break
      }
      return ofCampaign
    })
    return {
      rows: rows.toSorted((a, b) => (a.hour < b.hour ? -1 : a.hour > b.hour ? 1 : 0)),
      reached: reached.toSorted((a, b) => a.at - b.at),
    }
  }

  const policyAt = (policy: string, at: number, id: string): readonly [Wired['commands']['campaigns'], Issue] => [
    commandsAt(() => iso(at)).campaigns,
    {
      mayWriteOwnerFields: false,
      commandIdAt: (revision) => derivedId('policy', policy, id, String(revision)),
      context: systemContext(policy, ''),
    },
  ]

  /** Records the starts, ends and midnights until an instant, each at its own time. */
  async function keepClocks(until: number): Promise<boolean> {
    for (let round = 0; ; round++) {
      const rows = await db
        .selectFrom('rm_campaign_list')
        .select(['id', 'next_due'])
        .where('space_id', '=', anyOf(spaces))
        .where('next_due', '<=', iso(until))
        .$narrowType<{ next_due: NotNull }>()
        .orderBy('next_due')
        .orderBy('id')
        .execute()
      if (rows.length === 0 || round === MOST_ROUNDS) return round > 0
      for (const { id, next_due: due } of rows) {
        const [campaignCommands, issue] = policyAt('clock', Date.parse(due) + POLICY_DELAY_MS, id)
        await campaignCommands.keepClock(id, issue)
      }
      await kit.caughtUp(['campaign-list'], { withinMs: HOUR_MS })
    }
  }

  /** Records the changes of status of a day, as the policies would, in order of time. Returns whether any campaign changed. */
  async function keepDay(end: number, reached: ReturnType<typeof rowsOfDay>['reached']): Promise<boolean> {
    let changed = false
    for (const { id, at } of reached) {
      await keepClocks(at)
      const [campaignCommands, issue] = policyAt('spend', at, id)
      await campaignCommands.keepSpend(id, issue)
      await kit.caughtUp(['campaign-list'], { withinMs: HOUR_MS })
      changed = true
    }
    return (await keepClocks(end)) || changed
  }

  async function send(id: string, rows: readonly DeliveryRow[]): Promise<void> {
    const accepted = await delivery.accept({ id, bodyHash: '', bidder: null, whitelabelId: null, rows })
    if (accepted.kind === 'rejected') throw new Error(`the demo's batch ${id} was refused: ${JSON.stringify(accepted.rejection)}`)
  }

  /** Settles what was delivered until an instant of the past, and refills each account by as much. */
  async function settleAt(instant: string): Promise<void> {
    const { accounts, ledgers } = commandsAt(() => instant)
    const { settle } = createSettle({
      settlements: kit.settlements,
      accounts,
      ledgers,
      now: () => instant,
      commandId: (...parts) => derivedId('policy', ...parts),
    })
    for (const spaceId of spaces) {
      await settle(spaceId)
      const { rows } = await sql<{ readonly amount: bigint }>`
        select coalesce(sum(amount), 0)::bigint as amount from app.delivery_charges
        where space_id = ${spaceId} and batch_id like 'demo/____-__-__'
          and batch_id <= ${`demo/${instant.slice(0, 10)}`} and batch_id > ${`demo/${before(instant, 7)}`}`.execute(db)
      const amount = Number(rows[0]?.amount ?? 0)
      if (amount > 0)
        await accounts.execute(spaceId, contextOf(derivedId('demo', 'refill', spaceId, instant)), {
          type: 'CreditFunds',
          amount,
          reason: 'Refill',
        })
    }
  }

  /** The days before the first start, oldest first. */
  async function fill(firstDay: number): Promise<void> {
    if ((await port.inbox.find(dayBatch(firstDay - DAY_MS))) !== null) return
    await keepClocks(firstDay - DAYS * DAY_MS)
    let all = await campaigns()
    const spent = new Map<string, number>()
    for (let n = DAYS; n >= 1 && !stopped; n--) {
      const day = firstDay - n * DAY_MS
      const { rows, reached } = rowsOfDay(all, day, spent)
      await send(dayBatch(day), rows)
      if (await keepDay(day + DAY_MS - 1000, reached)) all = await campaigns()
      if (n % 7 === 1) await settleAt(new Date(day + DAY_MS - 1).toISOString())
    }
    const nile = DEMO_SPACES.find(({ key }) => key === 'nile')
    if (!stopped && nile !== undefined)
      await seedInvoices(kit, {
        commandsAt,
        spaceId: derivedId('demo', 'space', nile.key),
        whitelabelId: DEMO_WHITELABEL,
        currency: nile.currency,
        accountant: derivedId('demo', 'person', 'accountant@dsp.example'),
      })
  }

  /** The hours since midnight of the first day that have ended, and the slice that runs now. Before policies run, it does their work. */
  async function goOn(firstDay: number, keeps: boolean): Promise<void> {
    let all = await campaigns()
    const time = Date.parse(now())
    const present = Math.floor(time / HOUR_MS) * HOUR_MS
    const { rows } = await sql<{ readonly hour: string }>`
      select distinct substr(id, 6, 13) as hour from app.delivery_batches
      where id like 'demo/____-__-__T%' and id >= ${`demo/${iso(Math.max(firstDay, present - CATCH_UP_HOURS * HOUR_MS)).slice(0, 13)}`}`.execute(
      db,
    )
    const known = new Set(rows.map(({ hour }) => hour))
    for (let hour = Math.max(firstDay, present - CATCH_UP_HOURS * HOUR_MS); hour < present && !stopped; hour += HOUR_MS)
      if (!known.has(iso(hour).slice(0, 13))) {
        const { rows: traffic, reached } = await rowsIn(all, iso(hour))
        await send(`demo/${iso(hour).slice(0, 13)}`, traffic)
        if (keeps && (await keepDay(hour + HOUR_MS - 1000, reached))) all = await campaigns()
      }
    const slice = Math.floor((time - present) / SLICE_MS)
    const id = `demo/${iso(present).slice(0, 13)}/${slice}`
    if ((await port.inbox.find(id)) === null)
      await send(id, (await rowsIn(all, iso(present), SLICE_MS / HOUR_MS, `slice ${slice}`)).rows)
  }

  async function firstDayOf(): Promise<number> {
    const first = await sentDays.orderBy('id').limit(1).executeTakeFirst()
    return first === undefined
      ? Math.floor(Date.parse(now()) / DAY_MS) * DAY_MS
      : Date.parse(`${first.id.slice(5, 15)}T00:00:00Z`)
  }

  /** Settles what is open, and brings each account to the balance that the demo promises: once. */
  async function balance(): Promise<void> {
    const { accounts, ledgers } = kit.commands
    const { settle } = createSettle({
      settlements: kit.settlements,
      accounts,
      ledgers,
      now,
      commandId: (...parts) => derivedId('policy', ...parts),
    })
    for (const { key, house, balance: promised } of DEMO_SPACES) {
      const spaceId = derivedId('demo', 'space', key)
      if (house || stopped) continue
      await settle(spaceId)
      await kit.caughtUp(['accounts'], { withinMs: HOUR_MS })
      const amount = promised * 1_000_000 - ((await kit.accounts.find(spaceId))?.balance ?? 0)
      if (amount === 0) continue
      const reason = amount > 0 ? 'Refill' : 'Unused balance paid back'
      await accounts.execute(spaceId, contextOf(derivedId('demo', 'balance', spaceId)), { type: 'CreditFunds', amount, reason })
    }
  }

  async function deliver({ keeps }: { readonly keeps: boolean }): Promise<void> {
    await kit.caughtUp(['campaign-list', 'accounts'], { withinMs: HOUR_MS })
    const firstDay = await firstDayOf()
    await fill(firstDay)
    if (!stopped) await goOn(firstDay, keeps)
  }

  return {
    /** Delivers until now, so that the figures and balances of a first start are whole. A later start has nothing to do. */
    async complete(): Promise<void> {
      if ((await sentDays.limit(1).executeTakeFirst()) !== undefined) return
      await deliver({ keeps: true })
      if (!stopped) await balance()
      if (!stopped) await kit.caughtUp('all', { withinMs: HOUR_MS })
    },

    /** Goes on as time goes by, in the process that leads the policies. */
    start: () =>
      repeat(kit, TICK_MS, 'delivery of the demo', async () => {
        if (await leads()) await deliver({ keeps: false })
      }),
  }
}

const iso = (time: number): string => new Date(time).toISOString()
const dayBatch = (day: number): string => `demo/${iso(day).slice(0, 10)}`
const before = (instant: string, days: number): string => iso(Date.parse(instant) - days * DAY_MS).slice(0, 10)

function simulated(campaign: DeliveredCampaign, state: CampaignState, share: number): SimulatedCampaign {
  const { head } = state
  const { budget } = campaign
  // Most campaigns spend a good part of their day budget and none all of it; a small one reaches it early in the day.
  const pace = campaign.budget_type_key === 1 ? 0.3 : (budget ?? 0) < SMALL_BUDGET ? 60 : 0.8
  const daily = Math.round((budget ?? 0) * pace)
  const price = head.manual_cpx ? (head.user_cpx ?? head.cpx) : head.cpx
  const sizes = new Map(head.visuals.banners.map(({ id, width, height }) => [id, `${width}x${height}`]))
  return {
    id: campaign.id,
    country: head.country,
    timezone_offset_seconds: campaign.timezone_offset_seconds ?? 0,
    cpm: Math.max(price, Math.round((daily * 1000) / IMPRESSIONS_A_DAY)),
    daily: Math.round(daily * share),
    creatives: served(state).map(({ id }) => ({ id, size: sizes.get(id) ?? '' })),
    exchanges: chosenExchanges(head),
  }
}

const contextOf = (commandId: string) => systemContext('demo', commandId, { source: 'import', correlation: commandId })
