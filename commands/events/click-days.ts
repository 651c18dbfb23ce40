import { LATEST_DAYS } from '#domain/events/tracked-event'
import { CLICK_DAYS, type ClickDays } from '#domain/events/confirmation'
import { Away } from '#eventstore/away'
import type { FactStore } from '#factstore/fact-store'

const DAY_MS = 86_400_000
/** How long a campaign's days are remembered, and of how many campaigns. */
const TRUST_MS = 60_000
const REMEMBERED = 10_000

type Facts = Pick<FactStore, 'daysByCampaign'>

/** UTC days with a delivered click, since an instant (ISO 8601); campaigns without any are missing. */
export async function clicksSince(facts: Facts, ids: readonly string[], from: string): Promise<ReadonlyMap<string, ClickDays>> {
  const days = await facts.daysByCampaign({ scope: { kind: 'campaigns', ids }, from, to: null })
  return new Map(
    [...days].flatMap(([id, points]) => {
      const clicked = points.filter(({ sums }) => sums.clicks > 0).map(({ start }) => start)
      return clicked.length === 0 ? [] : [[id, clicked] as const]
    }),
  )
}

/**
 * Days of delivered clicks of campaigns, for events that may be reported now. Remembered for a minute: a click that is delivered meanwhile
 * confirms events a moment later (`confirm-events.ts`). None while the fact store is away.
 */
export function createClickDays(facts: Facts, now: () => string) {
  const known = new Map<string, { readonly days: ClickDays; readonly until: number }>()
  return async function clickDays(ids: readonly string[]): Promise<ReadonlyMap<string, ClickDays>> {
    const time = performance.now()
    const fresh = ids.flatMap((id) => {
      const days = known.get(id)
      return days === undefined || days.until <= time ? [] : [[id, days.days] as const]
    })
    const answer = new Map(fresh)
    const unknown = ids.filter((id) => !answer.has(id))
    if (unknown.length > 0) {
      const from = new Date(Date.parse(now()) - (CLICK_DAYS + LATEST_DAYS) * DAY_MS).toISOString()
      const found = await clicksSince(facts, unknown, `${from.slice(0, 10)}T00:00:00.000Z`).catch((error: unknown) => {
        if (error instanceof Away) return null
        throw error
      })
      if (known.size + unknown.length > REMEMBERED) known.clear()
      for (const id of unknown) {
        const days = found?.get(id) ?? []
        answer.set(id, days)
        if (found !== null) known.set(id, { days, until: time + TRUST_MS })
      }
    }
    return answer
  }
}
