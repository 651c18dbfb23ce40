import { servedContent } from '../../../domain/campaign/review/served-content.ts'
import { chosenExchanges, scheduleReason, served, verdictOf } from '../../../domain/campaign/status/status.ts'
import { fromMicros } from '../../../domain/kit/money.ts'
import { own } from '../../../domain/kit/own.ts'
import type { RunningCampaign } from '../../../projections/campaign-list/money-queries.ts'
import type { ServedAudience } from '../../kit/audiences.ts'
import { contentOut, withDecisions } from '../../kit/campaigns/wire.ts'

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
