import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Zone } from '#domain/kit/time-zone'
import { getUser } from '#contract/session'
import { whitelabelInfo } from '#contract/white-label-info'
import { call } from '@/data/client'
import { applyBrand } from '@/theme/brand'
import { brandInPage } from './page-brand.ts'

export const sessionQueries = {
  me: () =>
    queryOptions({
      queryKey: ['session', 'me'],
      queryFn: ({ signal }) => call(getUser, { params: { id: 'me' }, signal }),
      staleTime: 5 * 60_000,
    }),
  whitelabel: () =>
    queryOptions({
      queryKey: ['session', 'whitelabel'],
      queryFn: ({ signal }) => call(whitelabelInfo, { signal }),
      staleTime: Infinity,
      initialData: brandInPage,
    }),
}

/** Returns the signed-in user. Only inside the signed-in frame, whose guard has loaded it. */
export function useMe() {
  const { data } = useSuspenseQuery(sessionQueries.me())
  const zone: Zone = data.time_zone ?? data.timezone_offset_seconds
  return { ...data, name: `${data.first_name} ${data.last_name}`.trim(), zone }
}

/** Returns the operator's branding; the product's own until it is loaded. */
export function useWhitelabel() {
  const { t } = useTranslation()
  const { data } = useQuery(sessionQueries.whitelabel())
  const settings = data?.whitelabel_settings
  return {
    name: data?.name ?? t('productName'),
    logo: settings?.company_logo ?? null,
    audio: data?.audio_ads ?? false,
    termsUrl: settings?.term_of_service_url ?? null,
    helpUrl: settings?.help_url ?? null,
    /** Whether the product's documentation site is served here, and the white-label has no help of its own. */
    documentation: data?.documentation === true && data.whitelabel_settings.help_url === null,
    environment: data?.environment ?? null,
  }
}

/** Applies the branding to the page, once it is known and whenever it changes. */
export function useAppliedBrand() {
  const { data } = useQuery(sessionQueries.whitelabel())
  useEffect(() => {
    if (data === undefined) return
    const { primary_color, secondary_color, warning_color, gauge_color } = data.whitelabel_settings
    applyBrand({
      name: data.name,
      primary: primary_color,
      secondary: secondary_color,
      warning: warning_color,
      gauge: gauge_color,
    })
  }, [data])
}
