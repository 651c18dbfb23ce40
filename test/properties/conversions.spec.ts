import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDelivery } from '#commands/delivery/accept-batch'
import type { DeliveryPort } from '#commands/delivery/delivery-port'
import { createEvents } from '#commands/events/accept-events'
import { clicksSince } from '#commands/events/click-days'
import { confirmEvents } from '#commands/events/confirm-events'
import { countConversions } from '#commands/events/count-conversions'
import type { HintedCampaign } from '#commands/events/events-port'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { reviewedOf } from '#domain/campaign/review/reviewed'
import { initial as initialState, type CampaignState } from '#domain/campaign/state'
import { taggedCampaign } from '#domain/events/attribution'
import { conversionFact } from '#domain/events/conversion-fact'
import type { SentEvent } from '#domain/events/tracked-event'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { createBatchInbox } from '#platform/delivery/batch-inbox'
import { createTrackedEvents } from '#platform/events/tracked-events'
import { newId } from '#platform/ids'
import { runs } from '../support/properties.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const NOW = '2026-11-10T12:00:00.000Z'
const SERVED = [{ from: '2026-11-01T00:00:00.000Z', to: null }]
const FIRST = '2026-11-05T00:00:00.000Z'
const HOUR_MS = 3_600_000

type Fault = 'none' | 'before storing' | 'after storing' | 'while marking'
const crash = () => Promise.reject(new Error('crash'))

describe('conversions with repeats, concurrency and crashes', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('the facts hold each attributed conversion once, in its hour, and each visitor of a day once', async () => {
    const db = createKysely(database.pool)
    const log = createTrackedEvents(db)
    const inbox = createBatchInbox(db)
    const facts = createPostgresFactStore(db)
    const reached = { crashed: 0, repeated: 0, returning: 0, late: 0 }
    const event = fc.record({
      key: fc.nat(29),
      campaign: fc.nat(2),
      visitor: fc.nat(1),
      hoursAgo: fc.nat(60),
      conversion: fc.boolean(),
    })
    const call = fc.record({
      events: fc.array(event, { minLength: 1, maxLength: 8, size: 'max' }),
      times: fc.integer({ min: 1, max: 3 }),
      fault: fc.constantFrom<Fault>('none', 'before storing', 'after storing', 'while marking'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6, size: 'max' }), fc.boolean(), async (calls, late) => {
        const place = { spaceId: newId(), whitelabelId: 'wl' }
        const campaigns = [newId(), newId()].flatMap((id): readonly HintedCampaign[] => {
          const campaign = taggedCampaign(approved(id))
          return campaign === null ? [] : [{ campaign, served: async () => SERVED }]
        })
        const ids = campaigns.map(({ campaign }) => campaign.id)
        const clicks = { id: newId(), facts: ids.map((id) => clickedBefore(id, place)) }
        if (!late) await facts.store(clicks)
        const events = createEvents({
          port: {
            log,
            clickDays: async (asked) => (late ? new Map() : clicksSince(facts, asked, FIRST)),
            campaigns: async (_, hints) => campaigns.filter(({ campaign }) => hints.includes(campaign.id)),
          },
          now: () => NOW,
          newId,
        })
        // The same key is the same event, whichever call sends it: the first one that is stored counts.
        const known = new Map<number, SentEvent>()
        const sent = ({ key, campaign, visitor, hoursAgo, conversion }: (typeof calls)[number]['events'][number]): SentEvent => {
          const before = known.get(key)
          if (before !== undefined) return before
          const tags = new URLSearchParams({ cid: ids[campaign] ?? 'unknown', visitor: `v${visitor}` })
          const made: SentEvent = {
            name: 'seen',
            id: `${place.spaceId} ${key}`,
            time: new Date(Date.parse(NOW) - hoursAgo * HOUR_MS).toISOString(),
            value: null,
            device_model: null,
            url: `https://nile.example/?${String(tags)}`,
            custom_parameters: {},
            campaign_id: null,
            conversion,
          }
          known.set(key, made)
          return made
        }
        const count = async (fault: Fault) => {
          const sweep = countConversions({
            log,
            inbox: fault === 'while marking' ? { stored: crash } : inbox,
            facts: {
              store: async (batch) => {
                if (fault === 'before storing') return crash()
                await facts.store(batch)
                return fault === 'after storing' ? crash() : undefined
              },
            },
          })
          for (const { act } of await sweep.scan([])) await act().catch(() => void (reached.crashed += 1))
        }
        const device = { model: null, typeKey: 2, os: '' }
        const together = (some: typeof calls) =>
          Promise.all(
            some.flatMap((one) => {
              const incoming = one.events.map((given) => ({ sent: sent(given), device }))
              reached.repeated += one.times - 1
              return Array.from({ length: one.times }, async () => {
                await events.accept({ place, source: 'server', events: incoming })
                await count(one.fault)
              })
            }),
          )
        // A later batch has to know the visitors of an earlier one.
        await together(calls.filter((_, n) => n % 2 === 0))
        await together(calls.filter((_, n) => n % 2 === 1))
        await Promise.all([count('none'), count('none')])
        // A click that is delivered late takes conversions that were counted apart to the others.
        if (late) await facts.store(clicks)
        const confirming = async (fault: Fault) => {
          const sweep = confirmEvents({ log, inbox: { stored: fault === 'none' ? inbox.stored : crash }, facts, now: () => NOW })
          for (const { act } of await sweep.scan([])) {
            reached.late += 1
            await act().catch(() => void (reached.crashed += 1))
          }
        }
        await Promise.all([confirming(calls[0]?.fault ?? 'none'), confirming('none')])
        await Promise.all([count('none'), count('none')])
        // Batches that a crash left are stored by the sweep of the delivery inbox, and by every later one.
        const port = { inbox } as Pick<DeliveryPort, 'inbox'> as DeliveryPort
        const { storing } = createDelivery({ port, facts, now: () => NOW })
        await database.pool.query(`update app.delivery_batches set received_at = received_at - interval '1 minute'`)
        // A sweep stores one group: as many are needed as crashes left groups.
        for (let due = await storing.scan([]); due.length > 0; due = await storing.scan([]))
          for (const { act } of due) await act()

        const counted = [...known.values()].filter(({ conversion, url }) => conversion === true && !url?.includes('unknown'))
        const ofCampaign = (id: string) => counted.filter(({ url }) => url?.includes(id))
        for (const id of ids) {
          const of = ofCampaign(id)
          const visitors = new Set(of.map(({ url, time }) => `${url} ${String(time).slice(0, 10)}`))
          reached.returning += of.length - visitors.size
          const scope = { kind: 'campaigns', ids: [id] } as const
          const sums = await facts.totals({ scope, from: null, to: null })
          expect([sums.conversions, sums.unconfirmed_conversions, sums.unique_conversions, sums.spent]).toEqual([
            of.length,
            0,
            visitors.size,
            0,
          ])
          const hours = await facts.series({ scope, from: null, to: null }, 'hour')
          const perHour = new Map<number, number>()
          for (const { time } of of) {
            const hour = Math.floor(Date.parse(String(time)) / HOUR_MS) * HOUR_MS
            perHour.set(hour, (perHour.get(hour) ?? 0) + 1)
          }
          const found = hours.map(({ start, sums: { conversions } }) => [start, conversions] as const)
          expect(new Map(found.filter(([, conversions]) => conversions > 0))).toEqual(perHour)
        }
      }),
      { endOnFailure: true, numRuns: runs(30) },
    )
    for (const n of Object.values(reached)) expect(n).toBeGreaterThanOrEqual(3)
  })
})

/** A click some days before the events. */
const clickedBefore = (
  campaignId: string,
  { spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string },
) => {
  const none = { creative_id: '', size: '', device_type_key: 2, os: '', country: '', unique: false, unconfirmed: false }
  const of = { campaign_id: campaignId, space_id: spaceId, whitelabel_id: whitelabelId, time: FIRST }
  return { ...conversionFact({ ...of, ...none }), conversions: 0, impressions: 1, clicks: 1 }
}

/** A campaign that was approved and whose tags name it and the visitor. */
function approved(id: string): CampaignState {
  const head = { ...DEFAULT_CONTENT, attribution_tags: 'cid={CID}&visitor={ANONYMOUS_ID}' }
  return { ...initialState, id, head, approved: { reviewed: reviewedOf(head), versions: {}, version: 1 } }
}
