import type { ReviewFindings } from '#contract/review-findings'
import type { ReviewGuidelines } from '#contract/moderation'
import type { Topic } from '#domain/campaign/review/simple-checks'
import {
  FREE_TEXT_LIMIT,
  REJECT_REASONS,
  type RejectReason,
  type RejectValues,
} from '@/features/campaigns/moderation/reject-reasons'

const PLACES = {
  product_url: 'landing',
  'bidding_strategy.click_url': 'click',
  'bidding_strategy.app_promotion.click_url': 'click',
  'bidding_strategy.app_promotion.tracking_url': 'tracking',
  'bidding_strategy.website_promotion.conversion_url': 'conversion',
  impression_url: 'impression',
  custom_html: 'html',
  dynamic_ad: 'dynamic',
  native_ad: 'native',
  video_ad: 'video',
} as const
type Place = (typeof PLACES)[keyof typeof PLACES] | 'other'

/** The name of the place that a finding is about: a field, or the ad that holds it. */
export function placeOf(path: string): Place {
  const known: Readonly<Record<string, Place>> = PLACES
  return known[path] ?? known[path.split(/[.[]/, 1)[0] ?? ''] ?? 'other'
}

/** A text with its controls of the writing direction as visible codes, which cannot reorder it. */
export const visible = (text: string): string =>
  text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (control) => `[U+${(control.codePointAt(0) ?? 0).toString(16).toUpperCase()}]`)

/** The reason of the product for each topic. */
const REASON_OF: Readonly<Record<Topic, RejectReason>> = {
  addresses: 'link',
  words: 'prohibited',
  style: 'quality',
  hidden: 'misleading',
}

/** Initial values of a rejection after these findings: canned reasons of the white-label, or those of the product. */
export function suggestedRejection({ findings, reasons }: ReviewFindings, guidelines: ReviewGuidelines): RejectValues {
  if (guidelines.reasons.length === 0) {
    const wanted = new Set(findings.map(({ topic }) => REASON_OF[topic]))
    return { reasons: REJECT_REASONS.filter((reason) => wanted.has(reason)), text: '' }
  }
  const texts = reasons.flatMap((place) => guidelines.reasons[place]?.text[guidelines.language] ?? [])
  return { reasons: [], text: texts.reduce((all, text) => withLine(all, text), '') }
}

function withLine(all: string, text: string): string {
  const next = all === '' ? text : `${all}\n${text}`
  return next.length > FREE_TEXT_LIMIT ? all : next
}
