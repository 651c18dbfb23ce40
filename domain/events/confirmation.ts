/**
 * Which events are confirmed. Others are stored and counted apart, never among the main figures (fine print 111).
 */

/** Why an event is not confirmed: a page of another site reported it, or no click of its campaign was delivered before it. */
export const MARKS = ['origin', 'click'] as const
export type Mark = (typeof MARKS)[number]

const DAY_MS = 86_400_000
/** Days in which a click confirms an event: that of the event and the 30 days before it. */
export const CLICK_DAYS = 31

/** UTC days with a delivered click, epoch milliseconds of their starts. */
export type ClickDays = readonly number[]

type Reported = {
  /** The campaign that the event is attributed to. */
  readonly campaignId: string | null
  /** ISO 8601. */
  readonly time: string
  /** False for a pixel of a page that is not one of the account's landing pages. */
  readonly expected: boolean
}

/** The mark of an event; null for one that is confirmed. A foreign page outlasts the click: no later delivery takes its mark away. */
export function markOf({ campaignId, time, expected }: Reported, clicks: ClickDays): Mark | null {
  if (!expected) return 'origin'
  return campaignId === null || follows(time, clicks) ? null : 'click'
}

/** Whether a click was delivered on the UTC day of the event or one of the 30 days before it. */
function follows(time: string, clicks: ClickDays): boolean {
  const day = Math.floor(Date.parse(time) / DAY_MS) * DAY_MS
  return clicks.some((click) => click <= day && click > day - CLICK_DAYS * DAY_MS)
}

/** The host of an address with its port, without a leading `www.`; null for what is no address of the web. */
export function siteOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host.replace(/^www\./, '') : null
}
