import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegistrationDetails } from '#contract/registration'
import { DueTime } from '@/components/due-time'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { AppError } from '@/data/app-error'
import { campaignQueries } from '@/data/campaign-queries'
import { formatMinute } from '@/i18n/format'
import { useLanguage } from '@/i18n/use-language'
import { lookUp } from '@/i18n/look-up'
import { useNow } from '@/lib/clock'
import { registrationQueries } from './registration-queries.ts'
import { nameOf, useRegistrantDecision } from './use-registrant-decision.ts'
import '@/i18n/texts/moderation'
import '@/i18n/texts/registration'

const RejectRegistrantDialog = lazy(async () => ({
  default: (await import('./reject-registrant-dialog.tsx')).RejectRegistrantDialog,
}))

const NOT_FOUND = 161

type RegistrantPageProps = {
  readonly id: string
  /** Whether the user may send the confirmation mail again. */
  readonly mayResend: boolean
}

/** `/admin/moderate/user/{id}`: one registration, with the decision and its history. */
export function RegistrantPage({ id, mayResend }: RegistrantPageProps) {
  const { t } = useTranslation('registration')
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(registrationQueries.detail(id))
  const back = () => void navigate({ to: '/moderation', search: { tab: 'registrants' } })
  const { approve, reject, resend, isPending } = useRegistrantDecision(back)
  const [rejecting, setRejecting] = useState(false)
  const isMissing = error instanceof AppError && error.code === NOT_FOUND
  return (
    <Page
      title={data === undefined ? t('queue.table') : nameOf(data)}
      breadcrumb={[
        <Link key="queue" to="/moderation" search={{ tab: 'registrants' }}>
          {t('details.crumb')}
        </Link>,
      ]}
      failed={
        error === null || data !== undefined || isMissing
          ? null
          : { title: t('details.error'), error, onRetry: () => void refetch() }
      }
      actions={
        data !== undefined && (
          <>
            {mayResend && data.status === 'approved' && (
              <Button variant="outline" disabled={resend.isPending} onClick={() => resend.mutate(data)}>
                {t('details.resend')}
              </Button>
            )}
            {data.status === 'submitted' && (
              <Button variant="outline" disabled={isPending} onClick={() => setRejecting(true)}>
                {t('queue.reject')}
              </Button>
            )}
            {(data.status === 'submitted' || data.status === 'rejected') && (
              <Button disabled={isPending} onClick={() => approve.mutate(data)}>
                {t('queue.approve')}
              </Button>
            )}
          </>
        )
      }
    >
      {isMissing ? (
        <EmptyState title={t('details.missing')} />
      ) : data === undefined ? (
        <div aria-busy className="flex max-w-3xl flex-col gap-4">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      ) : (
        <Registration data={data} />
      )}
      <Suspense>
        {rejecting && data !== undefined && (
          <RejectRegistrantDialog
            person={data}
            onClose={() => setRejecting(false)}
            onReject={(comment) => {
              reject.mutate({ person: data, comment })
              setRejecting(false)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

function Registration({ data }: { readonly data: RegistrationDetails }) {
  const { t } = useTranslation('registration')
  const now = useNow(30_000)
  const language = useLanguage()
  const { data: countries } = useQuery(campaignQueries.countries(language))
  const country = countries?.find(({ iso_code }) => iso_code === data.country)?.name ?? data.country
  const none = <span className="text-muted-foreground">{t('details.none')}</span>
  const facts = (rows: readonly (readonly [label: string, value: ReactNode])[]) => (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted-foreground max-sm:-mb-2">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
  const section = (title: string, content: ReactNode) => (
    <section className="border-border bg-card flex flex-col gap-4 rounded-lg border p-6">
      <h2 className="text-[15px]/6 font-semibold">{title}</h2>
      {content}
    </section>
  )
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {section(
        t('details.contact'),
        facts([
          [t('queue.name'), nameOf(data)],
          [t('queue.email'), data.email],
          [t('queue.phone'), data.phone ?? none],
        ]),
      )}
      {section(
        t('details.account'),
        facts([
          [t('queue.company'), data.company_name === '' ? none : data.company_name],
          [t('queue.country'), country ?? none],
          [t('queue.currency'), data.currency],
          [t('details.status'), t(`details.statusOf.${data.status}`)],
          ...(data.status === 'submitted'
            ? [
                [
                  t('queue.due'),
                  <DueTime key="due" submission={{ moderation_start_at: data.created_at, due_at: data.due_at }} now={now} />,
                ] as const,
              ]
            : []),
          ...(data.moderator_comment === null ? [] : [[t('details.comment'), data.moderator_comment] as const]),
        ]),
      )}
      {section(
        t('details.history'),
        <ol className="flex flex-col gap-3">
          {data.history.map(({ type, at, author }, i) => (
            <li key={i} className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{lookUp(`registration:details.event.${type}`) ?? type}</span>
              <span className="text-muted-foreground">
                {author} · <time dateTime={at}>{formatMinute(at)}</time>
              </span>
            </li>
          ))}
        </ol>,
      )}
    </div>
  )
}
