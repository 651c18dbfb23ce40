import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { mayEnter } from '../../../domain/permissions.ts'
import { useMe } from '../../../domain/session-queries.ts'
import { campaignQueries } from '../campaign-queries.ts'
import { CampaignForm } from './campaign-form.tsx'
import { CampaignStatusHeader } from './campaign-status-header.tsx'
import { ModerationPanel } from './moderation/moderation-panel.tsx'
import { PerformanceStrip } from './performance-strip.tsx'

const ChangeLogTab = lazy(() => import('./change-log/change-log-tab.tsx'))

const route = getRouteApi('/_app/campaign/edit/$id')

export function CampaignEditPage() {
  const loaded = route.useLoaderData()
  const { id } = route.useParams()
  const { tab, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const { roles } = useMe()
  const queryClient = useQueryClient()
  const [reloads, setReloads] = useState(0)
  const { data: campaign = loaded } = useQuery(campaignQueries.detail(id))
  const withLog = mayEnter(roles, 'log.read')
  const reload = async () => {
    await queryClient.refetchQueries({ queryKey: campaignQueries.detail(id).queryKey })
    setReloads((count) => count + 1)
  }
  return (
    <CampaignForm
      // A new form for another campaign, and when the reader asks for the newest version.
      key={`${id} ${reloads}`}
      base={campaign}
      tab={tab === 'changeLog' && !withLog ? 'basicInfo' : tab}
      withLog={withLog}
      header={
        <>
          <CampaignStatusHeader campaign={campaign} />
          <PerformanceStrip campaign={campaign} tab={tab} />
          {mayEnter(roles, 'campaign.moderate') && campaign.review === 'pending' && (
            <ModerationPanel campaign={campaign} onReload={() => void reload()} />
          )}
        </>
      }
      changeLog={
        <ChangeLogTab
          id={id}
          search={search}
          onSearch={(patch) => void navigate({ search: (previous) => ({ ...previous, ...patch }), resetScroll: false })}
        />
      }
      onReload={() => void reload()}
    />
  )
}
