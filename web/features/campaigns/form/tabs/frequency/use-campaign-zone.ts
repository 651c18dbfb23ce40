import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../../../../i18n/use-language.ts'
import { campaignQueries } from '../../../campaign-queries.ts'
import { useFormBase, useFormValue } from '../../campaign-form-context.ts'

export function zoneText(offsetSeconds: number): string {
  const minutes = Math.round(Math.abs(offsetSeconds) / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${offsetSeconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** The zone the campaign's hours are in; until it is saved that of the chosen country, null before there is one. */
export function useCampaignZone(): string | null {
  const { campaign } = useFormBase()
  const country = useFormValue('country')
  const language = useLanguage()
  const known = campaign?.timezone_offset_seconds ?? null
  const { data: countries = [] } = useQuery({ ...campaignQueries.countries(language), enabled: known === null && country !== '' })
  const offset = known ?? countries.find(({ iso_code }) => iso_code === country)?.timezone_offset_seconds ?? null
  return offset === null ? null : zoneText(offset)
}
