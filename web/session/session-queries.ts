import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getUser } from '../../api/contract/session.ts'
import { whitelabelInfo } from '../../api/contract/white-label.ts'
import { call } from '@/data/client'

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
    }),
}

/** Returns the signed-in user. Only inside the signed-in frame, whose guard has loaded it. */
export function useMe() {
  const { data } = useSuspenseQuery(sessionQueries.me())
  return { ...data, name: `${data.first_name} ${data.last_name}`.trim() }
}

/** Returns the operator's branding; the product's own until it is loaded. */
export function useWhitelabel() {
  const { t } = useTranslation()
  const { data } = useQuery(sessionQueries.whitelabel())
  return {
    name: data?.name ?? t('productName'),
    logo: data?.whitelabel_settings.company_logo ?? null,
    color: data?.whitelabel_settings.primary_color ?? null,
    audio: data?.audio_ads ?? false,
  }
}
