import { confirmingAmong, type Role } from '#domain/kit/access'
import { USUAL_ROLE } from '#domain/single-sign-on/admission'
import type { KeyChange } from './mails/keys-changed.ts'

/** Roles that a directory or an identity provider gives a person of an account, and who set it up. */
export type OutsideRoles = {
  readonly whitelabelId: string
  readonly spaceId: string
  readonly personId: string
  readonly roles: readonly Role[]
  readonly by: 'system:scim' | 'system:single-sign-on'
  /** Id of the directory's token, or of the identity provider. */
  readonly origin: string
  readonly makers: readonly string[]
}

/** A change of a kind that may need a second person, and was done. */
export type DoneChange = {
  /** Mailed once for an id. */
  readonly id: string
  readonly whitelabelId: string
  readonly what: KeyChange
  readonly by: readonly string[]
  /** Names of settings. */
  readonly fields?: string
}

export type WithdrawnRoles = Pick<OutsideRoles, 'roles' | 'by'> & { readonly personIds: readonly string[] }

/** The rule of the second person, towards directories and identity providers (fine print 87). */
export type SecondKey = {
  /** Whether roles of this white-label's staff need a second person. */
  readonly asksForRoles: (whitelabelId: string) => Promise<boolean>
  /** Lets roles wait for a second person; a repeat changes nothing. */
  readonly askForRoles: (asked: OutsideRoles) => Promise<void>
  /** Ends what waits for people who should no longer get these roles. */
  readonly withdrawRoles: (of: WithdrawnRoles) => Promise<void>
  /** Mails the owners of a white-label but these people. */
  readonly mailOthers: (change: DoneChange) => Promise<void>
}

type GivenRoles = Pick<OutsideRoles, 'whitelabelId' | 'personId' | 'roles'> & {
  readonly before: readonly Role[]
  /** Position of the commit: concurrent repeats are one change. */
  readonly position: bigint | null
}

/** Mails the other owners where a person got a role that may confirm and did not wait. */
export async function mailGiven(key: Pick<SecondKey, 'mailOthers'>, given: GivenRoles): Promise<void> {
  const { whitelabelId, personId, roles, before, position } = given
  if (confirmingAmong(roles).every((role) => before.includes(role))) return
  const id = `${personId} ${position ?? 'new'}`
  await key.mailOthers({ id, whitelabelId, what: 'confirming_roles', by: [personId] })
}

/**
 * Splits roles that a directory or an identity provider gives: those that may confirm what waits are held back where the white-label wants a
 * second person, unless the person has them. Who has no other role keeps those of before, and new staff get the usual one.
 */
export async function heldBack(
  key: Pick<SecondKey, 'asksForRoles'>,
  whitelabelId: string,
  wanted: readonly Role[],
  before: readonly Role[],
): Promise<{ readonly given: readonly Role[]; readonly held: readonly Role[] }> {
  const held = confirmingAmong(wanted).filter((role) => !before.includes(role))
  if (held.length === 0 || !(await key.asksForRoles(whitelabelId))) return { given: wanted, held: [] }
  const given = wanted.filter((role) => !held.includes(role))
  return { given: given.length > 0 ? given : before.length > 0 ? before : [USUAL_ROLE], held }
}
