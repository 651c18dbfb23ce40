import type { Role, SingleRight } from '#domain/kit/access'
import { systemContext, type CommandContext } from '#domain/kit/event-metadata'
import { reject } from '#domain/kit/errors'
import { fault } from '#domain/kit/faults'
import { decideTeam, givesRoles, peopleOf, type Member, type TeamCommand } from '#domain/account/team'
import type { AccountState } from '#domain/account/account'
import type { AccountCommands } from '../account/account-commands.ts'
import type { QueuedMail } from '../mail/mail-queue.ts'
import { accepted, Refused } from '../refused.ts'
import { due, type Sweep } from '../sweep.ts'

type InvitationMail = QueuedMail<'account-invitation' | 'invitation'>

/** A person who answers an invitation acts with the role that it gives them. */
const ofInvited = (context: Omit<CommandContext, 'role'>, { roles }: Membership): Asker => ({
  context: { ...context, role: roles[0] ?? 'USER_VIEWER' },
  byAdministrator: false,
})

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
type Invited = { readonly personId: string; readonly by: string }

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
  /** What the records say; without those who have an account of their own to come, or whose invitation is being made. */
  readonly known: (spaceId: string) => Promise<readonly Member[]>
  /** Notes that a command may be recorded; answers the note. */
  readonly ask: (spaceId: string) => Promise<string>
  /** Removes the note, unless another command was asked since. */
  readonly settle: (spaceId: string, asked: string) => Promise<void>
  /** Brings the records in line; an older revision changes nothing. */
  readonly apply: (team: AppliedTeam, mail: InvitationMail | null) => Promise<void>
  /**
   * The record of a new person, who cannot come in before `apply`; or the one that the account's people have with this address, or
   * an active user of another account of advertisers. Null when the address belongs to someone else.
   */
  readonly addInvited: (id: string, place: TeamPlace, invitee: Invitee) => Promise<AddedPerson | null>
  /** What a person whose home is another account is in this one; null for others. */
  readonly membership: (spaceId: string, personId: string) => Promise<Membership | null>
  /** Invitations of a person into further accounts that can be accepted, in the order in which they were mailed. */
  readonly openInvitations: (personId: string) => Promise<readonly OpenInvitation[]>
  /** Lets an invited person in without a password: their identity provider has proved their address. */
  readonly letIn: (id: string) => Promise<void>
  /** Removes what was made for an invitation that was refused, unless another invitation of the address uses it since. */
  readonly removeInvited: (spaceId: string, added: AddedPerson) => Promise<void>
  /** Accounts whose command was asked a while ago and not settled. */
  readonly unsettled: (except: readonly string[]) => Promise<readonly string[]>
}

export type TeamDeps = {
  readonly accounts: AccountCommands
  readonly store: TeamStore
  readonly newId: () => string
  readonly derivedId: (...parts: readonly string[]) => string
  readonly now: () => string
}

/** Who asks; `askedBy` is another person than the actor where a second one confirmed it. */
export type Asker = { readonly context: CommandContext; readonly byAdministrator: boolean; readonly askedBy?: string }

/** What owners do with people. */
type Asked<Command> = Command extends TeamCommand ? Omit<Command, keyof ReturnType<typeof askedOf> | 'known'> : never

const askedOf = ({ context, byAdministrator, askedBy }: Asker) => ({
  by: askedBy ?? context.actor,
  confirmed: askedBy !== undefined,
  byAdministrator,
})

type Act = Exclude<
  TeamCommand['type'],
  'InvitePerson' | 'ChangeRoles' | 'AddRole' | 'RemoveRole' | 'GrantRight' | 'TakeRight' | 'RecordPeople'
>

/**
 * Who belongs to an account. The account's stream decides; the records of its people follow in the same call, or by the policy
 * `teams` after a crash.
 */
export function createTeam({ accounts, store, newId, derivedId, now }: TeamDeps) {
  async function execute(
    spaceId: string,
    asker: Asker,
    command: Asked<TeamCommand>,
    { mail, invited }: { readonly mail: InvitationMail | null; readonly invited: Invited | null } = { mail: null, invited: null },
  ) {
    const known = await store.known(spaceId)
    const asked = await store.ask(spaceId)
    const outcome = await accounts.execute(spaceId, asker.context, { ...command, ...askedOf(asker), known })
    if (outcome.kind === 'rejected') {
      await store.settle(spaceId, asked)
      throw new Refused(outcome.rejection)
    }
    const { state, revision, position } = outcome
    await store.apply({ spaceId, people: peopleOf(known, state), revision, invited }, mail)
    await store.settle(spaceId, asked)
    return { state, position }
  }

  /** The mail of an invitation: a person who has an account accepts it there, others set a password. */
  function invitation({ spaceId, whitelabelId, name }: TeamPlace, asker: Asker, { personId, elsewhere }: AddedPerson) {
    const mail: InvitationMail = {
      id: derivedId('invitation', spaceId, personId, asker.context.command_id),
      whitelabelId,
      to: { personId },
      template: elsewhere ? 'account-invitation' : 'invitation',
      data: { account: name },
    }
    return { mail, invited: { personId, by: askedOf(asker).by } }
  }

  /** The people of an account, by its stream and by what only their records say. */
  async function people(spaceId: string): Promise<{ readonly people: readonly Member[]; readonly state: AccountState }> {
    const [known, read] = await Promise.all([
      store.known(spaceId),
      accounts.execute(spaceId, systemContext('teams', newId()), { type: 'ReadAccount' }),
    ])
    if (read.kind === 'rejected') throw new Refused(read.rejection)
    return { people: peopleOf(known, read.state), state: read.state }
  }

  /** After a refusal: one of several invitations at once may have been recorded with the record that this one made. */
  async function removeUnlessRecorded(spaceId: string, added: AddedPerson): Promise<void> {
    const read = await accounts.execute(spaceId, systemContext('teams', newId()), { type: 'ReadAccount' })
    const recorded = read.kind !== 'rejected' && peopleOf([], read.state).some(({ person_id }) => person_id === added.personId)
    if (!recorded) await store.removeInvited(spaceId, added)
  }

  const invitedId = ({ context }: Asker) => derivedId('invited', context.command_id)

  return {
    people,

    /** Whether an act would give staff a role or a right; refuses what the act itself would. */
    async givesStaffRoles(spaceId: string, asker: Asker, command: Asked<TeamCommand>): Promise<boolean> {
      const { people: known, state } = await people(spaceId)
      const decision = accepted(decideTeam({ ...command, ...askedOf(asker), known }, state))
      return state.house && givesRoles(decision.events, command.type)
    },

    /** The id that an invitation by this command gives a person who has none. */
    invitedId,

    /** Invites a person by mail; answers their id. */
    async invite(place: TeamPlace, asker: Asker, invitee: Invitee) {
      const added = await store.addInvited(invitedId(asker), place, invitee)
      if (added === null) throw new Refused(reject(1400, [fault('email', 1400, 'cannotBeInvited')]))
      const { personId } = added
      try {
        const command = { type: 'InvitePerson', personId, roles: invitee.roles } as const
        return { personId, ...(await execute(place.spaceId, asker, command, invitation(place, asker, added))) }
      } catch (error) {
        if (error instanceof Refused) await removeUnlessRecorded(place.spaceId, added)
        throw error
      }
    },

    /** Mails the invitation again. */
    async repeat(place: TeamPlace, asker: Asker, personId: string) {
      const elsewhere = (await store.membership(place.spaceId, personId)) !== null
      const sent = invitation(place, asker, { personId, elsewhere, version: null })
      return execute(place.spaceId, asker, { type: 'RepeatInvitation', personId }, sent)
    },

    openInvitations: store.openInvitations,

    /**
     * Lets a person who has an account into the one that they are invited to (fine print 93). 131 for an invitation that is over; a
     * repeat changes nothing.
     */
    async accept(spaceId: string, context: Omit<CommandContext, 'role'>) {
      const personId = context.actor
      const isOpen = (await store.openInvitations(personId)).some((one) => one.space_id === spaceId)
      const membership = await store.membership(spaceId, personId)
      if (membership === null || (membership.state !== 'active' && !isOpen)) throw new Refused(reject(131))
      return execute(spaceId, ofInvited(context, membership), { type: 'JoinTeam', personId })
    },

    /** Ends an invitation in the name of the person whom it invites; 131 for one that is over, 1401 for one that was accepted. */
    async decline(spaceId: string, context: Omit<CommandContext, 'role'>) {
      const personId = context.actor
      const membership = await store.membership(spaceId, personId)
      if (membership === null || !['invited', 'active'].includes(membership.state)) throw new Refused(reject(131))
      return execute(spaceId, ofInvited(context, membership), { type: 'WithdrawInvitation', personId })
    },

    /**
     * Adds a person who was never invited, in effect by an invitation that they accept at once: their identity provider has proved
     * their address. `id` is theirs unless the account has a record of the address. Repeating it changes nothing.
     */
    async admit(place: TeamPlace, context: CommandContext, id: string, invitee: Invitee): Promise<void> {
      const added = await store.addInvited(id, place, invitee)
      if (added === null) throw new Refused(reject(1400, [fault('email', 1400, 'cannotBeInvited')]))
      const { personId } = added
      try {
        await execute(
          place.spaceId,
          { context, byAdministrator: false },
          { type: 'InvitePerson', personId, roles: invitee.roles },
        )
      } catch (error) {
        // Of sign-ins at once, the first has invited them, and its records may not be in line so far.
        const isInvited = error instanceof Refused && [1400, 1401].includes(error.rejection.code)
        if (!isInvited && error instanceof Refused) await removeUnlessRecorded(place.spaceId, added)
        if (!isInvited) throw error
        await bringInLine(place.spaceId)
      }
      await join(place.spaceId, context, personId)
    },

    join,

    changeRoles: (spaceId: string, asker: Asker, personId: string, roles: readonly Role[]) =>
      execute(spaceId, asker, { type: 'ChangeRoles', personId, roles }),

    /** Gives or takes one role; the others stay. */
    changeRole: (spaceId: string, asker: Asker, personId: string, type: 'AddRole' | 'RemoveRole', role: Role) =>
      execute(spaceId, asker, { type, personId, role }),

    /** Grants a right beyond the roles, or gives back one of theirs; `until` is an instant, or null for no end. */
    grantRight: (spaceId: string, asker: Asker, personId: string, right: SingleRight, until: string | null) =>
      execute(spaceId, asker, { type: 'GrantRight', personId, right, until, now: now() }),

    /** Ends what was granted, or takes a right of the roles. */
    takeRight: (spaceId: string, asker: Asker, personId: string, right: SingleRight) =>
      execute(spaceId, asker, { type: 'TakeRight', personId, right, now: now() }),

    act: (spaceId: string, asker: Asker, type: Act, personId: string) => execute(spaceId, asker, { type, personId }),

    /** Brings the records in line after a crash between an event and this. */
    policy: {
      name: 'teams',
      scan: async (except) => due(await store.unsettled(except), String, bringInLine),
    } satisfies Sweep,
  }

  /** Lets an invited person in, and records it. */
  async function join(spaceId: string, context: CommandContext, personId: string): Promise<void> {
    await store.letIn(personId)
    const command = { type: 'JoinTeam', personId, by: personId, byAdministrator: false, known: [] } as const
    await accounts.execute(spaceId, { ...context, command_id: derivedId('joined', context.command_id) }, command)
  }

  async function bringInLine(spaceId: string): Promise<void> {
    const context = systemContext('teams', newId())
    await execute(spaceId, { context, byAdministrator: false }, { type: 'RecordPeople' })
  }
}
export type Team = ReturnType<typeof createTeam>
