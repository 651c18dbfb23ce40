import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Banknote, CircleCheck, CreditCard, MessagesSquare, ShieldCheck, UserRoundPlus, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Attention } from '#contract/attention'
import { DueTime } from '@/components/due-time'
import { Money } from '@/components/money'
import { Page } from '@/components/page/page'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { moderationQueries } from '@/data/moderation-queries'
import { attentionQueries } from '@/data/attention-queries'
import { formatCount, formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { useNow } from '@/lib/clock'
import { cn } from '@/lib/utils'
import '@/i18n/texts/billing'
import '@/i18n/texts/overview'

type Work = NonNullable<Attention['work']>
/** Rows of a section. */
const SHOWN = 5
const LINK = 'rounded-[3px] font-medium hover:underline'

/** `/overview`, where owners start (fine print 74): what waits for them, each with the page on which it is done. */
export function OverviewPage() {
  const { t } = useTranslation('overview')
  const { data, error, refetch } = useQuery(attentionQueries.mine())
  const work = data?.work
  return (
    <Page
      title={t('title')}
      failed={error === null || data !== undefined ? null : { title: t('error'), error, onRetry: () => void refetch() }}
    >
      {work === undefined || work === null ? <Loading /> : <Waiting work={work} />}
    </Page>
  )
}

const Loading = () => (
  <div aria-hidden className="grid max-w-6xl gap-4 sm:grid-cols-2 xl:grid-cols-5">
    {['reviews', 'registrants', 'chats', 'accounts', 'payments'].map((one) => (
      <Skeleton key={one} className="h-26 rounded-xl" />
    ))}
  </div>
)

function Waiting({ work }: { readonly work: Work }) {
  const { t } = useTranslation('overview')
  const { reviews, registrants, unanswered_chats: chats, low_accounts: low, failed_payments: failed } = work
  const nothing = reviews.count + registrants + chats + low.count + failed.count === 0
  return (
    <div className="flex max-w-6xl flex-col gap-5 pb-10">
      <ul aria-label={t('waits')} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        <Tile Icon={ShieldCheck} label={t('reviews')} count={reviews.count} to="/moderation">
          {reviews.overdue > 0 && <Badge variant="destructive">{t('overdue', { count: reviews.overdue })}</Badge>}
        </Tile>
        <Tile Icon={UserRoundPlus} label={t('registrants')} count={registrants} to="/moderation" tab="registrants" />
        <Tile Icon={MessagesSquare} label={t('chats')} count={chats} to="/inbox" />
        <Tile Icon={Banknote} label={t('low')} count={low.count} to="/admin/accounts" />
        <Tile Icon={CreditCard} label={t('failed')} count={failed.count} to="/admin/payments" />
      </ul>
      {nothing && (
        <EmptyState
          image={<CircleCheck aria-hidden className="text-success size-10 stroke-[1.25]" />}
          title={t('nothing')}
          text={t('nothingText')}
        />
      )}
      {reviews.count > 0 && <NextReviews />}
      {low.count > 0 && (
        <SettingsSection title={t('lowTitle')} text={t('lowText')}>
          <ul className="divide-border -my-2 flex flex-col divide-y">
            {low.first.map((account) => (
              <Row
                key={account.space_id}
                spaceId={account.space_id}
                name={account.name}
                text={t(`notice.${account.notice}`)}
                urgent={account.notice !== 'runway_3'}
              >
                <Money value={account.available} currency={account.currency} />
              </Row>
            ))}
          </ul>
        </SettingsSection>
      )}
      {failed.count > 0 && (
        <SettingsSection title={t('failedTitle')} text={t('failedText')}>
          <ul className="divide-border -my-2 flex flex-col divide-y">
            {failed.first.map((payment) => (
              <Row
                key={payment.id}
                spaceId={payment.space_id}
                name={payment.name}
                text={`${lookUp(`billing:refill.failures.${payment.failure_code ?? 'card_declined'}`) ?? ''} ${formatMinute(payment.at)}`}
                urgent
              >
                <Money value={payment.amount} currency={payment.currency} />
              </Row>
            ))}
          </ul>
        </SettingsSection>
      )}
    </div>
  )
}

/** The submissions that are due first. */
function NextReviews() {
  const { t } = useTranslation('overview')
  const now = useNow(60_000)
  const { data } = useQuery(moderationQueries.queue(0))
  if (data === undefined) return null
  return (
    <SettingsSection
      title={t('nextReviews')}
      action={
        <Link to="/moderation" className={cn(LINK, 'text-primary-ink text-[0.8125rem]/6')}>
          {t('openQueue')}
        </Link>
      }
    >
      <ul className="divide-border -my-2 flex flex-col divide-y">
        {data.data.slice(0, SHOWN).map((one) => (
          <li key={one.campaign_id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5">
            <Link to="/moderation" search={{ id: one.campaign_id }} className={cn(LINK, 'min-w-0 [overflow-wrap:anywhere]')}>
              {one.campaign_name}
            </Link>
            <span className="text-muted-foreground min-w-0 grow text-[0.8125rem]/4.5">{one.space_name}</span>
            <DueTime submission={one} now={now} />
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}

type TileProps = {
  readonly Icon: LucideIcon
  readonly label: string
  readonly count: number
  readonly to: '/moderation' | '/inbox' | '/admin/accounts' | '/admin/payments'
  readonly tab?: 'registrants'
  readonly children?: ReactNode
}

/** How many wait of a kind; a link to the page on which they are done. */
function Tile({ Icon, label, count, to, tab, children }: TileProps) {
  return (
    <li>
      <Link
        to={to}
        {...(tab === undefined ? {} : { search: { tab } as never })}
        className="border-border bg-card hover:bg-muted flex h-full min-h-26 flex-col gap-1 rounded-xl border p-4 transition-colors"
      >
        <span className="text-muted-foreground flex items-center gap-2 text-[0.8125rem]/4.5">
          <Icon aria-hidden className="size-4 shrink-0" />
          {label}
        </span>
        <span
          className={cn(
            'mt-auto flex items-baseline gap-2 text-2xl font-semibold tabular-nums',
            count === 0 && 'text-muted-foreground',
          )}
        >
          {formatCount(count)}
          {children}
        </span>
      </Link>
    </li>
  )
}

type RowProps = {
  readonly spaceId: string
  readonly name: string
  readonly text: string
  readonly urgent: boolean
  readonly children: ReactNode
}

function Row({ spaceId, name, text, urgent, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5">
      <Link to="/payments/history" search={{ space: spaceId }} className={cn(LINK, 'min-w-0 grow [overflow-wrap:anywhere]')}>
        {name}
      </Link>
      <span className={cn('text-[0.8125rem]/4.5', urgent ? 'text-destructive-strong' : 'text-warning')}>{text}</span>
      <span className="w-32 text-right">{children}</span>
    </li>
  )
}
