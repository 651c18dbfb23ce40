import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { moderationQueries } from '@/data/moderation-queries'
import { DueTime } from '@/components/due-time'

type SameAccountProps = {
  readonly spaceId: string
  readonly campaignId: string
  /** Whether that campaign itself is waiting. */
  readonly waits: boolean
  readonly now: number
}

/** Maximum number shown, most urgent first; the list on the left has all of them. */
const SHOWN = 5

/** Other waiting submissions of the account, which often contain the same ads. */
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
