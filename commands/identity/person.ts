import { isStaff, type Actor, type OwnRight, type Role, type StoredActor } from '#domain/kit/access'

/** Person records: the only place that stores names and addresses (fine print 22). */
export type PersonRecord = {
  readonly id: string
  readonly whitelabel_id: string
  readonly home_space_id: string
  readonly roles: readonly Role[]
  /** Those that are over too. */
  readonly rights: readonly OwnRight[]
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  /** 1 need verification, 2 approved and awaiting completion, 3 rejected, 5 active. Only active users sign in. */
  readonly status_key: number
  /** Suspended with their account, and active in no other: cannot sign in. */
  readonly suspended: boolean
  /** Kept out by an owner and active in no other account, or invited and not let in so far: cannot sign in. */
  readonly deactivated: boolean
  readonly company_name: string
  /** ISO 3166 alpha-2. */
  readonly country: string | null
  /** 1 English, 2 Russian. */
  readonly language_key: number
  /** 1 company, 2 individual. */
  readonly type_key: number
  readonly picture_id: string | null
  readonly token_version: number
  readonly created_at: string
}

type Given = 'id' | 'whitelabel_id' | 'home_space_id' | 'roles' | 'first_name' | 'last_name' | 'email'
export type NewPerson = Pick<PersonRecord, Given> &
  Partial<Pick<PersonRecord, 'company_name' | 'country' | 'language_key' | 'status_key'>> & {
    readonly phone: string | null
    readonly password?: string
    readonly demo?: boolean
  }

/** A person as answers name them. */
export type Person = {
  readonly id: string
  readonly name: string
  readonly homeSpaceId: string
  /** Further accounts that the person joined; those that they left since too. */
  readonly joined?: readonly string[]
}

/** Returns names of people for answers. */
export type PeoplePort = { readonly namesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Person>> }

/** An account that a person may act in now, and their access there (fine print 93). */
export type AccountAccess = {
  readonly space_id: string
  readonly home: boolean
  readonly roles: readonly Role[]
  /** Those that are over too. */
  readonly rights: readonly OwnRight[]
}

/** The actor that a person is in a space by the access of their home account. */
export const actorOf = (person: PersonRecord, spaceId: string): StoredActor => ({
  userId: person.id,
  roles: person.roles,
  rights: person.rights,
  whitelabelId: person.whitelabel_id,
  homeSpaceId: person.home_space_id,
  spaceId,
})

/** The actor that a person is in one of their accounts, or of staff in the space that they switched to. */
export const actorWith = (
  { id, whitelabel_id }: Pick<PersonRecord, 'id' | 'whitelabel_id'>,
  { space_id, roles, rights }: AccountAccess,
  spaceId = space_id,
): StoredActor => ({ userId: id, roles, rights, whitelabelId: whitelabel_id, homeSpaceId: space_id, spaceId })

/**
 * Where a session acts that asks for this space: staff in any, others in one of their accounts, else at home or in the one that they
 * joined first. Null without any account.
 */
export function actingIn(
  own: readonly AccountAccess[],
  wanted: string | null,
): { readonly access: AccountAccess; readonly spaceId: string } | null {
  const access = own.find(({ space_id }) => space_id === wanted) ?? own[0]
  if (access === undefined) return null
  const spaceId = access.home && isStaff(access) ? (wanted ?? access.space_id) : access.space_id
  return { access, spaceId }
}

/** Whether the account is one of the person's. */
export const isOf = ({ homeSpaceId, joined = [] }: Person, spaceId: string): boolean =>
  homeSpaceId === spaceId || joined.includes(spaceId)

/** Staff read all names; other users see people outside their space by role, without ids. */
export function actorNamer(actor: Pick<Actor, 'roles'>, spaceId: string, people: ReadonlyMap<string, Person>) {
  return (id: string, event: string): string => {
    if (id.startsWith('system:exchange')) return 'Exchange'
    if (id.startsWith('system:')) return isStaff(actor) ? 'System' : 'Platform'
    const person = people.get(id)
    if (isStaff(actor) || (person !== undefined && isOf(person, spaceId))) return person?.name ?? id
    return DECISIONS.has(event) ? 'Moderator' : 'Platform'
  }
}

/** Events that only moderators cause in a campaign. */
const DECISIONS: ReadonlySet<string> = new Set(['CampaignApproved', 'CampaignRejected', 'SecondLookTaken'])
