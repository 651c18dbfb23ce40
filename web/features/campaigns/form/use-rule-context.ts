import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Campaign } from '#contract/campaign-body'
import { administrationQueries } from '@/data/administration-queries'
import { useCan } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { useLanguage } from '@/i18n/use-language'
import { campaignQueries } from '@/data/campaign-queries'
import type { RuleContext } from './form-resolver.ts'

/** Loads the data for the form's rules: time zones of countries, and the largest margin. */
export function useRuleContext(campaign: Campaign | null): RuleContext {
  const { id } = useMe()
  const can = useCan()
  const stored = campaign?.timezone_offset_seconds ?? null
  const { data: countries } = useQuery({ ...campaignQueries.countries(useLanguage()), enabled: stored === null })
  const { data: maxMargin = null } = useQuery({
    ...administrationQueries.maxMargin(id),
    enabled: can('max-margin.read'),
  })
  return useMemo(
    () => ({
      campaign,
      zoneOf: (country) => stored ?? countries?.find(({ iso_code }) => iso_code === country)?.timezone_offset_seconds ?? null,
      maxMargin,
    }),
    [campaign, stored, countries, maxMargin],
  )
}

/** Returns the currency of the paying account: the user's own, unless another account owns the campaign. Null while unknown. */
export function useCampaignCurrency(campaign: Campaign | null): string | null {
  const { space_id, currency } = useMe()
  const own = campaign === null || campaign.space_id === space_id
  const { data } = useQuery({ ...campaignQueries.total(campaign?.id ?? ''), enabled: !own })
  return own ? currency : (data?.currency ?? null)
}
