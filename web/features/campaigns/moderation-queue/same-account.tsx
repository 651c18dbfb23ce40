import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { moderationQueries } from '@/data/moderation-queries'
import { DueTime } from './due-time.tsx'

type SameAccountProps = {
  readonly spaceId: string
  readonly campaignId: string
  /** Whether that campaign itself waits. */
  readonly waits: boolean
  readonly now: number
}

/** The most urgent ones; the list on the left has them all. */
const SHOWN = 5

/** What else of the account waits: often the same ads again. */
export function SameAccount({ spaceId, campaignId, waits, now }: SameAccountProps) {
  const { t } = useTranslation('moderation')
  const { data } = useQuery(moderationQueries.ofAccount(spaceId))
  const others = data?.data.filter(({ campaign_id }) => campaign_id !== campaignId) ?? []
  if (data === undefined || others.length === 0) return null
  const title = t('sameAccount', { count: data.total_size - (waits ? 1 : 0) })
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <ul className="divide-border border-border rounded-lg divide-y border">
        {others.slice(0, SHOWN).map((other) => (
          <li key={other.campaign_id}>
            <Link
              to="/moderation"
              search={{ page: 0, id: other.campaign_id }}
              className="hover:bg-muted text-[0.8125rem]/4.5 flex min-h-9 items-center justify-between gap-4 px-3 py-1.5"
            >
              <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{other.campaign_name}</span>
              <DueTime submission={other} now={now} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
