import { useMutation } from '@tanstack/react-query'
import {
  Activity,
  Archive,
  AudioLines,
  Building2,
  ChartNoAxesColumn,
  Copy,
  Megaphone,
  MousePointerClick,
  Pause,
  Play,
  ShieldCheck,
  ShoppingBag,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '../../api/contract/campaign-list.ts'
import { pauseCampaign, runCampaign, toggleArchive } from '../../api/contract/campaign.ts'
import type { Action } from '../../domain/kit/access.ts'
import { call } from '@/data/client'
import { runStateOf, statusName, type RefusalKey } from '@/data/campaign-status'
import { toast } from '@/lib/toast'
import { can, canWithout, statusRefusal, type CampaignAction, type User } from '@/session/can'

/** The registry of pages and campaign actions. The sidebar, palette, row menu, bulk bar and shortcuts read it. */

type PageEntry = {
  readonly to: '/campaigns' | '/events' | '/reports' | '/admin/campaigns' | '/admin/accounts' | '/moderation'
  /** Key of its label, `common:nav.…`. */
  readonly name: 'campaigns' | 'events' | 'reports' | 'allAccounts' | 'accounts' | 'moderation'
  /** The right required to open it. */
  readonly right: Action
  readonly Icon: LucideIcon
}

const PAGES: readonly PageEntry[] = [
  { to: '/campaigns', name: 'campaigns', right: 'campaign.read', Icon: Megaphone },
  { to: '/events', name: 'events', right: 'events.read', Icon: Activity },
  { to: '/reports', name: 'reports', right: 'campaign.read', Icon: ChartNoAxesColumn },
  { to: '/admin/campaigns', name: 'allAccounts', right: 'campaign.admin-list', Icon: Building2 },
  { to: '/admin/accounts', name: 'accounts', right: 'account.list', Icon: Users },
  { to: '/moderation', name: 'moderation', right: 'campaign.moderate', Icon: ShieldCheck },
]

/** Returns the pages that the user may open, in the order of the navigation. */
export const pagesFor = (user: User): readonly PageEntry[] => PAGES.filter(({ right }) => can(user, right))

/** Objectives of a campaign. The objective decides which fields the form has. */
const OBJECTIVES = [
  { key: 'awareness', type: 'awareness', Icon: Megaphone },
  { key: 'consideration', type: 'consideration', Icon: MousePointerClick },
  { key: 'conversion', type: 'conversion', Icon: ShoppingBag },
  { key: 'audio', type: 'other', Icon: AudioLines },
] as const

/** Returns the objectives of a new campaign. Audio is included only where the white-label offers it. */
export const objectives = ({ audio }: { readonly audio: boolean }) => OBJECTIVES.filter(({ key }) => audio || key !== 'audio')

export type Target = Pick<ListRow, 'id' | 'name' | 'status_key'> & Partial<Pick<ListRow, 'space_id' | 'review'>>
export type ActionName = 'run' | 'pause' | 'replicate' | 'report' | 'archive'
export type SentAction = Extract<ActionName, 'run' | 'pause' | 'archive'>

export type CampaignActionEntry = {
  readonly id: CampaignAction
  /** Key of its label, `campaigns:actions.…`. */
  readonly name: ActionName
  readonly Icon: LucideIcon
  /** Acts on the selected rows of a list; null for actions on one campaign only. */
  readonly bulkKeys: string | null
}

/** In the order of the menu of a row. */
export const CAMPAIGN_ACTIONS: readonly CampaignActionEntry[] = [
  { id: 'campaign.run', name: 'run', Icon: Play, bulkKeys: 'shift+r' },
  { id: 'campaign.pause', name: 'pause', Icon: Pause, bulkKeys: 'shift+p' },
  { id: 'campaign.replicate', name: 'replicate', Icon: Copy, bulkKeys: null },
  { id: 'campaign.report', name: 'report', Icon: ChartNoAxesColumn, bulkKeys: null },
  { id: 'campaign.archive', name: 'archive', Icon: Archive, bulkKeys: 'shift+a' },
]

type BulkEntry = CampaignActionEntry & { readonly name: SentAction; readonly bulkKeys: string }
const isBulk = (entry: CampaignActionEntry): entry is BulkEntry => entry.bulkKeys !== null
/** Actions on several campaigns at once. */
export const BULK_ACTIONS: readonly BulkEntry[] = CAMPAIGN_ACTIONS.filter(isBulk)

export type Offer = {
  readonly entry: CampaignActionEntry
  /** Why the server would refuse it. The menu shows the action anyway and answers with this reason. */
  readonly refusal: RefusalKey | null
}

/**
 * Returns the actions in a campaign's menu: either Run or Pause even when it is refused, the others only when they are possible.
 */
export function offersFor(user: User, campaign: Target): readonly Offer[] {
  return CAMPAIGN_ACTIONS.flatMap((entry): readonly Offer[] => {
    if (entry.name === 'run' || entry.name === 'pause') {
      if (runStateOf(campaign.status_key).action !== entry.name || !canWithout(user, entry.id, campaign)) return []
      const refusal = statusRefusal(entry.id, campaign)
      return [{ entry, refusal: refusal === 'other' ? null : refusal }]
    }
    return can(user, entry.id, campaign) ? [{ entry, refusal: null }] : []
  })
}

const CALLS = { run: runCampaign, pause: pauseCampaign, archive: toggleArchive } as const

/** Sends an action to the server; resolves with the campaign's new status. */
export const sendAction = (name: SentAction, id: string) => call(CALLS[name], { body: id })

/**
 * Performs an action on one campaign: sends it and reports the outcome, or explains why the status forbids it. Replicate and
 * report depend on the page and are passed in.
 */
export function useCampaignActions(
  invalidates: readonly (readonly unknown[])[],
  own: Readonly<Record<Exclude<ActionName, SentAction>, (campaign: Target) => void>>,
) {
  const { t } = useTranslation(['campaigns', 'status'])
  const { mutate } = useMutation({
    meta: { invalidates },
    mutationFn: ({ name, campaign }: { readonly name: SentAction; readonly campaign: Target }) => sendAction(name, campaign.id),
    onSuccess: ({ status_key }, { name: action, campaign: { name } }) =>
      toast.success(
        action === 'run'
          ? t('campaigns:done.run', { name, status: t(`status:label.${statusName(status_key)}`) })
          : action === 'pause'
            ? t('campaigns:done.pause', { name })
            : t('campaigns:done.archive'),
      ),
  })
  return ({ entry: { name }, refusal }: Offer, campaign: Target) => {
    if (refusal !== null) toast.error(t(`status:refusal.${refusal}`))
    else if (name === 'replicate' || name === 'report') own[name](campaign)
    else mutate({ name, campaign })
  }
}
