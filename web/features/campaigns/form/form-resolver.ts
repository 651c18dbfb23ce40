import { zodResolver } from '@hookform/resolvers/zod'
import { get, set, type FieldErrors, type Resolver } from 'react-hook-form'
import type { Campaign } from '#contract/campaign-body'
import { dateRules } from '#domain/campaign/content/date-rules'
import { readInstant } from '#domain/campaign/content/dates'
import { now } from '@/lib/clock'
import { fieldOfPath } from './form-faults.ts'
import { toPayload } from './form-mapping.ts'
import { campaignForm, type CampaignFormValues } from './form-schema.ts'

/** Data that some rules need besides the form values. */
export type RuleContext = {
  readonly campaign: Campaign | null
  /** Seconds east of UTC for campaigns in this country; null when it has none. */
  readonly zoneOf: (country: string) => number | null
  /** Largest margin in percent; null for users who cannot set margins. */
  readonly maxMargin: number | null
}

const bySchema = zodResolver(campaignForm)

/** Validates by the schema and by the server's rules about dates and margin. The schema's fault of a field wins. */
export const formResolver: Resolver<CampaignFormValues, RuleContext> = async (values, context, options) => {
  const parsed = await bySchema(values, undefined, options)
  const errors: FieldErrors<CampaignFormValues> = { ...parsed.errors }
  for (const { field, message } of context === undefined ? [] : contextFaults(values, context, new Date(now()).toISOString()))
    if (get(errors, field) === undefined) set(errors, field, { type: 'rule', message })
  return Object.keys(errors).length === 0 ? parsed : { values: {}, errors }
}

type ContextFault = { readonly field: string; readonly message: string }

export function contextFaults(
  values: CampaignFormValues,
  { campaign, zoneOf, maxMargin }: RuleContext,
  now: string,
): readonly ContextFault[] {
  const found: ContextFault[] = []
  const zone = zoneOf(values.country)
  if (zone !== null) {
    const sent = toPayload(values, campaign ?? 'awareness')
    const instant = (day: unknown, edge: 'start' | 'end') =>
      typeof day === 'string' ? (readInstant(day, edge, zone) ?? null) : null
    const dates = {
      campaign_start_at: instant(sent.campaign_start_at, 'start'),
      campaign_end_at: instant(sent.campaign_end_at, 'end'),
      timezone_offset_seconds: zone,
    }
    dateRules(dates, { before: campaign, now, publishing: false, launched: false }, ({ path, key }) =>
      found.push({ field: fieldOfPath(path, { banners: [] }) ?? '', message: `faults:${key}` }),
    )
  }
  if (maxMargin !== null && Number(values.administration.margin) > maxMargin)
    found.push({ field: 'administration.margin', message: `faults:margin?max=${maxMargin}` })
  return found
}
