import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { QueuedSubmission } from '#contract/moderation'
import { localDay } from '#domain/campaign/content/dates'
import { Money } from '@/components/money'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDistance, formatMinute, formatPlainDay } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { useLanguage } from '@/i18n/use-language'
import { campaignQueries } from '@/data/campaign-queries'
import { DueTime } from '@/components/due-time'

type SubmissionFactsProps = {
  readonly campaign: Campaign
  /** Null once it has left the queue. */
  readonly submission: QueuedSubmission | null
  readonly now: number
}

type Fact = { readonly label: string; readonly value: ReactNode; readonly note?: ReactNode }

/** The campaign's objective, places, dates and budget. */
export function SubmissionFacts({ campaign, submission, now }: SubmissionFactsProps) {
  const { t } = useTranslation('moderation')
  const language = useLanguage()
  const { data: countries = [] } = useQuery(campaignQueries.countries(language))
  const { data: total } = useQuery({ ...campaignQueries.total(campaign.id), enabled: submission === null })
  const currency = submission?.currency ?? total?.currency ?? null
  const { goal, type } = campaign.bidding_strategy
  const country = countries.find(({ iso_code }) => iso_code === campaign.country)?.name ?? campaign.country
  const facts: readonly Fact[] = [
    {
      label: t('facts.goal'),
      value:
        [type && lookUp(`form:type.${type}`), goal && lookUp(`form:goals.${goal}`)].filter(Boolean).join(' · ') ||
        t('facts.none'),
    },
    { label: t('facts.country'), value: country ?? t('facts.none') },
    { label: t('facts.dates'), value: datesOf(campaign, [t('facts.fromApproval'), t('facts.noEnd')]) },
    {
      label: t('facts.budget'),
      value:
        campaign.budget === null ? (
          t('facts.none')
        ) : currency === null ? (
          <Skeleton className="my-1 w-20" />
        ) : (
          <Money
            value={campaign.budget}
            currency={currency}
            within={(amount) => t(campaign.budget_type_key === 1 ? 'facts.inTotal' : 'facts.perDay', { amount })}
          />
        ),
    },
    ...(submission === null
      ? []
      : [
          {
            label: t('facts.waiting'),
            value: formatMinute(submission.moderation_start_at),
            note: <span className="text-muted-foreground text-xs">{formatDistance(submission.moderation_start_at, now)}</span>,
          },
          {
            label: t('facts.due'),
            value: formatMinute(submission.due_at),
            note: <DueTime submission={submission} now={now} />,
          },
        ]),
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 xl:grid-cols-3">
      {facts.map(({ label, value, note }) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="text-[0.8125rem]/4.5 flex flex-col break-words tabular-nums">
            {value}
            {note}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function datesOf(campaign: Campaign, [fromApproval, noEnd]: readonly [string, string]): string {
  const day = (instant: string) => formatPlainDay(localDay(instant, campaign.timezone_offset_seconds ?? 0))
  const start = campaign.campaign_start_at === null ? fromApproval : day(campaign.campaign_start_at)
  const end = campaign.campaign_end_at === null ? noEnd : day(campaign.campaign_end_at)
  return `${start} – ${end}`
}
