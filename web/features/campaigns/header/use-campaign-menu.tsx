import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useCampaignActions, type Target } from '@/app/actions'
import { campaignQueries } from '@/data/campaign-queries'
import { useCan } from '@/session/can'
import { useReplicate } from '../list/use-replicate.ts'

const ReplicateDialog = lazy(async () => ({ default: (await import('../list/replicate-dialog.tsx')).ReplicateDialog }))

const INVALIDATED = [campaignQueries.lists(), campaignQueries.details(), ['reports'] as const, campaignQueries.logs()]

type Copied = Target & { readonly space_id: string }

/** The actions of campaigns, wherever they are offered. `dialog` belongs into the page: it asks owners for the account of a copy. */
export function useCampaignMenu(spaceOf: (campaign: Target) => string | undefined, schedule: (campaign: Target) => void) {
  const navigate = useNavigate()
  const can = useCan()
  const [copying, setCopying] = useState<Copied | null>(null)
  const replicate = useReplicate()
  const perform = useCampaignActions(INVALIDATED, {
    schedule,
    report: ({ id }) => void navigate({ to: '/reports', search: { campaignId: id } }),
    // Owners choose the account first. Other users continue in the form, which saves the copy (decisions G-094).
    replicate: (campaign) => {
      const space_id = spaceOf(campaign)
      if (can('campaign.replicate-across') && space_id !== undefined) setCopying({ ...campaign, space_id })
      else
        void navigate({
          to: '/campaign/create',
          search: { tab: 'basicInfo', type: 'awareness', replicatedId: campaign.id },
        })
    },
  })
  const dialog = copying !== null && (
    <Suspense>
      <ReplicateDialog
        campaign={copying}
        onClose={() => setCopying(null)}
        onReplicate={(spaceId) => {
          setCopying(null)
          replicate.mutate({ id: copying.id, spaceId })
        }}
      />
    </Suspense>
  )
  return { perform, dialog }
}
