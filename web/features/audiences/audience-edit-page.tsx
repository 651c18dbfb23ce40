import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { isMissing } from '@/data/app-error'
import { audienceQueries } from '@/data/audience-queries'
import { AudienceForm } from './audience-form.tsx'
import '@/i18n/texts/audiences'
import '@/i18n/texts/owner'

const route = getRouteApi('/_app/audience/edit/$id')

/** `/audience/edit/{id}`: its name, and another file or other rules, which make a new version. */
export function AudienceEditPage() {
  const { t } = useTranslation('audiences')
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { data: audience, error, refetch } = useQuery({ ...audienceQueries.one(id), refetchInterval: false })
  if (isMissing(error)) return <NotFound />
  return (
    <Page
      title={t('form.editTitle')}
      breadcrumb={[
        <Link key="audiences" to="/audiences">
          {t('title')}
        </Link>,
        ...(audience === undefined
          ? []
          : [
              <Link key="audience" to="/audience/details/$id" params={{ id }}>
                {audience.name}
              </Link>,
            ]),
      ]}
      failed={
        error !== null && audience === undefined ? { title: t('details.error'), error, onRetry: () => void refetch() } : null
      }
    >
      {audience === undefined ? (
        <Skeleton className="h-64 max-w-4xl" />
      ) : (
        <AudienceForm
          key={id}
          audience={audience}
          onCancel={() => void navigate({ to: '/audience/details/$id', params: { id } })}
        />
      )}
    </Page>
  )
}
