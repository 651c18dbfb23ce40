import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleAlert, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AudienceDetails } from '#contract/audiences'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { isMissing } from '@/data/app-error'
import { audienceQueries } from '@/data/audience-queries'
import { formatCount } from '@/i18n/format'
import { useCan } from '@/session/can'
import { AudienceCampaigns } from './audience-campaigns.tsx'
import { AudienceHistory } from './audience-history.tsx'
import { AudienceOverlap } from './audience-overlap.tsx'
import { AudienceSizes } from './audience-sizes.tsx'
import { AudienceStatus } from './audience-status.tsx'
import { AudienceSummary } from './audience-summary.tsx'
import '@/i18n/texts/audiences'
import '@/i18n/texts/owner'

const DeleteAudience = lazy(async () => ({ default: (await import('./delete-audience.tsx')).DeleteAudience }))
const route = getRouteApi('/_app/audience/details/$id')

/** `/audience/details/{id}` */
export function AudiencePage() {
  const { t } = useTranslation('audiences')
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { data: audience, error, refetch } = useQuery(audienceQueries.one(id))
  const [isDeleting, setIsDeleting] = useState(false)
  const mayWrite = useCan()('audience.write', audience === undefined ? undefined : { status_key: 0, space_id: audience.space_id })
  if (isMissing(error)) return <NotFound />
  return (
    <Page
      title={audience?.name ?? t('title')}
      breadcrumb={[
        <Link key="audiences" to="/audiences">
          {t('title')}
        </Link>,
      ]}
      description={
        audience === undefined ? undefined : <AudienceStatus statusKey={audience.status_key} members={audience.matched} />
      }
      actions={
        audience !== undefined &&
        mayWrite && (
          <>
            <Button variant="outline" onClick={() => setIsDeleting(true)}>
              <Trash2 aria-hidden />
              {t('delete')}
            </Button>
            <Button asChild>
              <Link to="/audience/edit/$id" params={{ id }}>
                <Pencil aria-hidden />
                {t('details.edit')}
              </Link>
            </Button>
          </>
        )
      }
      failed={
        error !== null && audience === undefined ? { title: t('details.error'), error, onRetry: () => void refetch() } : null
      }
    >
      {audience === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <>
          <Processing audience={audience} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <AudienceSummary audience={audience} />
            <AudienceSizes audience={audience} />
          </div>
          <AudienceHistory audience={audience} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <AudienceCampaigns audience={audience} />
            <AudienceOverlap audience={audience} />
          </div>
        </>
      )}
      <Suspense>
        {isDeleting && audience !== undefined && (
          <DeleteAudience
            audience={audience}
            onClose={() => setIsDeleting(false)}
            onDeleted={() => void navigate({ to: '/audiences' })}
          />
        )}
      </Suspense>
    </Page>
  )
}

function Processing({ audience }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  const { progress, status_key: status, type, versions } = audience
  if (versions[0]?.status_key === AUDIENCE_STATUS.failed)
    return (
      <Notice tone="bad">
        <CircleAlert aria-hidden />
        <p>
          <strong className="font-semibold">{t('details.failedTitle')}</strong> {t('details.failedText')}
        </p>
      </Notice>
    )
  if (status !== AUDIENCE_STATUS.processing) return null
  return (
    <Notice className="flex-col gap-2">
      <output>{t(type === 'static' ? 'details.processing' : 'details.computing')}</output>
      {progress !== null && progress.rows > 0 && (
        <>
          <Progress value={(progress.done / progress.rows) * 100} aria-label={t('details.processing')} />
          <p className="text-muted-foreground text-xs tabular-nums">
            {t('details.progress', { done: formatCount(progress.done), rows: formatCount(progress.rows) })}
          </p>
        </>
      )}
    </Notice>
  )
}
