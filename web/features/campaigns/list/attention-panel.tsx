import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Attention, AttentionReason } from '#contract/attention'
import { StatusDot } from '@/components/ui/status-dot'
import { attentionQueries } from '@/data/attention-queries'
import { RemedyAction } from '../delivery/remedy-action.tsx'

type Group = NonNullable<Attention['campaigns']>[number]

/** Remedy of each reason, as `RemedyAction` knows it; nothing ends waiting but time. */
const REMEDIES: Readonly<Record<AttentionReason, string | null>> = {
  no_money: 'top_up',
  rejected: 'edit_and_publish',
  disapproved: 'edit_creative',
  near_budget: 'raise_budget',
  ended: 'extend_or_raise',
  waiting: null,
}
const TONES = {
  no_money: 'bad',
  rejected: 'bad',
  disapproved: 'bad',
  near_budget: 'warn',
  ended: 'idle',
  waiting: 'idle',
} as const satisfies Readonly<Record<AttentionReason, string>>

/** Campaigns of the account that need their owner, by reason, each with what ends it. Nothing where none does. */
export function AttentionPanel() {
  const { t } = useTranslation('campaigns')
  const { data } = useQuery(attentionQueries.mine())
  const groups = data?.campaigns ?? []
  if (groups.length === 0) return null
  return (
    <section aria-labelledby="attention" className="border-border bg-card rounded-xl border px-4 py-3">
      <h2 id="attention" className="text-[0.8125rem]/5 font-semibold">
        {t('attention.title')}
      </h2>
      <ul className="mt-1 flex flex-col">
        {groups.map((group) => (
          <Reason key={group.reason} group={group} />
        ))}
      </ul>
    </section>
  )
}

function Reason({ group: { reason, count, first } }: { readonly group: Group }) {
  const { t } = useTranslation('campaigns')
  const [one] = first
  const remedy = REMEDIES[reason]
  return (
    <li className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-0.5 text-[0.8125rem]/5">
      <StatusDot tone={TONES[reason]} />
      <span className="font-medium">{t(`attention.${reason}`, { count })}</span>
      <span className="text-muted-foreground flex min-w-0 flex-wrap gap-x-2">
        {first.map(({ id, name }) => (
          <Link
            key={id}
            to="/campaign/edit/$id"
            params={{ id }}
            search={{ tab: reason === 'disapproved' ? 'bannerAds' : 'basicInfo' }}
            className="hover:text-foreground rounded-[3px] [overflow-wrap:anywhere] underline decoration-dotted underline-offset-4"
          >
            {name}
          </Link>
        ))}
        {count > first.length && <span>{t('attention.more', { count: count - first.length })}</span>}
      </span>
      {one !== undefined && (count === 1 || remedy === 'top_up') && (
        <RemedyAction
          campaign={one}
          remedy={
            remedy === 'extend_or_raise'
              ? one.status_key === STATUS_KEY.finished_budget_spent
                ? 'raise_budget'
                : 'extend_end_date'
              : remedy
          }
          look="quiet"
        />
      )}
    </li>
  )
}
