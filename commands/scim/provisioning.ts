import { PERSON_STATUS } from '#domain/registration/person-status'
import { systemContext } from '#domain/kit/event-metadata'
import { confirmingAmong, type Role } from '#domain/kit/access'
import { isEmail, isPersonName, isShortEnough } from '#domain/kit/validators'
import { GROUPS, type ScimType, type User, type UserFields } from '#domain/scim/scim'
import { USUAL_ROLE } from '#domain/single-sign-on/admission'
import { domainOfAddress } from '#domain/single-sign-on/domains'
import type { PersonRecord as Person } from '../identity/person.ts'
import type { DirectoryToken } from '../identity/identity.ts'
import { heldBack, mailGiven, type SecondKey } from '../identity/second-key.ts'
import type { Team } from '../identity/team.ts'
import type { Issuer } from '../identity/team-command.ts'
import type { TeamPlace } from '../identity/team-port.ts'
import { Refused } from '../refused.ts'
import { beginning } from '#domain/kit/text'

/** Why a call of a directory is refused, with the status of its answer. */
export class ScimRefused extends Error {
  readonly status: 400 | 403 | 404 | 409
  readonly scimType: ScimType | null
  constructor(status: ScimRefused['status'], scimType: ScimType | null, detail: string) {
    super(detail)
    this.name = 'ScimRefused'
    this.status = status
    this.scimType = scimType
  }
}

type PersonRecord = {
  readonly id: string
  readonly email: string
  readonly givenName: string
  readonly familyName: string
  readonly externalId: string | null
  /** The directory deleted the person: to it they do not exist until it creates them again. */
  readonly deleted: boolean
  readonly created: string
  readonly lastModified: string
}

/** The token of a directory, and the domain of the person's address. */
export type Origin = { readonly token: DirectoryToken; readonly domain: string | null }

/** People by the records and the directory. Each write may be repeated. */
export type DirectoryPeople = {
  readonly records: (ids: readonly string[]) => Promise<ReadonlyMap<string, PersonRecord>>
  /** Makes the person one of the directory's; false when they are already, for all but one of calls at once. */
  readonly claim: (personId: string, externalId: string | null, by: Origin) => Promise<boolean>
  readonly note: (personId: string, externalId: string | null) => Promise<void>
  readonly deleted: (personId: string) => Promise<void>
}

type Addressed = Pick<Person, 'id' | 'home_space_id' | 'status_key' | 'deactivated'>

/** A verified mail domain, with the roles that its provider gives new staff; none where it gives none. */
export type StaffDomain = { readonly domain: string; readonly roles: readonly Role[] }

export type ProvisioningDeps = {
  readonly team: Pick<Team, 'admit' | 'change' | 'join' | 'people'>
  readonly people: DirectoryPeople
  readonly secondKey: SecondKey
  /** Users who set up a token and a domain. */
  readonly makersOf: (by: Origin) => Promise<readonly string[]>
  /** The account of the staff of a white-label; null while it has none. */
  readonly houseOf: (whitelabelId: string) => Promise<TeamPlace | null>
  readonly domainsOf: (place: TeamPlace) => Promise<readonly StaffDomain[]>
  /** The person with this address in a white-label, whatever their account and state. */
  readonly ofAddress: (whitelabelId: string, address: string) => Promise<Addressed | null>
  readonly rename: (personId: string, names: { readonly first_name: string; readonly last_name: string }) => Promise<unknown>
  readonly newId: () => string
}

/**
 * Changes by a directory to the staff of its white-label (fine print 85), by the commands of the team. It sees people with an
 * address in a verified domain, and no system administrators: others do not exist for it. Throws ScimRefused.
 */
export function createProvisioning(deps: ProvisioningDeps) {
  const { team, people, secondKey, makersOf, houseOf, domainsOf, ofAddress, rename, newId } = deps
  const issuer = (): Issuer => ({ context: systemContext('scim', newId(), { source: 'api' }), byAdministrator: false })

  async function placeOf(whitelabelId: string): Promise<TeamPlace> {
    const place = await houseOf(whitelabelId)
    if (place === null) throw new ScimRefused(404, null, 'The white-label has no account of its staff')
    return place
  }

  /** Users, with those that the directory deleted. The order is that in which they came. */
  async function everyone(
    place: TeamPlace,
  ): Promise<readonly (User & { readonly deleted: boolean; readonly invited: boolean })[]> {
    const [{ people: members }, domains] = await Promise.all([team.people(place.spaceId), domainsOf(place)])
    const known = members.filter(
      ({ roles, state }) => state !== 'withdrawn' && state !== 'erased' && !roles.includes('SYSTEM_ADMIN'),
    )
    const records = await people.records(known.map(({ person_id }) => person_id))
    return known.flatMap(({ person_id, roles, state }) => {
      const record = records.get(person_id)
      const domain = record === undefined ? null : domainOfAddress(record.email)
      if (record === undefined || !domains.some((one) => one.domain === domain)) return []
      const { email, ...rest } = record
      return [{ ...rest, userName: email, roles, active: state === 'active', invited: state === 'invited' }]
    })
  }

  const usersIn = async (place: TeamPlace) => (await everyone(place)).filter(({ deleted }) => !deleted)

  async function userIn(place: TeamPlace, id: string) {
    const user = (await usersIn(place)).find((one) => one.id === id)
    if (user === undefined) throw new ScimRefused(404, null, 'There is no such user')
    return user
  }

  /** Whether an address has no person, or one whose invitation was withdrawn or whose creation was interrupted. */
  async function isFree({ spaceId, whitelabelId }: TeamPlace, address: string): Promise<boolean> {
    const [found, { people: members }] = await Promise.all([ofAddress(whitelabelId, address), team.people(spaceId)])
    if (found === null) return true
    const member = members.find(({ person_id }) => person_id === found.id)
    if (member !== undefined) return member.state === 'withdrawn'
    return found.home_space_id === spaceId && found.status_key === PERSON_STATUS.approved && found.deactivated
  }

  /** Refuses what no record takes. */
  async function checked(place: TeamPlace, { userName, givenName, familyName }: UserFields): Promise<StaffDomain> {
    for (const name of [givenName, familyName])
      if (!isPersonName(name) || !isShortEnough(name, 100)) throw invalid('A name is plain text of 100 characters at most')
    if (!isEmail(userName)) throw invalid('userName is a mail address')
    const domain = (await domainsOf(place)).find((one) => one.domain === domainOfAddress(userName))
    if (domain === undefined) throw invalid('The address is in no verified mail domain of the white-label')
    return domain
  }

  /** Runs a command of the team; what it refuses is refused in words for the directory. */
  async function commanded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refused) throw refusalOf(error)
      throw error
    }
  }

  type Named = Pick<User, 'id' | 'userName' | 'roles'>
  async function setActive(
    token: DirectoryToken,
    place: TeamPlace,
    user: Named & { readonly invited: boolean },
    active: boolean,
  ): Promise<void> {
    // An invitation waits for its person, unless the directory lets them in.
    if (!active && user.invited) return
    if (active && !user.invited) return reactivate(token, place, user, user.roles)
    await commanded<unknown>(() =>
      active
        ? team.join(place.spaceId, issuer().context, user.id)
        : team.change(place.spaceId, issuer(), { type: 'DeactivatePerson', personId: user.id }),
    )
  }

  /** Lets a deactivated person in again, with these roles, less those that wait. */
  async function reactivate(token: DirectoryToken, place: TeamPlace, user: Named, wanted: readonly Role[]): Promise<void> {
    const { given, held } = await heldBack(secondKey, place.whitelabelId, wanted, [])
    const { position } = await commanded(async () => {
      // Before they come in again: an owner does not return as one.
      await team.change(place.spaceId, issuer(), { type: 'ChangeRoles', personId: user.id, roles: given })
      return team.change(place.spaceId, issuer(), { type: 'ReactivatePerson', personId: user.id })
    })
    await mailGiven(secondKey, { whitelabelId: place.whitelabelId, personId: user.id, roles: given, before: [], position })
    await ask(token, place, user, held)
  }

  async function ask(token: DirectoryToken, place: TeamPlace, user: Omit<Named, 'roles'>, roles: readonly Role[]) {
    if (roles.length === 0) return
    const { spaceId, whitelabelId } = place
    const makers = await makersOf({ token, domain: domainOfAddress(user.userName) })
    await secondKey.askForRoles({ whitelabelId, spaceId, personId: user.id, roles, by: BY, origin: token.id, makers })
  }

  return {
    async users(whitelabelId: string): Promise<readonly User[]> {
      const place = await houseOf(whitelabelId)
      return place === null ? [] : usersIn(place)
    },

    user: async (whitelabelId: string, id: string): Promise<User> => userIn(await placeOf(whitelabelId), id),

    /** Creates a user, or brings back one whom the directory deleted, with the roles of a new one. */
    async create(token: DirectoryToken, fields: UserFields): Promise<User> {
      const { whitelabelId } = token
      const place = await placeOf(whitelabelId)
      const { domain, roles } = await checked(place, fields)
      const { userName: email, givenName: first_name, familyName: last_name } = fields
      const before = (await everyone(place)).find(({ userName }) => userName === email)
      if (before === undefined ? !(await isFree(place, email)) : !before.deleted) throw known()
      const wanted = roles.length > 0 ? roles : [USUAL_ROLE]
      const { given, held } = await heldBack(secondKey, whitelabelId, wanted, [])
      if (before === undefined)
        await commanded(() => team.admit(place, issuer().context, newId(), { email, first_name, last_name, roles: given }))
      else {
        await reactivate(token, place, before, wanted)
        await rename(before.id, { first_name, last_name })
      }
      const person = before ?? (await ofAddress(whitelabelId, email))
      if (person === null || !(await people.claim(person.id, fields.externalId, { token, domain }))) throw known()
      const user = { id: person.id, userName: email, roles: given, invited: false }
      if (before === undefined)
        await mailGiven(secondKey, { whitelabelId, personId: person.id, roles: given, before: [], position: null })
      if (!fields.active) await setActive(token, place, user, false)
      await ask(token, place, user, held)
      return userIn(place, person.id)
    },

    /** Gives a user these fields; the address stays. */
    async change(token: DirectoryToken, id: string, read: (before: UserFields) => UserFields): Promise<User> {
      const place = await placeOf(token.whitelabelId)
      const user = await userIn(place, id)
      const fields = read(user)
      if (fields.userName !== user.userName)
        throw new ScimRefused(400, 'mutability', 'The address of a user stays. Create a user with the new one')
      const isRenamed = fields.givenName !== user.givenName || fields.familyName !== user.familyName
      if (isRenamed) await checked(place, fields)
      // Ends access before anything else.
      if (fields.active !== user.active) await setActive(token, place, user, fields.active)
      if (isRenamed) await rename(id, { first_name: fields.givenName, last_name: fields.familyName })
      if (fields.externalId !== user.externalId) await people.note(id, fields.externalId)
      return userIn(place, id)
    },

    /** Deactivates a user, whom the directory does not see from then on. An invitation is withdrawn. */
    async remove(whitelabelId: string, id: string): Promise<void> {
      const place = await placeOf(whitelabelId)
      const user = await userIn(place, id)
      const type = user.invited ? 'WithdrawInvitation' : 'DeactivatePerson'
      await commanded(() => team.change(place.spaceId, issuer(), { type, personId: id }))
      await people.deleted(id)
    },

    /**
     * Gives a role to these users and takes it from all others; nothing when one of them cannot be given or lose it. A role that may confirm
     * waits where the white-label wants a second person.
     */
    async setMembers(
      token: DirectoryToken,
      role: Role,
      read: (before: ReadonlySet<string>) => ReadonlySet<string>,
    ): Promise<readonly string[]> {
      const place = await placeOf(token.whitelabelId)
      const users = await usersIn(place)
      const before = new Set(users.filter(({ roles }) => roles.includes(role)).map(({ id }) => id))
      const after = read(before)
      const strangers = [...after].filter((id) => !users.some((user) => user.id === id))
      if (strangers.length > 0) throw invalid(`There is no user ${beginning(strangers[0] ?? '', 100)}`)
      const changed = users.filter(({ id }) => before.has(id) !== after.has(id))
      for (const { userName, invited, roles } of changed) {
        if (invited) throw new ScimRefused(409, null, `${userName} has not accepted the invitation so far`)
        if (roles.includes(role) && roles.length === 1) throw lastRole(userName)
      }
      const added = changed.filter(({ id }) => after.has(id))
      const removed = changed.filter(({ id }) => before.has(id))
      const { held } = await heldBack(secondKey, token.whitelabelId, [role], [])
      if (confirmingAmong([role]).length > 0)
        await secondKey.withdrawRoles({
          personIds: users.map(({ id }) => id).filter((id) => !after.has(id)),
          roles: [role],
          by: BY,
        })
      for (const user of added) await ask(token, place, user, held)
      for (const { id, roles } of held.length > 0 ? [] : added) {
        const { position } = await commanded(() => team.change(place.spaceId, issuer(), { type: 'AddRole', personId: id, role }))
        await mailGiven(secondKey, { whitelabelId: place.whitelabelId, personId: id, roles: [role], before: roles, position })
      }
      for (const { id } of removed)
        await commanded(() => team.change(place.spaceId, issuer(), { type: 'RemoveRole', personId: id, role }))
      return changed.map(({ id }) => id)
    },
  }
}
export type Provisioning = ReturnType<typeof createProvisioning>

/** The role that is a group; refuses other names as unknown. */
export function roleOfGroup(id: string): Role {
  const role = GROUPS.find((one) => one === id)
  if (role === undefined) throw new ScimRefused(404, null, 'There is no such group')
  return role
}

/** The actor of a directory. */
const BY = 'system:scim'

const invalid = (detail: string) => new ScimRefused(400, 'invalidValue', detail)
const known = () => new ScimRefused(409, 'uniqueness', 'There is a person with this address')
const lastRole = (who: string) =>
  new ScimRefused(409, null, `${who} has no other role: add the user to another group, or deactivate the user`)

/** Refusal of the team, in words for the directory. */
function refusalOf({ rejection: { code, faults } }: Refused): ScimRefused {
  const key = faults[0]?.key
  if (code === 6) return new ScimRefused(404, null, 'There is no such user')
  if (code === 1400) return known()
  if (key === 'required') return lastRole('The user')
  if (key === 'lastOwner') return new ScimRefused(409, null, 'The white-label must keep an active owner')
  if (key === 'tooMany') return new ScimRefused(409, null, 'The white-label has as many people as it may have')
  return new ScimRefused(409, null, 'The state of the user does not allow this')
}
