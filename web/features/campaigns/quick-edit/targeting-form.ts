import type { ListHow, Part, TargetingChange } from './targeting-plan.ts'

/** Values of the controls of targeting. */
export type TargetingForm = {
  readonly part: Part
  readonly how: ListHow
  readonly values: readonly string[]
  /** The country whose cities are offered; null for that of the first campaign. */
  readonly country: string | null
}
export const EMPTY_TARGETING: TargetingForm = { part: 'cities', how: 'add', values: [], country: null }

/** A change; null while nothing is chosen. A device is replaced. */
export function targetingChange({ part, how, values }: TargetingForm, country: string | null): TargetingChange | null {
  if (values.length === 0) return null
  return { part, how: part === 'device' ? 'replace' : how, values, country: part === 'cities' ? country : null }
}
