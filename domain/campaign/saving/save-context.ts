import type { Fault } from '../../kit/errors.ts'
import type { CampaignContent } from '../content/content.ts'
import type { References } from './references.ts'

/** What a save is judged against. `before` is null for a new campaign. */
export type SaveContext = {
  readonly before: CampaignContent | null
  readonly now: string
  /** Publishing, or the campaign is submitted or approved: then money must add up too (fine print 5). */
  readonly strict: boolean
  /** Publishing for the first time judges dates that did not change (fine print 11). */
  readonly publishing: boolean
  readonly launched: boolean
  readonly approvedOnce: boolean
  readonly nameTaken: boolean
  readonly countryKnown: boolean
  /** Smallest bid, exclusive, in micros. */
  readonly baseBid: number
  readonly maxMargin: number
  readonly references: References
}

/** Reports every fault that it finds. A list of what might have been one would be most of what a save leaves behind. */
export type Rule = (content: CampaignContent, context: SaveContext, report: (found: Fault) => void) => void
