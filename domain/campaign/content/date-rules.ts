import type { Fault } from '#domain/kit/errors'
import type { CampaignContent } from './content.ts'
import { localDay } from './dates.ts'
import { fault } from '../saving/faults.ts'
import type { SaveContext } from '../saving/save-context.ts'

type Dates = Pick<CampaignContent, 'campaign_start_at' | 'campaign_end_at'>
type DateContext = Pick<SaveContext, 'now' | 'publishing' | 'launched'> & { readonly before: Dates | null }

/** Start and end of a campaign, for the server and the form (lifecycle.md "Dates and money on save", fine print 11). */
export function dateRules(
  content: Dates & Pick<CampaignContent, 'timezone_offset_seconds'>,
  { before, now, publishing, launched }: DateContext,
  report: (found: Fault) => void,
): void {
  const { campaign_start_at: start, campaign_end_at: end } = content
  const zone = content.timezone_offset_seconds ?? 0
  const startChanged = start !== (before?.campaign_start_at ?? null)
  const endChanged = end !== (before?.campaign_end_at ?? null)
  const past = (instant: string) => localDay(instant, zone) < localDay(now, zone)
  if (start !== null && end !== null && start >= end) report(fault('campaign_end_at', 1303, 'startAfterEnd'))
  if (start !== null && (startChanged || publishing) && past(start)) report(fault('campaign_start_at', 1304, 'startInPast'))
  if (end !== null && (endChanged || publishing) && past(end)) report(fault('campaign_end_at', 1305, 'endInPast'))
  if (launched && startChanged) report(fault('campaign_start_at', 1306, 'startFixed'))
}
