import type { Fault } from '#domain/kit/errors'
import type { CampaignContent } from '../content/content.ts'
import type { References } from './references.ts'

/** The context in which a save is checked. `before` is null for a new campaign. */
export type SaveContext = {
  readonly before: CampaignContent | null
  readonly now: string
  /** Publishing, or the campaign is submitted or approved: then money must be consistent too (fine print 5). */
  readonly strict: boolean
  /** First publication checks unchanged dates as well (fine print 11). */
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

/** Reports every fault it finds. A callback, because lists of possible faults would be most of a save's garbage. */
export type Rule = (content: CampaignContent, context: SaveContext, report: (found: Fault) => void) => void
