import type { FastifyInstance } from 'fastify'
import { actorNamer, isOf } from '#commands/identity/person'
import type { Team } from '#commands/identity/team'
import type { Issuer } from '#commands/identity/team-command'
import type { TeamPlace } from '#commands/identity/team-port'
import { Refused, refused } from '#commands/refused'
import * as contract from '#contract/team'
import { MOST_PEOPLE, rolesOfTeam } from '#domain/account/team'
import { confirmingAmong, rightsAt, type Action, type Actor } from '#domain/kit/access'
import { refusalOf } from '#domain/kit/errors'
import { nameFaults } from '#domain/registration/form'
import type { RolesCommand } from '#platform/approvals/second-person'
import type { teamRecords } from '#platform/identity/team-store'
import type { Call } from '#api/http/call'
import { authorize, contextOf } from '#api/http/caller'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import type { Served } from '#api/areas/services'

/** Mails of invitations, by what they share: they go to addresses that anyone may enter. */
const PER_ACCOUNT = { limit: 50, seconds: 86_400 }
const PER_ADDRESS = { limit: 5, seconds: 86_400 }
/** Requests to reset a second factor, which owners of the white-label read. */
const RESETS_OF_PERSON = { limit: 3, seconds: 86_400 }
const RESETS_OF_ACCOUNT = { limit: 20, seconds: 86_400 }

/** The people of an account, and what its owners and the staff do with them. */
export function registerTeamRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'fingerprint' | 'limits' | 'people' | 'secondPerson' | 'sessions' | 'store'>,
  {
    team,
    recordsOf,
    freeLinks,
  }: {
    readonly team: Team
    readonly recordsOf: (spaceId: string, ids: readonly string[]) => ReturnType<typeof teamRecords>
    readonly freeLinks: (personId: string) => Promise<boolean>
  },
): void {
  const { accounts, derivedId, fingerprint, guards, limits, newId, now, people: records, secondPerson, store } = kit

  async function placeFor(actor: Actor, id: string, action: Action): Promise<TeamPlace> {
    const account = await accounts.find(id)
    authorize(actor, action, account === null ? null : { spaceId: id, whitelabelId: account.whitelabel_id }, 110)
    // Not null: `authorize` refuses a missing place.
    if (account === null) throw refused(110)
    return { spaceId: id, whitelabelId: account.whitelabel_id, name: account.name }
  }

  /** The account of a call that changes its people, and who asks. */
  async function issued(call: Call & { readonly params: { readonly id: string } }) {
    const caller = callerOf(call)
    const place = await placeFor(caller.actor, call.params.id, 'team.manage')
    const issuer: Issuer = { context: contextOf(caller, place, 'team.manage'), byAdministrator: isAdministrator(caller.actor) }
    return { place, issuer, actor: caller.actor }
  }

  async function shown(actor: Actor, spaceId: string): Promise<readonly contract.TeamMember[]> {
    const { people } = await team.people(spaceId)
    // System administrators stand above white-labels: lists show them to each other alone.
    const members = people.filter(({ roles }) => isAdministrator(actor) || !roles.includes('SYSTEM_ADMIN'))
    const [found, names] = await Promise.all([
      recordsOf(
        spaceId,
        members.map(({ person_id }) => person_id),
      ),
      records.namesOf([...new Set(members.flatMap(({ rights = [] }) => rights.map(({ by }) => by)))]),
    ])
    const nameOf = actorNamer(actor, spaceId, names)
    const at = now()
    return members.flatMap(({ person_id, roles, rights = [], state }) => {
      const record = found.get(person_id)
      if (record === undefined || state === 'withdrawn' || state === 'erased') return []
      const { factor, ...shownRecord } = record
      const own = rightsAt(rights, at).map((one) => ({ ...one, by: nameOf(one.by, 'PersonRightChanged') }))
      return [{ ...shownRecord, roles: [...roles], rights: own, state, second_factor: factor !== null }]
    })
  }

  async function memberOf(actor: Actor, spaceId: string, personId: string): Promise<contract.TeamMember> {
    const member = (await shown(actor, spaceId)).find(({ id }) => id === personId)
    if (member === undefined) throw refused(6)
    return member
  }

  /**
   * Where the white-label wants a second person for roles and rights of staff: the id under which the act waits for one. Null when it may be done at
   * once. Refuses what the act itself would.
   */
  async function waiting(
    { spaceId, whitelabelId }: TeamPlace,
    issuer: Issuer,
    act: Parameters<Team['givesStaffRoles']>[2],
    command: () => RolesCommand,
  ): Promise<string | null> {
    if (!(await secondPerson.asksForRoles(whitelabelId)) || !(await team.givesStaffRoles(spaceId, issuer, act))) return null
    const id = derivedId('second-person', issuer.context.command_id)
    const userId = issuer.context.actor
    if (!(await secondPerson.ask({ id, whitelabelId, spaceId, userId, command: command() }))) throw refused(134)
    return id
  }

  const reserve = (whitelabelId: string, spaceId: string, email: string) =>
    limits.reserve([
      { key: `invitations of ${spaceId}`, ...PER_ACCOUNT },
      { key: `invitations to ${fingerprint(`${whitelabelId} ${email}`)}`, ...PER_ADDRESS },
    ])

  register(app, guards, contract.getTeam, async (call) => {
    const actor = personOf(call)
    const { spaceId } = await placeFor(actor, call.params.id, 'team.read')
    const { state } = await team.people(spaceId)
    const roles = rolesOfTeam(state.house).filter((role) => role !== 'SYSTEM_ADMIN' || isAdministrator(actor))
    return { people: [...(await shown(actor, spaceId))], roles, most: MOST_PEOPLE }
  })

  register(app, guards, contract.invitePerson, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { roles } = call.body
    const email = call.body.email.trim().toLowerCase()
    const first_name = call.body.first_name.trim()
    const last_name = call.body.last_name.trim()
    const refusal = refusalOf(nameFaults({ email, first_name, last_name }))
    if (refusal !== null) throw new Refused(refusal)
    await reserve(place.whitelabelId, place.spaceId, email)
    const invitee = { email, first_name, last_name }
    const approval_id = await waiting(place, issuer, { type: 'InvitePerson', personId: team.invitedId(issuer), roles }, () => ({
      kind: 'invitation',
      person: invitee,
      roles,
      ...given(issuer),
    }))
    if (approval_id !== null) return { member: null, approval_id, position: String(await store.head()) }
    const { personId, position } = await team.invite(place, issuer, { ...invitee, roles })
    return { member: await memberOf(actor, place.spaceId, personId), approval_id, position: String(position) }
  })

  register(app, guards, contract.repeatInvitation, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const before = await memberOf(actor, place.spaceId, call.params.person)
    await reserve(place.whitelabelId, place.spaceId, before.email)
    const { position } = await team.repeat(place, issuer, call.params.person)
    return { member: await memberOf(actor, place.spaceId, call.params.person), position: String(position) }
  })

  register(app, guards, contract.withdrawInvitation, async (call) => {
    const { place, issuer } = await issued(call)
    const { position } = await team.change(place.spaceId, issuer, { type: 'WithdrawInvitation', personId: call.params.person })
    return { id: call.params.person, position: String(position) }
  })

  register(app, guards, contract.changeRoles, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { person } = call.params
    const { roles } = call.body
    const approval_id = await waiting(place, issuer, { type: 'ChangeRoles', personId: person, roles }, () => ({
      kind: 'roles',
      person_id: person,
      roles,
      ...given(issuer),
    }))
    const position =
      approval_id === null
        ? (await team.change(place.spaceId, issuer, { type: 'ChangeRoles', personId: person, roles })).position
        : await store.head()
    return { member: await memberOf(actor, place.spaceId, person), approval_id, position: String(position) }
  })

  register(app, guards, contract.grantRight, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { person } = call.params
    const { right } = call.body
    const until = instantOf(call.body.until)
    const approval_id = await waiting(place, issuer, { type: 'GrantRight', personId: person, right, until, now: now() }, () => ({
      kind: 'right',
      person_id: person,
      right,
      until,
      ...given(issuer),
    }))
    const position =
      approval_id === null ? (await team.grantRight(place.spaceId, issuer, person, right, until)).position : await store.head()
    return { member: await memberOf(actor, place.spaceId, person), approval_id, position: String(position) }
  })

  register(app, guards, contract.takeRight, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { person } = call.params
    const { position } = await team.takeRight(place.spaceId, issuer, person, call.body.right)
    return { member: await memberOf(actor, place.spaceId, person), position: String(position) }
  })

  register(app, guards, contract.signPersonOut, async (call) => {
    const { place, actor } = await issued(call)
    const { person } = call.params
    const { state } = await memberOf(actor, place.spaceId, person)
    // The own sessions are on the profile page, where this one stays.
    if (person === actor.userId) throw refused(3)
    if (state === 'invited') throw refused(1402)
    await kit.sessions.endIn(person, place.spaceId)
    return { id: person }
  })

  register(app, guards, contract.deactivatePerson, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { position } = await team.change(place.spaceId, issuer, { type: 'DeactivatePerson', personId: call.params.person })
    return { member: await memberOf(actor, place.spaceId, call.params.person), position: String(position) }
  })

  register(app, guards, contract.resetFactor, async (call) => {
    const { place, issuer, actor } = await issued(call)
    const { spaceId, whitelabelId } = place
    const { person } = call.params
    const member = await memberOf(actor, spaceId, person)
    // One's own is on the profile page, and that of a guest belongs to another account.
    if (person === actor.userId || member.elsewhere) throw refused(3)
    if (member.state === 'invited') throw refused(1402)
    if (!member.second_factor) throw refused(2, [{ path: 'person', code: 2, message: 'This person has no second factor' }])
    const comment = call.body.comment.trim()
    if (comment === '') throw refused(2, [{ path: 'comment', code: 2, message: 'Say how you recognised the person' }])
    await limits.reserve([
      { key: `second factor of ${person}`, ...RESETS_OF_PERSON },
      { key: `second factors in ${spaceId}`, ...RESETS_OF_ACCOUNT },
    ])
    const id = derivedId('second-factor', issuer.context.command_id)
    const command = { kind: 'second_factor', person_id: person, comment } as const
    if (!(await secondPerson.ask({ id, whitelabelId, spaceId, userId: actor.userId, command }))) throw refused(134)
    return { approval_id: id, position: String(await store.head()) }
  })

  register(app, guards, contract.freeSignOn, async (call) => {
    const { place, actor } = await issued(call)
    const { spaceId, whitelabelId } = place
    const { person } = call.params
    const { sign_on: isLinked, elsewhere, roles } = await memberOf(actor, spaceId, person)
    // The links of a guest belong to another account.
    if (elsewhere) throw refused(3)
    if (!isLinked) throw refused(2, [{ path: 'person', code: 2, message: 'No identity provider is linked to this person' }])
    // The next subject with this address that signs in there is this person: for one who confirms what waits, that is a role.
    const waits = confirmingAmong(roles).length > 0 && (await secondPerson.asksForRoles(whitelabelId))
    const command = { kind: 'sign_on_link', person_id: person, comment: '' } as const
    const request = { id: newId(), whitelabelId, spaceId, userId: actor.userId, command }
    const approval_id = waits ? await secondPerson.askOnce(request) : null
    if (waits && approval_id === null) throw refused(134)
    if (!waits) await freeLinks(person)
    if (!waits && confirmingAmong(roles).length > 0)
      await secondPerson.mailOthers({ id: request.id, whitelabelId, what: 'sign_on_link', by: [actor.userId] })
    return { member: await memberOf(actor, spaceId, person), approval_id, position: String(await store.head()) }
  })

  const GIVING = [
    [contract.reactivatePerson, 'ReactivatePerson', 'reactivation'],
    [contract.handOver, 'HandOver', 'hand_over'],
  ] as const
  for (const [endpoint, type, kind] of GIVING)
    register(app, guards, endpoint, async (call) => {
      const { place, issuer, actor } = await issued(call)
      const { person } = call.params
      const approval_id = await waiting(place, issuer, { type, personId: person }, () => ({
        kind,
        person_id: person,
        ...given(issuer),
      }))
      const position =
        approval_id === null
          ? (await team.change(place.spaceId, issuer, { type, personId: person })).position
          : await store.head()
      return { member: await memberOf(actor, place.spaceId, person), approval_id, position: String(position) }
    })

  register(app, guards, contract.listInvitations, async (call) => {
    const open = await team.openInvitations(personOf(call).userId)
    const names = await records.namesOf([...new Set(open.map(({ by }) => by))])
    return {
      invitations: open.map(({ by, ...invitation }) => {
        // Advertisers read no names of staff.
        const person = names.get(by)
        return { ...invitation, by: person !== undefined && isOf(person, invitation.space_id) ? person.name : null }
      }),
    }
  })

  const ANSWERS = [
    [contract.acceptInvitation, 'accept'],
    [contract.declineInvitation, 'decline'],
  ] as const
  for (const [endpoint, how] of ANSWERS)
    register(app, guards, endpoint, async (call) => {
      const { actor, ...caller } = callerOf(call)
      const context = {
        actor: actor.userId,
        on_behalf_of: null,
        source: caller.source,
        command_id: caller.commandId,
        body_hash: caller.bodyHash,
        correlation: caller.correlation,
        causation: null,
      }
      const { position } = await team[how](call.params.id, context)
      return { space_id: call.params.id, position: String(position) }
    })
}

/** The part of a waiting command that names its asker. */
const given = ({ byAdministrator }: Issuer) => ({ by_administrator: byAdministrator, comment: '' }) as const

const isAdministrator = ({ roles }: Actor): boolean => roles.includes('SYSTEM_ADMIN')

/** The instant in its stored form; what is none stays, and the rules refuse it. */
function instantOf(text: string | null): string | null {
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? text : new Date(at).toISOString()
}
