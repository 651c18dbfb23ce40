import { useFormBase } from '@/features/campaigns/form/campaign-form-context'

export function zoneText(offsetSeconds: number): string {
  const minutes = Math.round(Math.abs(offsetSeconds) / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${offsetSeconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the time zone of the campaign's hours as text; null before it has a country. */
export function useCampaignZone(): string | null {
  const { zone } = useFormBase()
  return zone === null ? null : zoneText(zone)
}
