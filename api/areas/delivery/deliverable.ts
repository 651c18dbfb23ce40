import { servedContent } from '#domain/campaign/review/served-content'
import { chosenExchanges, scheduleReason, served, verdictOf } from '#domain/campaign/status/status'
import { fromMicros } from '#domain/kit/money'
import { own } from '#domain/kit/own'
import type { RunningCampaign } from '#projections/campaign/list/money-queries'
import type { ServedAudience } from '../audience/served-audiences.ts'
import { contentOut, withDecisions } from '../campaign/wire.ts'

/** A running campaign as a bidder gets it: its approved version, what is left of the budget, and which exchange takes which creative. */
export function deliverable(
  { id, space_id, currency, revision, state, left }: RunningCampaign,
  audiences: readonly ServedAudience[],
  now: string,
) {
  const creatives = Object.fromEntries(
    chosenExchanges(state.head).flatMap((exchange) => {
      const approved = served(state).filter(
        ({ id: creative }) => verdictOf(own(state.decisions[exchange], creative)) === 'approved',
      )
      return approved.length === 0 ? [] : [[exchange, approved.map(({ id: creative }) => creative)]]
    }),
  )
  return {
    id,
    space_id,
    revision,
    currency,
    budget_left: fromMicros(left),
    in_schedule: scheduleReason(state, now) === null,
    creatives,
    audiences: [...audiences],
    content: contentOut(withDecisions({ ...state, head: servedContent(state) ?? state.head }), true),
  }
}
