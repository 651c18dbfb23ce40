import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/ui/skeleton'
import { useCan } from '@/session/can'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'
import { CampaignForm } from './campaign-form.tsx'
import { CampaignStatusHeader } from './campaign-status-header.tsx'
import { ShownCampaign } from '../shown-campaign.ts'
import { PastNotice } from './past-notice.tsx'
import { PerformanceStrip } from './performance-strip.tsx'

const ModerationPanel = lazy(async () => ({ default: (await import('../moderation/moderation-panel.tsx')).ModerationPanel }))
const ScheduledSection = lazy(() => import('../schedule/scheduled-section.tsx'))
const ChangeLogTab = lazy(() => import('../change-log/change-log-tab.tsx'))

const route = getRouteApi('/_app/campaign/edit/$id')

export function CampaignEditPage() {
  const loaded = route.useLoaderData()
  const { id } = route.useParams()
  const { tab, as_of: instant, ...search } = route.useSearch()
  const { t } = useTranslation('campaigns')
  const navigate = route.useNavigate()
  const can = useCan()
  const queryClient = useQueryClient()
  const [reloads, setReloads] = useState(0)
  const current = useQuery({ ...campaignQueries.detail(id), enabled: instant === undefined })
  const past = useQuery({ ...campaignQueries.asOf(id, instant ?? ''), enabled: instant !== undefined })
  const campaign = (instant === undefined ? current : past).data ?? loaded
  const withLog = instant === undefined && can('log.read', campaign)
  const reload = async () => {
    try {
      await queryClient.fetchQuery({ ...campaignQueries.detail(id), staleTime: 0 })
      setReloads((count) => count + 1)
    } catch {
      toast.error(t('loadFailed'))
      // The user already discarded the changes by requesting the newest version.
      await navigate({ to: '/campaigns', ignoreBlocker: true })
    }
  }
  return (
    <ShownCampaign value={campaign}>
      <CampaignForm
        // Remounts the form for another campaign, and when the user requests the newest version.
        key={`${id} ${instant ?? reloads}`}
        base={campaign}
        past={instant !== undefined}
        tab={tab === 'changeLog' && !withLog ? 'basicInfo' : tab}
        withLog={withLog}
        header={
          instant !== undefined ? (
            <PastNotice campaign={campaign} instant={instant} tab={tab} />
          ) : (
            <>
              <CampaignStatusHeader campaign={campaign} />
              <PerformanceStrip campaign={campaign} tab={tab} />
              <Suspense>
                <ScheduledSection campaign={campaign} />
              </Suspense>
              {can('campaign.moderate', campaign) && campaign.review === 'pending' && (
                <Suspense fallback={<Skeleton className="h-24 w-full" />}>
                  <ModerationPanel campaign={campaign} onReload={() => void reload()} />
                </Suspense>
              )}
            </>
          )
        }
        changeLog={
          <ChangeLogTab
            id={id}
            search={search}
            onSearch={(patch, history) =>
              void navigate({
                search: (previous) => ({ ...previous, ...patch }),
                replace: history === 'replace',
                resetScroll: false,
              })
            }
          />
        }
      />
    </ShownCampaign>
  )
}
