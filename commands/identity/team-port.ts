import type { Member } from '#domain/account/team'
import type { Role } from '#domain/kit/access'
import type { QueuedMail } from '../mail/mail-queue.ts'

/** The account of a team, and the white-label that it belongs to. */
export type TeamPlace = { readonly spaceId: string; readonly whitelabelId: string; readonly name: string }

export type Invitee = {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly roles: readonly Role[]
}

/**
 * The people of an account after an act, and its revision in the account's stream. `invited`: whom the act invited, and who asked for
 * it.
 */
export type AppliedTeam = {
  readonly spaceId: string
  readonly people: readonly Member[]
  readonly revision: number
  readonly invited: Invited | null
}
/** pending: the account's stream says nothing about it so far. */
export type Membership = { readonly state: Member['state'] | 'pending'; readonly roles: readonly Role[] }
export type InvitationMail = QueuedMail<'account-invitation' | 'invitation'>
export type Invited = { readonly personId: string; readonly by: string }

/**
 * The record of an invited person. `elsewhere`: their home is another account, so that they join this one by a membership.
 * `version`: of what is there for this invitation alone; null where there is nothing to remove if it is refused.
 */
export type AddedPerson = { readonly personId: string; readonly elsewhere: boolean; readonly version: string | null }

/** An invitation into an account to a person who has one (fine print 93). */
export type OpenInvitation = {
  readonly space_id: string
  readonly account: string
  /** Id of the person who asked. */
  readonly by: string
  /** ISO 8601. */
  readonly until: string
}

/** The records of an account's people. Each write may be repeated. */
export type TeamStore = {
  /** Members by the records; without those who have an account of their own to come, or whose invitation is being made. */
  readonly known: (spaceId: string) => Promise<readonly Member[]>
  /** Notes that a command may be recorded; answers the note. */
  readonly begin: (spaceId: string) => Promise<string>
  /** Removes the note, unless another command began since. */
  readonly settle: (spaceId: string, note: string) => Promise<void>
  /** Brings the records in line; an older revision changes nothing. */
  readonly apply: (team: AppliedTeam, mail: InvitationMail | null) => Promise<void>
  /**
   * The record of a new person, who cannot come in before `apply`; or the one that the account's people have with this address, or
   * an active user of another account of advertisers. Null when the address belongs to someone else.
   */
  readonly addInvited: (id: string, place: TeamPlace, invitee: Invitee) => Promise<AddedPerson | null>
  /** Membership of a user whose home is another account; null for others. */
  readonly membership: (spaceId: string, personId: string) => Promise<Membership | null>
  /** Invitations of a person into further accounts that can be accepted, in the order in which they were mailed. */
  readonly openInvitations: (personId: string) => Promise<readonly OpenInvitation[]>
  /** Lets an invited person in without a password: their identity provider has proved their address. */
  readonly letIn: (id: string) => Promise<void>
  /** Removes what was made for an invitation that was refused, unless another invitation of the address uses it since. */
  readonly removeInvited: (spaceId: string, added: AddedPerson) => Promise<void>
  /** Accounts whose command began a while ago and not settled. */
  readonly unsettled: (except: readonly string[]) => Promise<readonly string[]>
}
