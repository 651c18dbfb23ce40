import { z } from '#contract/zod'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { fieldByPath } from '@/features/campaigns/form/slices/wire-paths'

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

const cap = z.string().check(z.regex(/^\s*\d{0,9}\s*$/, 'faults:positiveNumber'))
const slots = z.array(z.string())

const schema = z
  .object({
    on: z.boolean(),
    daily: cap,
    weekly: cap,
    monthly: cap,
    scheduling: z.object({ '0': slots, '1': slots, '2': slots, '3': slots, '4': slots, '5': slots, '6': slots }),
  })
  .check(
    z.superRefine((values, context) => {
      const wrong = capOutOfOrder(values)
      if (wrong !== null) context.addIssue({ code: 'custom', path: [wrong], message: 'faults:caps' })
    }),
  )
export type FrequencyValues = z.infer<typeof schema>

type Wire = {
  readonly freq_and_scheduling_on: boolean
  readonly frequency_cap: Readonly<Record<string, number | null>>
  readonly scheduling: Readonly<Record<string, readonly string[]>>
}

const shown = (stored: number | null | undefined) => (stored === null || stored === undefined ? '' : String(stored))
const sent = (text: string) => (text.trim() === '' ? null : Number(text))

function fromWire({ freq_and_scheduling_on, frequency_cap, scheduling }: Wire): FrequencyValues {
  const day = (key: string) => [...(scheduling[key] ?? [])]
  return {
    on: freq_and_scheduling_on,
    daily: shown(frequency_cap['1']),
    weekly: shown(frequency_cap['2']),
    monthly: shown(frequency_cap['3']),
    scheduling: { '0': day('0'), '1': day('1'), '2': day('2'), '3': day('3'), '4': day('4'), '5': day('5'), '6': day('6') },
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  freq_and_scheduling_on: 'on',
  'frequency_cap.1': 'daily',
  'frequency_cap.2': 'weekly',
  'frequency_cap.3': 'monthly',
  scheduling: 'scheduling',
}

export const frequencySlice: FormSlice<FrequencyValues> = {
  schema,
  empty: () => fromWire(DEFAULT_CONTENT),
  fromCampaign: fromWire,
  toInput: (values) => ({
    freq_and_scheduling_on: values.on,
    frequency_cap: { '1': sent(values.daily), '2': sent(values.weekly), '3': sent(values.monthly) },
    scheduling: values.scheduling,
  }),
  fieldOf: (path, values) => (path === 'frequency_cap' ? (capOutOfOrder(values) ?? 'daily') : fieldByPath(path, FIELDS)),
}
