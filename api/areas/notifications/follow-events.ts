import type { Followed } from '#platform/notifications/followed'
import { audiencePlace } from '#projections/audience/queries'
import { listedCampaigns, storedStateOf, type ListedBriefly } from '#projections/campaign/list/brief-queries'
import { paymentBriefly } from '#projections/payment/queries'
import type { Kysely } from 'kysely'
import { ACCOUNT_STREAMS, decodeAccountEvent } from '#domain/account/account'
import { BALANCE_NOTICES, shownNotices, type BalanceNotice, type ShownNotice } from '#domain/account/low-balance'
import { AUDIENCE_STREAMS, decodeAudienceEvent } from '#domain/audience/audience'
import { creativesOf } from '#domain/campaign/content/creatives'
import { decodeCampaignEvent } from '#domain/campaign/events'
import { tabOf } from '#domain/campaign/saving/faults'
import { CAMPAIGN_STREAMS, idOfStream } from '#domain/campaign/state'
import { COMPLIANCES, verdictOf, type ServingDecision } from '#domain/campaign/status/status'
import { decodeInvoiceEvent, INVOICE_STREAMS } from '#domain/invoice/events'
import { readMetadata } from '#domain/kit/event-metadata'
import { fromMicros } from '#domain/kit/money'
import type { NotificationData, NotificationKind } from '#domain/notifications/notification'
import { PAYMENT_STREAMS } from '#domain/payment/payment'
import type { StoredEvent } from '#eventstore/event-store'
import { causedBy } from '#eventstore/tracer'
import { fundsOf } from '#projections/account/funds'
import { findInvoice } from '#projections/invoice/queries'
import { ReadModelsBehind } from '#projections/catch-up'
import type { Needs } from '#api/areas/services'
import { followSteadily } from '#eventstore/steady-following'
import type { Notice } from '#commands/notifications/notify'
import { due, type Failing, type Sweep } from '#commands/sweep'
import { isOfEvent } from '#projections/projector/event-fault'
import type { Db } from '#migrations/db'
import { beginning } from '#domain/kit/text'

/** Characters of a moderator's comment, and of other texts, in a notification. */
const LONGEST_TEXT = 1000

/** Events that users are notified of, and the read models that know their subjects. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  CampaignApproved: ['campaign-list'],
  CampaignRejected: ['campaign-list'],
  FlightChanged: ['campaign-list'],
  TotalBudgetSpent: ['campaign-list'],
  FundingFellShort: ['campaign-list', 'accounts'],
  ExchangeDecided: ['campaign-list'],
  BalanceNoticesChanged: ['accounts', 'campaign-list'],
  PaymentFailed: ['payments'],
  InvoiceIssued: ['invoices'],
  AudienceVersionReady: ['audiences'],
  AudienceVersionFailed: ['audiences'],
}

export type FollowKit = Needs<'accounts' | 'caughtUp' | 'db' | 'logger' | 'notify' | 'now' | 'stops' | 'store' | 'tracer'> & {
  readonly followed: Followed
  readonly failing: Pick<Failing, 'failed' | 'keys'>
}

/** The name of this follower, and of the sweep that tries again what it left. */
const NAME = 'notifications'

/**
 * Notifies users of what happened to their account, by its events. The position of the log is stored after each page: after a crash
 * nothing is missed, and the causes keep repeats out. What happened before the first start of this version is not reported.
 */
export async function startNotifications(kit: FollowKit): Promise<void> {
  const { caughtUp, followed, logger, stops, store } = kit
  const following = followSteadily(store, {
    after: await followed.position(await store.head()),
    streams: [CAMPAIGN_STREAMS, ACCOUNT_STREAMS, PAYMENT_STREAMS, INVOICE_STREAMS, AUDIENCE_STREAMS],
    onPage: async ({ events, upTo }) => {
      const found = events.filter(({ type }) => Object.hasOwn(MODELS, type))
      if (found.length > 0) {
        await caughtUp([...new Set(found.flatMap(({ type }) => MODELS[type] ?? []))], { position: upTo })
        await notifyOf(kit, found)
      }
      await followed.moveTo(upTo)
    },
    apart: {
      isOfEvent,
      park: ({ position }, error) => kit.failing.failed(NAME, String(position), error),
    },
    onError: (error) => {
      // Read models that are behind are waited for.
      if (!(error instanceof ReadModelsBehind))
        logger.error({ err: error }, 'events were not reported to users and are read again')
    },
  })
  stops.add(() => following.stop())
}

/** Tries again what could not be reported: each event by itself, and the log goes on meanwhile. */
export const unreported = (kit: FollowKit): Sweep => ({
  name: NAME,
  scan: async () =>
    due(await kit.failing.keys(NAME), String, async (position) => {
      const { events } = await kit.store.readAll(BigInt(position) - 1n, 1)
      await notifyOf(kit, events)
    }),
})

const SPAN = { name: 'notify', kind: 'consumer' } as const

async function notifyOf(kit: FollowKit, events: readonly StoredEvent[]): Promise<void> {
  const campaigns = await campaignsIn(kit.db, events)
  /** When an account runs out of money, thousands of its campaigns stop at once. */
  const reported = new Set<string>()
  for (const event of events) {
    if (event.type === 'BalanceNoticesChanged') {
      await causedBy(kit.tracer, event, SPAN, () => notifyOfBalance(kit, event))
      continue
    }
    const notice = event.stream.startsWith(CAMPAIGN_STREAMS)
      ? await noticeOfCampaign(kit, event, campaigns.get(idOfStream(event.stream)))
      : await noticeOf(kit, event)
    if (notice === null || reported.has(notice.cause)) continue
    reported.add(notice.cause)
    await causedBy(kit.tracer, event, SPAN, () => kit.db.transaction().execute((tx) => kit.notify(tx, notice)))
  }
}

// ── Campaigns ──

async function campaignsIn(db: Kysely<Db>, events: readonly StoredEvent[]): Promise<ReadonlyMap<string, ListedBriefly>> {
  const ids = events.filter(({ stream }) => stream.startsWith(CAMPAIGN_STREAMS)).map(({ stream }) => idOfStream(stream))
  if (ids.length === 0) return new Map()
  const rows = await listedCampaigns(db, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

/** The status of a campaign that its owner wants to run, and that the account cannot pay for. */
const STOPPED_BY_BALANCE = 44

async function noticeOfCampaign(
  { accounts, db }: FollowKit,
  stored: StoredEvent,
  campaign: ListedBriefly | undefined,
): Promise<Notice | null> {
  if (campaign === undefined) return null
  const event = decodeCampaignEvent(stored)
  const about = (
    kind: NotificationKind,
    data: NotificationData = {},
    { cause = stored.id, at = atOf(stored) }: { readonly cause?: string; readonly at?: string } = {},
  ): Notice => ({
    kind,
    cause,
    whitelabelId: campaign.whitelabel_id,
    spaceId: campaign.space_id,
    at,
    data: { id: campaign.id, name: campaign.name, ...data },
  })
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events are not reported
  switch (event.type) {
    case 'CampaignApproved':
      return about('campaign-approved')
    case 'CampaignRejected':
      return about('campaign-rejected', { comment: beginning(event.data.comment, LONGEST_TEXT) })
    case 'FlightChanged':
      return event.data.flight === 'ended' && campaign.is_active
        ? about('campaign-ended', { reason: 'dates' }, sinceDue(event.data.due))
        : null
    case 'TotalBudgetSpent':
      return campaign.is_active ? about('campaign-ended', { reason: 'budget' }, sinceDue(event.data.due ?? null)) : null
    case 'FundingFellShort': {
      if (campaign.status_key !== STOPPED_BY_BALANCE) return null
      const account = await accounts.opened(campaign.space_id)
      // All campaigns of an account stop together: one notification an hour is enough.
      const cause = `stopped ${campaign.space_id} ${atOf(stored).slice(0, 13)}`
      return about('campaign-stopped', { account: account?.name ?? '' }, { cause })
    }
    case 'ExchangeDecided': {
      const { exchange, creative_id: creativeId, content_version: version, decision } = event.data
      if (verdictOf(decision) !== 'disapproved') return null
      const creative = await creativeOf(db, campaign.id, creativeId)
      if (creative === null) return null
      // Several exchanges mostly decide alike: the first one is reported.
      const cause = `disapproved ${campaign.id} ${creativeId} ${version}`
      return about('creative-disapproved', { exchange, ...creative, topics: topicsOf(decision) }, { cause })
    }
    default:
      return null
  }
}

/** A campaign that ended during a downtime ended when it was due. */
const sinceDue = (due: string | null) => (due === null ? {} : { at: new Date(due).toISOString() })

/** A creative that the campaign has now; null for one that was removed. */
async function creativeOf(db: Kysely<Db>, campaignId: string, creativeId: string) {
  const state = await storedStateOf(db, campaignId)
  const creative = state === null ? undefined : creativesOf(state.head).find(({ id }) => id === creativeId)
  return creative === undefined ? null : { creative: creative.name ?? '', tab: tabOf(creative.path) }
}

const topicsOf = (decision: ServingDecision): string =>
  beginning(
    [...new Set(COMPLIANCES.flatMap((name) => decision[name].topics.map(({ policyTopic }) => policyTopic)))].join(', '),
    LONGEST_TEXT,
  )

// ── Payments, invoices, audiences ──

async function noticeOf({ db }: FollowKit, stored: StoredEvent): Promise<Notice | null> {
  const about = (
    kind: NotificationKind,
    place: { readonly space_id: string; readonly whitelabel_id: string },
    data: NotificationData,
  ): Notice => ({
    kind,
    cause: stored.id,
    whitelabelId: place.whitelabel_id,
    spaceId: place.space_id,
    at: atOf(stored),
    data,
  })
  switch (stored.type) {
    case 'PaymentFailed': {
      const payment = await paymentBriefly(db, stored.stream.slice(PAYMENT_STREAMS.length))
      if (payment === null) return null
      const { origin, amount, currency, failure_code } = payment
      const data = { amount: fromMicros(amount), currency, failure: failure_code ?? '', origin }
      const notice = about('payment-failed', payment, data)
      // Owners get a mail that says that automatic refills stopped.
      return origin === 'auto_refill' ? { ...notice, mailedTo: 'USER_OWNER' } : notice
    }
    case 'InvoiceIssued': {
      const event = decodeInvoiceEvent(stored)
      const id = stored.stream.slice(INVOICE_STREAMS.length)
      const invoice = await findInvoice(db, id)
      if (event.type !== 'InvoiceIssued' || invoice === null) return null
      const { number, payable, due_at: due } = event.data
      const { currency } = invoice.state
      return about('invoice-issued', invoice.state, { id, number, amount: fromMicros(payable), currency, due })
    }
    case 'AudienceVersionReady':
    case 'AudienceVersionFailed': {
      const event = decodeAudienceEvent(stored)
      const id = stored.stream.slice(AUDIENCE_STREAMS.length)
      const audience = await audiencePlace(db, id)
      if (audience === null) return null
      const data = { id, name: audience.name }
      if (event.type === 'AudienceVersionReady') return about('audience-ready', audience, { ...data, count: event.data.accepted })
      return event.type === 'AudienceVersionFailed' ? about('audience-failed', audience, data) : null
    }
    default:
      return null
  }
}

// ── Balances ──

/** Notifies of a low balance when it is more urgent than what the account had before. */
async function notifyOfBalance(kit: FollowKit, stored: StoredEvent): Promise<void> {
  const { accounts, db, now } = kit
  const event = decodeAccountEvent(stored)
  if (event.type !== 'BalanceNoticesChanged') return
  const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
  const [account, funds] = await Promise.all([accounts.opened(spaceId), fundsOf(db, [spaceId], now())])
  const daily = funds.get(spaceId)?.daily ?? 0
  const { available, notices } = event.data
  await db.transaction().execute(async (tx) => {
    const before = await kit.followed.replaceNotices(tx, spaceId, { notices, version: stored.version })
    if (before === null) return
    const notice = raised(before, notices)
    if (notice === null || account === null) return
    await kit.notify(tx, {
      kind: 'balance-low',
      cause: stored.id,
      whitelabelId: account.whitelabel_id,
      spaceId,
      at: atOf(stored),
      data: {
        notice,
        account: account.name,
        available: fromMicros(available),
        currency: account.currency,
        ...(daily > 0 ? { days: Math.floor(Math.max(0, available) / daily) } : {}),
      },
    })
  })
}

/** The most urgent notice that is new and more urgent than all before; null when there is none. */
function raised(before: readonly string[], now: readonly BalanceNotice[]): ShownNotice | null {
  const rank = (notice: string) => BALANCE_NOTICES.findIndex((known) => known === notice)
  const worst = Math.min(BALANCE_NOTICES.length, ...before.map(rank))
  return shownNotices(now).find((notice) => rank(notice) < worst) ?? null
}

const atOf = ({ metadata }: StoredEvent): string => readMetadata(metadata).at
