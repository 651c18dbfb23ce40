import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, TriangleAlert, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#domain/campaign/content/dates'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { campaignQueries } from '@/data/campaign-queries'
import { formatPlainDay } from '@/i18n/format'
import { now } from '@/lib/clock'
import { useLanguage } from '@/i18n/use-language'
import { AddFunds } from '@/session/add-funds'
import { fieldChanges } from '@/features/campaigns/change-log/field-changes'
import { ShortChanges } from '@/features/campaigns/change-log/short-changes'
import { useNames } from '@/features/campaigns/change-log/use-names'
import { useFormBase } from '../campaign-form-context.ts'
import type { SummaryItem } from '../error-summary.tsx'
import { ReviewAds } from './review-ads.tsx'
import { outcomeOf, splitChanges } from './review-facts.ts'
import { ReviewMoney, useMoney } from './review-money.tsx'
import type { Review } from './use-review.ts'
import '@/i18n/texts/log'
import '@/i18n/texts/review'

type ReviewSheetProps = {
  readonly review: Review
  /** Closes the sheet and opens the field. */
  readonly onGo: (item: SummaryItem) => void
}

/**
 * Summary before publishing: what happens at once and what waits for a moderator, the ads, the dates, and what it costs. The
 * button to publish has the focus, so that Enter is enough.
 */
export default function ReviewSheet({ review, onGo }: ReviewSheetProps) {
  const { t } = useTranslation(['review', 'form', 'common'])
  const { body, values, answer } = review
  const money = useMoney(review)
  const go = (item: Omit<SummaryItem, 'text'>) => {
    answer(false)
    onGo({ ...item, text: '' })
  }
  const plain = values.productUrl.toLowerCase().startsWith('http://')
  return (
    <Dialog open onOpenChange={(open) => !open && answer(false)}>
      <DialogPanel
        title={t('review:title')}
        description={body.name}
        className="top-0 right-0 left-auto mx-0 h-dvh max-h-dvh w-[600px] max-w-full rounded-none sm:rounded-l-xl"
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement)
            event.currentTarget.querySelector<HTMLElement>('[data-autofocus]')?.focus()
        }}
      >
        <DialogPanelBody className="grow gap-6">
          <Outcome review={review} />
          {(money.funding?.short === true || plain) && (
            <ul aria-label={t('review:check')} className="flex flex-col gap-2">
              {money.funding?.short === true && (
                <Concern action={<AddFunds beside />}>{t(`review:short.${money.kind}`, money.words)}</Concern>
              )}
              {plain && (
                <Concern
                  action={
                    <Button size="sm" variant="outline" onClick={() => go({ field: 'productUrl', tab: 'basicInfo' })}>
                      {t('review:change')}
                    </Button>
                  }
                >
                  {t('review:plainAddress')}
                </Concern>
              )}
            </ul>
          )}
          <ReviewMoney money={money} />
          <ReviewAds values={values} />
          <Facts review={review} />
        </DialogPanelBody>
        <DialogPanelFooter className="border-border border-t">
          <Button variant="outline" onClick={() => answer(false)}>
            {t('review:keepEditing')}
          </Button>
          <Button data-autofocus onClick={() => answer(true)}>
            {t(money.funding?.short === true ? 'review:publishAnyway' : 'form:footer.publish')}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}

type ConcernProps = { readonly action: ReactNode; readonly children: ReactNode }

/** Something that does not forbid publishing, with what ends it. */
const Concern = ({ action, children }: ConcernProps) => (
  <li className="bg-warning-tint flex items-start gap-3 rounded-lg p-3 text-[0.8125rem]/4.5">
    <TriangleAlert aria-hidden className="text-warning mt-0.5 size-4 shrink-0" />
    <span className="min-w-0 grow [overflow-wrap:anywhere]">{children}</span>
    {action}
  </li>
)

/** Changes that serve at once, and those that a moderator decides. */
function Outcome({ review: { trial, body } }: { readonly review: Review }) {
  const { t } = useTranslation('review')
  const { campaign, zone } = useFormBase()
  const changes = campaign === null || trial === null ? [] : trial.diff
  const names = useNames(fieldChanges(changes))
  if (trial === null) return null
  const outcome = outcomeOf(campaign, trial)
  // Split before whole advertisements are taken apart into their fields.
  const split = splitChanges(changes, outcome)
  const [live, waiting] = [fieldChanges(split.live), fieldChanges(split.waiting)]
  const start = body.campaign_start_at ?? null
  const later = typeof start === 'string' && zone !== null && Date.parse(start) > now()
  const Icon = outcome === 'live' ? Zap : ShieldCheck
  return (
    <section aria-labelledby="review-outcome" className="flex flex-col gap-3">
      <div className="flex gap-3">
        <span className="bg-primary-tint text-primary-ink grid size-9 shrink-0 place-items-center rounded-lg">
          <Icon aria-hidden className="size-4.5" />
        </span>
        <div>
          <h3 id="review-outcome" className="font-semibold">
            {t(`outcome.${outcome}`)}
          </h3>
          <p className="text-muted-foreground text-[0.8125rem]/4.5">
            {t(`outcomeText.${outcome}`)} {later && t('startsOn', { day: formatPlainDay(localDay(start, zone)) })}
            {!later && outcome === 'new' && t('startsOnApproval')}
          </p>
        </div>
      </div>
      {outcome !== 'new' && (
        <div className="grid gap-3 sm:grid-cols-2">
          {live.length > 0 && <Part title={t('parts.live')} changes={live} names={names} />}
          {waiting.length > 0 && <Part title={t('parts.waiting')} changes={waiting} names={names} />}
        </div>
      )}
    </section>
  )
}

/** Changes of each kind that are listed; the rest is counted. */
const MOST_CHANGES = 6

type PartProps = Parameters<typeof ShortChanges>[0] & { readonly title: string }

const Part = ({ title, changes, names }: PartProps) => (
  <div className="border-border rounded-lg border p-3 text-[0.8125rem]/5">
    <h4 className="mb-1 text-xs font-semibold">{title}</h4>
    <ShortChanges changes={changes} names={names} most={MOST_CHANGES} />
  </div>
)

/** The campaign in the words of the form. */
function Facts({ review: { body, values } }: { readonly review: Review }) {
  const { t } = useTranslation(['review', 'form'])
  const { campaign, zone } = useFormBase()
  const countries = useQuery(campaignQueries.countries(useLanguage())).data
  const country = countries?.find(({ iso_code }) => iso_code === values.country)?.name ?? values.country
  const day = (instant: typeof body.campaign_start_at, none: 'onApproval' | 'openEnd') =>
    typeof instant === 'string'
      ? formatPlainDay(localDay(instant, zone ?? campaign?.timezone_offset_seconds ?? 0))
      : t(`review:${none}`)
  const rows = [
    { key: 'goal', value: values.goal === '' ? '' : t(`form:goals.${values.goal as 'MAXIMIZED_REACH'}`) },
    { key: 'country', value: country },
    { key: 'dates', value: `${day(body.campaign_start_at, 'onApproval')} – ${day(body.campaign_end_at, 'openEnd')}` },
    { key: 'landing', value: values.productUrl },
  ] as const
  return (
    <dl className="grid grid-cols-[minmax(110px,auto)_1fr] gap-x-6 gap-y-2 text-[0.8125rem]/5">
      {rows
        .filter(({ value }) => value !== '')
        .map(({ key, value }) => (
          <div key={key} className="contents">
            <dt className="text-muted-foreground">{t(`review:facts.${key}`)}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
