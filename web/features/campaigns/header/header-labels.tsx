import { useQuery } from '@tanstack/react-query'
import { Tags } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { isDialogOpen } from '@/app/shortcuts/keys'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { formatMinute } from '@/i18n/format'
import { useCan } from '@/session/can'
import { LabelChips } from '../labels/label-chip.tsx'
import { campaignLabelsQuery } from '../labels/label-queries.ts'
import { useLabelChanges } from '../labels/use-label-changes.ts'
import { LABELS_KEY } from '../labels/use-labels.tsx'
import '@/i18n/texts/labels'

const LabelsDialog = lazy(() => import('../labels/labels-dialog.tsx'))

type Shown = Pick<Campaign, 'id' | 'name' | 'space_id' | 'status_key'>

/** Labels of the campaign; who added each, and when, is their hint. */
export function HeaderLabels({ campaign: { id } }: { readonly campaign: Shown }) {
  const { t } = useTranslation('labels')
  const { data = [] } = useQuery(campaignLabelsQuery(id))
  return (
    <LabelChips
      labels={data.map(({ by, labelled_at, ...label }) => {
        const date = formatMinute(labelled_at)
        return { ...label, tip: by === null ? date : t('by', { name: by, date }) }
      })}
    />
  )
}

/** Opens the labels of the campaign: L, the menu and the palette. */
export function useCampaignLabels(campaign: Shown) {
  const { t } = useTranslation('labels')
  const can = useCan()
  const change = useLabelChanges()
  const { data } = useQuery(campaignLabelsQuery(campaign.id))
  const [open, setOpen] = useState(false)
  const mayLabel = data !== undefined && can('campaign.write', campaign)
  const show = () => setOpen(true)
  useShortcuts([
    {
      id: 'campaign.labels.here',
      label: t('key'),
      keys: [LABELS_KEY],
      Icon: Tags,
      when: () => mayLabel && !isDialogOpen(),
      run: show,
    },
  ])
  const { id, name, space_id } = campaign
  return {
    items: mayLabel ? [{ key: 'labels', label: t('open'), Icon: Tags, run: show }] : [],
    dialog: open && data !== undefined && (
      <Suspense>
        <LabelsDialog rows={[{ id, name, space_id, labels: data }]} change={change} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
