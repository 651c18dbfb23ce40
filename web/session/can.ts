import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import {
  ADVERTISER_ROLES,
  may,
  mayEver,
  rightsAt,
  ROLES,
  type Action,
  type OwnRight,
  type Role,
  type SingleRight,
} from '#domain/kit/access'
import { canArchive, runStateOf, type RefusalKey } from '@/data/campaign-status'
import { now } from '@/lib/clock'
import { useMe } from './session-queries.ts'

/** The signed-in user, with the properties that permissions depend on. */
export type User = {
  readonly id: string
  readonly roles: readonly string[]
  /** Differences from the roles; none when absent. */
  readonly rights?: readonly OwnRight[]
  /** The current account: the home account unless the user switched, which requires a role of wider reach. */
  readonly space_id: string
  readonly whitelabel_id: string
}

/** A campaign, with the properties that permissions depend on. Omitted properties are not checked. */
export type CampaignSubject = {
  readonly status_key: number
  readonly space_id?: string | undefined
  /** Kind of the newest review: none, pending, approved or rejected. */
  readonly review?: string | undefined
}

/** Campaign actions and the rights they require. */
const RIGHTS = {
  'campaign.open': 'campaign.read',
  'campaign.report': 'campaign.read',
  'campaign.edit': 'campaign.write',
  'campaign.run': 'campaign.write',
  'campaign.pause': 'campaign.write',
  'campaign.archive': 'campaign.write',
  'campaign.replicate': 'campaign.write',
  'campaign.schedule': 'campaign.write',
  'campaign.approve': 'campaign.moderate',
  'campaign.reject': 'campaign.moderate',
} as const satisfies Readonly<Record<string, Action>>
export type CampaignAction = keyof typeof RIGHTS

/** Why the status of a campaign forbids an action; `other` where the action has no text of its own. */
export type StatusRefusal = RefusalKey | 'other'

/**
 * True when a role of the user has the right, or it was granted to the user, its reach includes the campaign's account, and the campaign's status allows the
 * action. The server decides with the same table; screens only avoid offering what it refuses.
 */
export function can(user: User, action: Action | CampaignAction, campaign?: CampaignSubject): boolean {
  if (!isCampaignAction(action)) return has(user, action, campaign)
  return has(user, RIGHTS[action], campaign) && (campaign === undefined || statusRefusal(action, campaign) === null)
}

/** True when at most the status of the campaign forbids the action, so that a screen shows it with the reason. */
export const canWithout = (user: User, action: CampaignAction, campaign: Pick<CampaignSubject, 'space_id'>): boolean =>
  has(user, RIGHTS[action], campaign)

/** Returns why the status forbids an action, or null. */
export function statusRefusal(action: CampaignAction, { status_key, review }: CampaignSubject): StatusRefusal | null {
  switch (action) {
    case 'campaign.run':
    case 'campaign.pause': {
      const { action: offered, refusal } = runStateOf(status_key)
      if (refusal !== null) return refusal
      if (`campaign.${offered}` !== action) return 'other'
      return action === 'campaign.run' && status_key === STATUS_KEY.archived ? neverApproved(review) : null
    }
    case 'campaign.edit':
    case 'campaign.archive':
    case 'campaign.schedule':
      return canArchive(status_key) ? null : 'other'
    case 'campaign.approve':
    case 'campaign.reject':
      return status_key !== STATUS_KEY.archived && (review ?? 'pending') === 'pending' ? null : 'other'
    case 'campaign.open':
    case 'campaign.report':
    case 'campaign.replicate':
      return null
  }
}

/** Run restores an archived campaign only if it was approved. A rejected one may have been approved before; that is not known. */
function neverApproved(review: string | undefined): RefusalKey | null {
  return review === 'none' ? 'draft' : review === 'rejected' ? 'rejected' : null
}

function has(user: User, right: Action, campaign?: Pick<CampaignSubject, 'space_id'>): boolean {
  const { id: userId, whitelabel_id: whitelabelId, space_id: spaceId } = user
  const actor = { userId, ...rightsOf(user), whitelabelId, homeSpaceId: spaceId, spaceId }
  return may(actor, right, { whitelabelId, spaceId: campaign?.space_id ?? spaceId })
}

/** The roles of the user, and what differs from them now. */
const rightsOf = ({ roles, rights = [] }: Pick<User, 'roles' | 'rights'>) => ({
  roles: roles.filter(isRole),
  rights: rightsAt(rights, new Date(now()).toISOString()),
})

const isRole = (role: string): role is Role => ROLES.some((known) => known === role)
const isCampaignAction = (action: string): action is CampaignAction => action in RIGHTS

/** True when a role of the user has the right somewhere. Pages and navigation depend on it. */
export const canEver = (user: Pick<User, 'roles' | 'rights'>, right: Action): boolean => mayEver(rightsOf(user), right)

/** Whether the right was granted to the user beyond their roles (fine print 89). */
export const wasGranted = (user: Pick<User, 'roles' | 'rights'>, right: SingleRight): boolean =>
  rightsOf(user).rights.some((own) => own.right === right && own.kind === 'granted')

/** Whether the user's own page is `/profile-whitelabel`, and not `/profile` (decisions G-193). */
export const hasStaffProfile = (user: Pick<User, 'roles' | 'rights'>): boolean => canEver(user, 'page.staff-profile')

/** Whether the user has a role of one account. */
export const isAdvertiser = ({ roles }: Pick<User, 'roles'>): boolean => ADVERTISER_ROLES.some((role) => roles.includes(role))

/** `can` for the signed-in user. */
export function useCan() {
  const me = useMe()
  return (action: Action | CampaignAction, campaign?: CampaignSubject): boolean => can(me, action, campaign)
}
