import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn, History, Link2, Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { offersFor } from '@/app/actions'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { StatusText } from '@/components/status-text'
import { Button } from '@/components/ui/button'
import { accountQueries } from '@/data/account-queries'
import { toast } from '@/lib/toast'
import { useCan } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { useCampaignCurrency } from '../form/use-rule-context.ts'
import { CampaignRowMenu } from '../list/campaign-row-menu.tsx'
import { HeaderLabels, useCampaignLabels } from './header-labels.tsx'
import { useCampaignMenu } from './use-campaign-menu.tsx'

const ScheduleDialog = lazy(() => import('../schedule/schedule-dialog.tsx'))

/** The pages of one campaign. */
export type CampaignPage = 'form' | 'report' | 'timeline'

type CampaignAboutProps = {
  readonly campaign: Campaign
  /** False where the page shows the status with its reasons. */
  readonly status?: boolean
}

/** Beside the heading of every page of a campaign: its status, and for users of other accounts whose it is and its currency. */
export function CampaignAbout({ campaign, status = true }: CampaignAboutProps) {
  const { t } = useTranslation('campaigns')
  const me = useMe()
  const can = useCan()
  const foreign = campaign.space_id !== me.space_id && can('account.read', campaign)
  const { data } = useQuery({ ...accountQueries.space(campaign.space_id), enabled: foreign })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[0.8125rem]/4.5">
      {status && <StatusText statusKey={campaign.status_key} />}
      <HeaderLabels campaign={campaign} />
      {foreign && data !== undefined && <span>{t('header.account', { account: data.space_name, currency: data.currency })}</span>}
    </div>
  )
}

type CampaignActionsProps = { readonly campaign: Campaign; readonly page: CampaignPage }

/** Actions on the campaign, at the end of the title bar and in the palette: the same on each of its pages. */
export function CampaignActions({ campaign, page }: CampaignActionsProps) {
  const { t } = useTranslation(['campaigns', 'status'])
  const me = useMe()
  const can = useCan()
  const navigate = useNavigate()
  const { id, name } = campaign
  const currency = useCampaignCurrency(campaign)
  const [scheduling, setScheduling] = useState(false)
  const { perform, dialog } = useCampaignMenu(
    () => campaign.space_id,
    () => setScheduling(true),
  )
  const offers = offersFor(me, campaign)
  const turn = offers.find(({ entry }) => entry.name === 'run' || entry.name === 'pause')
  const leads = [
    { key: 'form', Icon: Pencil, label: t('campaigns:header.open'), run: () => openForm() },
    { key: 'report', Icon: ChartNoAxesColumn, label: t('campaigns:actions.report'), run: () => openReport() },
    ...(can('log.read', campaign)
      ? [{ key: 'timeline', Icon: History, label: t('campaigns:header.timeline'), run: () => openTimeline() }]
      : []),
  ].filter(({ key }) => key !== page)
  const labels = useCampaignLabels(campaign)
  const share = { key: 'share', Icon: Link2, label: t('campaigns:header.share'), run: () => void copyLink() }
  const acts = offers.filter(({ entry }) => ['replicate', 'schedule', 'archive'].includes(entry.name))

  const openForm = () => void navigate({ to: '/campaign/edit/$id', params: { id }, search: { tab: 'basicInfo' } })
  const openReport = () => void navigate({ to: '/reports', search: { campaignId: id } })
  const openTimeline = () => void navigate({ to: '/campaign/timeline/$id', params: { id } })
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      toast.success(t('campaigns:header.linkCopied'))
    } catch {
      toast.error(t('campaigns:header.copyFailed'))
    }
  }
  useShortcuts([
    ...(turn === undefined ? [] : [turn, ...acts]).map((offer) => ({
      id: `${offer.entry.id}.here`,
      label: t(`campaigns:actions.${offer.entry.name}`),
      keys: [],
      Icon: offer.entry.Icon,
      run: () => perform(offer, campaign),
    })),
    ...[...leads, share].map(({ key, label, Icon, run }) => ({ id: `campaign.${key}.here`, label, keys: [], Icon, run })),
  ])
  return (
    <>
      {turn !== undefined && (
        <Button
          variant="outline"
          aria-description={turn.refusal === null ? undefined : t(`status:refusal.${turn.refusal}`)}
          className={turn.refusal === null ? undefined : 'text-muted-foreground'}
          onClick={() => perform(turn, campaign)}
        >
          <turn.entry.Icon aria-hidden />
          {t(`campaigns:actions.${turn.entry.name}`)}
        </Button>
      )}
      <CampaignRowMenu
        name={name}
        offers={acts}
        further={[...labels.items, ...leads, share]}
        onChoose={(offer) => perform(offer, campaign)}
      />
      {dialog}
      {labels.dialog}
      {scheduling && (
        <Suspense>
          <ScheduleDialog rows={[{ ...campaign, currency: currency ?? '' }]} onClose={() => setScheduling(false)} />
        </Suspense>
      )}
    </>
  )
}
