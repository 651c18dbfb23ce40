import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import {
  Activity,
  Archive,
  AudioLines,
  Banknote,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  CircleUser,
  Copy,
  LayoutDashboard,
  CreditCard,
  Megaphone,
  MessagesSquare,
  MousePointerClick,
  Palette,
  Pause,
  Play,
  ReceiptText,
  ScrollText,
  ServerCog,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Users,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { pauseCampaign, publishCampaign, runCampaign, toggleArchive } from '#contract/campaign'
import type { Action, SingleRight } from '#domain/kit/access'
import type { en } from '@/i18n/en'
import { call } from '@/data/client'
import { runStateOf, statusName, type RefusalKey } from '@/data/campaign-status'
import { toast } from '@/lib/toast'
import { can, canEver, canWithout, isAdvertiser, statusRefusal, wasGranted, type CampaignAction, type User } from '@/session/can'
import { useUndo } from './shortcuts/use-undo.tsx'

/** The registry of pages and campaign actions. The sidebar, palette, row menu, bulk bar and shortcuts read it. */

/** Where the navigation shows a page: the user's own pages, the work of staff, or the administration, which opens in a new tab. */
export type PageGroup = 'own' | 'work' | 'administration'

export type PageEntry = {
  readonly to: string
  /** Key of its label, `common:nav.…`. */
  readonly name: PageName
  readonly group: PageGroup
  readonly right: Action
  /** Single rights that lead here too, where one was granted to a person of an account. Staff choose accounts elsewhere. */
  readonly granted?: readonly SingleRight[]
  /** A right whose users have another page instead. */
  readonly without?: Action
  readonly Icon: LucideIcon
  /** Items that the number beside its label counts. */
  readonly counts?: 'moderation' | 'inbox'
}
type PageName = keyof (typeof en)['common']['nav']

const OWN: readonly Omit<PageEntry, 'group'>[] = [
  { to: '/overview', name: 'overview', right: 'account.manage', Icon: LayoutDashboard },
  { to: '/profile-whitelabel', name: 'myProfile', right: 'page.staff-profile', Icon: CircleUser },
  { to: '/campaigns', name: 'campaigns', right: 'campaign.read', Icon: Megaphone },
  { to: '/audiences', name: 'audience', right: 'audience.read', Icon: Users },
  { to: '/events', name: 'events', right: 'events.read', Icon: Activity },
  { to: '/reports', name: 'reports', right: 'campaign.read', Icon: ChartNoAxesColumn },
  {
    to: '/payments/history',
    name: 'transactions',
    right: 'page.transactions',
    granted: ['balance.read', 'invoice.read'],
    Icon: ReceiptText,
  },
  { to: '/payments/history', name: 'billing', right: 'page.billing', Icon: CreditCard },
  { to: '/team', name: 'staff', right: 'page.staff', Icon: UsersRound },
  { to: '/team', name: 'team', right: 'team.read', without: 'page.staff', Icon: UsersRound },
  { to: '/settings', name: 'settings', right: 'credential.manage', Icon: Settings },
  { to: '/profile', name: 'settings', right: 'profile.own', without: 'page.staff-profile', Icon: Settings },
]

/** Moderators have no links to the administration (decisions G-189), and their work is here. */
const WORK: readonly Omit<PageEntry, 'group'>[] = [
  { to: '/audit', name: 'audit', right: 'log.verify', without: 'page.administration', Icon: ScrollText },
  { to: '/admin/campaigns', name: 'allCampaigns', right: 'campaign.admin-list', without: 'page.administration', Icon: Megaphone },
  { to: '/admin/accounts', name: 'accounts', right: 'account.list', without: 'page.administration', Icon: Building2 },
  { to: '/admin/payments', name: 'payments', right: 'account.list', without: 'page.administration', Icon: Banknote },
  {
    to: '/moderation',
    name: 'moderation',
    right: 'campaign.moderate',
    without: 'page.administration',
    Icon: ShieldCheck,
    counts: 'moderation',
  },
  {
    to: '/moderation/statistics',
    name: 'moderationStatistics',
    right: 'review.statistics',
    without: 'campaign.moderate',
    Icon: ShieldCheck,
  },
  { to: '/inbox', name: 'inbox', right: 'chat.answer', Icon: MessagesSquare, counts: 'inbox' },
]

const ADMINISTRATION: readonly Omit<PageEntry, 'group'>[] = [
  { to: '/admin/customization', name: 'customization', right: 'page.administration', Icon: Palette },
  { to: '/admin/accounts', name: 'accounts', right: 'page.administration', Icon: Building2 },
  { to: '/admin/payments', name: 'payments', right: 'page.administration', Icon: Banknote },
  { to: '/admin/campaigns', name: 'allCampaigns', right: 'page.administration', Icon: Megaphone },
  { to: '/admin/moderation', name: 'moderation', right: 'page.administration', Icon: ShieldCheck, counts: 'moderation' },
  { to: '/audit', name: 'audit', right: 'page.administration', Icon: ScrollText },
  { to: '/admin/operations', name: 'operations', right: 'operations.read', Icon: ServerCog },
]

const PAGES: readonly PageEntry[] = [
  ...OWN.map((page) => ({ ...page, group: 'own' }) as const),
  ...WORK.map((page) => ({ ...page, group: 'work' }) as const),
  ...ADMINISTRATION.map((page) => ({ ...page, group: 'administration' }) as const),
]

/** Returns the pages of the user's rights, in the order of the navigation, each name once in a group. */
export function pagesFor(user: Pick<User, 'roles' | 'rights'>): readonly PageEntry[] {
  const opens = ({ right, granted = [] }: PageEntry) =>
    canEver(user, right) || (isAdvertiser(user) && granted.some((one) => wasGranted(user, one)))
  const own = PAGES.filter((page) => opens(page) && (page.without === undefined || !canEver(user, page.without)))
  return own.filter(({ group, name }, place) => own.findIndex((one) => one.group === group && one.name === name) === place)
}

/** Returns those of them that this build has, and those that `shown` names nevertheless. */
export function usePages(user: Pick<User, 'roles' | 'rights'>, shown?: (page: PageEntry) => boolean): readonly PageEntry[] {
  const { routesByPath } = useRouter()
  return pagesFor(user).filter((page) => page.to in routesByPath || shown?.(page) === true)
}

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
export type ActionName = 'run' | 'pause' | 'replicate' | 'report' | 'schedule' | 'archive'
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
  { id: 'campaign.schedule', name: 'schedule', Icon: CalendarClock, bulkKeys: null },
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

/** Statuses in which a campaign is meant to spend: run from the archive brings them back, the toggle would leave them paused. */
const RUNNING: ReadonlySet<number> = new Set([3, 6, 31, 40, 44])

/** Inverse of an action, by the campaign as it was; null when the action changed nothing. */
export function undoOf(name: SentAction, was: Target, status_key: number): SentAction | null {
  if (was.status_key === status_key) return null
  if (name === 'pause') return 'run'
  if (name === 'run') return was.status_key === STATUS_KEY.archived ? 'archive' : 'pause'
  return RUNNING.has(was.status_key) ? 'run' : 'archive'
}

/** Takes an action back. Archiving withdraws what waited for review, so that is submitted again. */
export async function takeBack(name: SentAction, back: SentAction, { id, review }: Target): Promise<void> {
  await sendAction(back, id)
  if (name === 'archive' && review === 'pending') await call(publishCampaign, { body: { id } })
}

/**
 * Performs an action on one campaign: sends it and reports the outcome with an Undo, or explains why the status forbids it.
 * Replicate, report and schedule depend on the page and are passed in.
 */
export function useCampaignActions(
  invalidates: readonly (readonly unknown[])[],
  own: Readonly<Record<Exclude<ActionName, SentAction>, (campaign: Target) => void>>,
) {
  const { t } = useTranslation(['campaigns', 'status'])
  const offerUndo = useUndo()
  const undo = useMutation({
    meta: { invalidates },
    mutationFn: ({ name, back, campaign }: Sent & { readonly back: SentAction }) => takeBack(name, back, campaign),
    onSuccess: (_, { campaign: { name } }) => toast.success(t('campaigns:done.undone', { name })),
  })
  const { mutate } = useMutation({
    meta: { invalidates },
    mutationFn: ({ name, campaign }: Sent) => sendAction(name, campaign.id),
    onSuccess: ({ status_key }, { name, campaign }) => {
      const text =
        name === 'run'
          ? t('campaigns:done.run', { name: campaign.name, status: t(`status:label.${statusName(status_key)}`) })
          : name === 'pause'
            ? t('campaigns:done.pause', { name: campaign.name })
            : t('campaigns:done.archive')
      const back = undoOf(name, campaign, status_key)
      if (back === null) toast.success(text)
      else
        offerUndo({
          text,
          ...(name === 'archive' ? { description: campaign.name } : {}),
          undo: () => undo.mutateAsync({ name, back, campaign }).catch(() => undefined),
        })
    },
  })
  return ({ entry: { name }, refusal }: Offer, campaign: Target) => {
    if (refusal !== null) toast.error(t(`status:refusal.${refusal}`))
    else if (name === 'replicate' || name === 'report' || name === 'schedule') own[name](campaign)
    else mutate({ name, campaign })
  }
}

type Sent = { readonly name: SentAction; readonly campaign: Target }
