import { z } from '#contract/zod'
import { FREQUENCY } from '#domain/campaign/content/fields/frequency'
import { record } from '#domain/kit/fields'
import { headOf, under } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping, typedNumber } from '@/features/campaigns/form/slices/field-mapping'
import { pathsUnder } from '@/features/campaigns/form/slices/record-slice'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

/** Daily caps offered. The server accepts any whole number of 0 or more (decisions G-118). */
export const DAILY_CAPS = [1, 3, 4, 5, 6, 7] as const
export const CAPS = ['daily', 'weekly', 'monthly'] as const
type Caps = Readonly<Record<(typeof CAPS)[number], string>>

/**
 * Returns the first cap that is not above the caps of shorter periods. Only set caps count; 0 and empty mean no cap (decisions
 * G-119).
 */
export function capOutOfOrder(caps: Caps): (typeof CAPS)[number] | null {
  const set = CAPS.filter((name) => Number(caps[name]) > 0)
  return set.find((name, index) => index > 0 && Number(caps[name]) <= Number(caps[set[index - 1] ?? name])) ?? null
}

const cap = typedNumber(z.string().check(z.regex(/^\s*\d{0,9}\s*$/, 'faults:positiveNumber')))

const plain = fieldMapping(record(FREQUENCY), { names: { freq_and_scheduling_on: 'on' }, without: ['frequency_cap'] })
const caps = fieldMapping(FREQUENCY.frequency_cap, {
  names: { '1': 'daily', '2': 'weekly', '3': 'monthly' },
  own: { '1': cap, '2': cap, '3': cap },
})

const schema = z.object({ ...plain.shape, ...caps.shape }).check(
  z.superRefine((values, context) => {
    const wrong = capOutOfOrder(values)
    if (wrong !== null) context.addIssue({ code: 'custom', path: [wrong], message: 'faults:caps' })
  }),
)
export type FrequencyValues = z.infer<typeof schema>

export const frequencySlice: FormSlice<FrequencyValues> = {
  schema,
  paths: new Map([...plain.names, ...pathsUnder('frequency_cap', caps)]),
  empty: () => ({ ...plain.show(null), ...caps.show(null) }),
  fromCampaign: (campaign) => ({ ...plain.show(campaign), ...caps.show(campaign.frequency_cap) }),
  toInput: (values, campaign) => {
    const stored = campaign?.frequency_cap ?? null
    return { ...plain.send(values, campaign), frequency_cap: { ...stored, ...caps.send(values, stored) } }
  },
  fieldOf: (path, values) => {
    const rest = under(path, 'frequency_cap')
    if (rest === null) return plain.names.get(headOf(path)) ?? null
    return caps.names.get(headOf(rest)) ?? capOutOfOrder(values) ?? 'daily'
  },
}
