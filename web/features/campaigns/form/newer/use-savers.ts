import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RevisionAuthor } from '#contract/audit'
import type { Campaign } from '#contract/campaign-body'
import { campaignQueries } from '@/data/campaign-queries'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'

/** A sentence about who saved a campaign since a version of it, and when; null while unknown. */
export function useSavers(base: Campaign): string | null {
  const { t, i18n } = useTranslation('form')
  const { data } = useQuery(campaignQueries.authors(base.id, base.revision))
  const [newest] = data ?? []
  if (data === undefined || newest === undefined) return null
  const at = formatMinute(new Date(newest.commit_date))
  const others = namesOf(data)
  // Only the user saved, in another window or device.
  if (others.length === 0) return t('newer.own', { at })
  const names = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(others)
  return t('newer.by', { count: others.length, names, at })
}

/** Other users by name; what is no user by what it is. */
const namesOf = (savers: readonly RevisionAuthor[]): readonly string[] => [
  ...new Set(savers.filter(({ own }) => !own).map(({ author }) => lookUp(`form:newer.role.${author}`) ?? author)),
]
