import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountQueries } from '@/data/account-queries'
import { referenceQueries } from '@/data/reference-queries'
import { formatCount, formatMoney } from '@/i18n/format'
import { now } from '@/lib/clock'
import { useMe } from '@/session/session-queries'
import { useFormBase } from '../campaign-form-context.ts'
import { audienceBody, gaugeKey } from '../gauge/audience-body.ts'
import { costOf, fundingOf, MONTH_DAYS, type Cost, type Funding } from './review-facts.ts'
import type { Review } from './use-review.ts'

/** Days that the sheet counts exactly. */
const MOST_DAYS = 365

export type Money = {
  readonly cost: Cost | null
  /** Null while the balance is unknown. */
  readonly funding: Funding | null
  readonly kind: Cost['kind']
  /** Amounts as texts. */
  readonly words: Readonly<Record<'budget' | 'month' | 'whole' | 'balance' | 'left', string>>
  /** The forecast of the targeting; null while unknown, and for audio. */
  readonly forecast: { readonly people: string; readonly impressions: string } | null
}

/** Cost of the campaign, funds of the account, and how many people the targeting reaches. */
export function useMoney({ body, values }: Review): Money {
  const { campaign, currency, tabs } = useFormBase()
  const { space_id } = useMe()
  const balance = useQuery(accountQueries.balance(campaign?.space_id ?? space_id)).data
  const people = { ...audienceBody(values), ...(campaign === null ? {} : { cpm: campaign.cpm }) }
  const estimate = useQuery({
    ...referenceQueries.audienceSize(people, gaugeKey(values)),
    enabled: !tabs.audio && people.country !== null,
  }).data
  const cost = costOf(body, campaign, now())
  const funding = cost === null || balance === undefined ? null : fundingOf(cost, campaign, balance.available)
  const amount = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : formatMoney(value, balance?.currency ?? currency)
  return {
    cost,
    funding,
    kind: cost?.kind ?? 'daily',
    words: {
      budget: amount(cost?.budget),
      month: amount(cost?.month),
      whole: amount(cost?.whole),
      balance: amount(balance?.available),
      left: amount(funding?.left),
    },
    forecast:
      estimate?.status === 'ok'
        ? { people: formatCount(estimate.total), impressions: formatCount(estimate.total_impressions) }
        : null,
  }
}

/** The cost a day and a month against the balance, and the reach of the targeting. */
export function ReviewMoney({ money: { cost, funding, kind, words, forecast } }: { readonly money: Money }) {
  const { t } = useTranslation('review')
  if (cost === null) return null
  const cells = [
    { key: 'budget', title: t(`money.${kind}`), value: words.budget, text: null },
    ...(cost.month === null
      ? []
      : [{ key: 'month', title: t('money.month'), value: words.month, text: t('money.monthText', { count: MONTH_DAYS }) }]),
    ...(cost.whole === null || kind === 'total'
      ? []
      : [{ key: 'whole', title: t('money.whole'), value: words.whole, text: t('money.wholeText') }]),
    ...(funding === null ? [] : [{ key: 'balance', title: t('money.balance'), value: words.balance, text: lasting(funding) }]),
  ]
  function lasting({ short, days }: Funding): string | null {
    if (short || days === null) return null
    return days > MOST_DAYS ? t('money.longer') : t('money.lasts', { count: days })
  }
  return (
    <section aria-label={t('money.title')} className="flex flex-col gap-3">
      <dl className="border-border grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border p-4 sm:grid-cols-3">
        {cells.map(({ key, title, value, text }) => (
          <div key={key}>
            <dt className="text-muted-foreground text-xs">{title}</dt>
            <dd className="text-[17px] leading-6 font-semibold tabular-nums">{value}</dd>
            {text !== null && <dd className="text-muted-foreground text-xs">{text}</dd>}
          </div>
        ))}
      </dl>
      {forecast !== null && <p className="text-muted-foreground text-xs">{t('money.forecast', forecast)}</p>}
    </section>
  )
}
