import type { Role, SingleRight } from '#domain/kit/access'
import { systemContext, type CommandContext } from '#domain/kit/event-metadata'
import { reject } from '#domain/kit/errors'
import { fault } from '#domain/campaign/saving/faults'
import { decideTeam, givesRoles, peopleOf, type Member, type TeamCommand } from '#domain/account/team'
import type { AccountState } from '#domain/account/account'
import type { AccountCommands } from '../account/account-commands.ts'
import type { QueuedMail } from '../mail/mail-queue.ts'
import { Refused } from '../refused.ts'
import type { Sweep } from '../sweep.ts'

/** The account of a team, and the white-label that it belongs to. */
export type TeamPlace = { readonly spaceId: string; readonly whitelabelId: string; readonly name: string }

export type Invitee = {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly roles: readonly Role[]
}

/** The people of an account after an act, and its revision in the account's stream. */
export type AppliedTeam = { readonly spaceId: string; readonly people: readonly Member[]; readonly revision: number }

/** The records of an account's people. Each write may be repeated. */
export type TeamStore = {
  /** What the records say; without those who have an account of their own to come, or whose invitation is being made. */
  readonly known: (spaceId: string) => Promise<readonly Member[]>
  /** Notes that a command may be recorded; answers the note. */
  readonly ask: (spaceId: string) => Promise<string>
  /** Removes the note, unless another command was asked since. */
  readonly settle: (spaceId: string, asked: string) => Promise<void>
  /** Brings the records in line; an older revision changes nothing. */
  readonly apply: (team: AppliedTeam, mail: QueuedMail | null) => Promise<void>
  /**
   * The record of a new person, who cannot come in before `apply`; or the one that the account's people have with this address.
   * Null when the address belongs to someone else.
   */
  readonly addInvited: (id: string, place: TeamPlace, invitee: Invitee) => Promise<string | null>
  /** Lets an invited person in without a password: their identity provider has proved their address. */
  readonly letIn: (id: string) => Promise<void>
  /** Removes the record of a new person whose invitation was refused. */
  readonly removeInvited: (id: string) => Promise<void>
  /** Accounts whose command was asked a while ago and not settled. */
  readonly unsettled: () => Promise<readonly string[]>
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
  async function execute(spaceId: string, asker: Asker, command: Asked<TeamCommand>, mail: QueuedMail | null = null) {
    const known = await store.known(spaceId)
    const asked = await store.ask(spaceId)
    const outcome = await accounts.execute(spaceId, asker.context, { ...command, ...askedOf(asker), known })
    if (outcome.kind === 'rejected') {
      await store.settle(spaceId, asked)
      throw new Refused(outcome.rejection)
    }
    const { state, revision, position } = outcome
    await store.apply({ spaceId, people: peopleOf(known, state), revision }, mail)
    await store.settle(spaceId, asked)
    return { state, position }
  }

  const invitation = ({ spaceId, whitelabelId, name }: TeamPlace, personId: string, cause: string): QueuedMail => ({
    id: derivedId('invitation', spaceId, personId, cause),
    whitelabelId,
    to: { personId },
    template: 'invitation',
    data: { account: name },
  })

  /** The people of an account, by its stream and by what only their records say. */
  async function people(spaceId: string): Promise<{ readonly people: readonly Member[]; readonly state: AccountState }> {
    const [known, read] = await Promise.all([
      store.known(spaceId),
      accounts.execute(spaceId, systemContext('teams', newId()), { type: 'ReadAccount' }),
    ])
    if (read.kind === 'rejected') throw new Refused(read.rejection)
    return { people: peopleOf(known, read.state), state: read.state }
  }

  const invitedId = ({ context }: Asker) => derivedId('invited', context.command_id)

  return {
    people,

    /** Whether an act would give staff a role or a right; refuses what the act itself would. */
    async givesStaffRoles(spaceId: string, asker: Asker, command: Asked<TeamCommand>): Promise<boolean> {
      const { people: known, state } = await people(spaceId)
      const decision = decideTeam({ ...command, ...askedOf(asker), known }, state)
      if (decision.kind === 'rejected') throw new Refused(decision.rejection)
      return state.house && givesRoles(decision.events, command.type)
    },

    /** The id that an invitation by this command gives a person who has none. */
    invitedId,

    /** Invites a person by mail; answers their id. */
    async invite(place: TeamPlace, asker: Asker, invitee: Invitee) {
      const cause = asker.context.command_id
      const added = invitedId(asker)
      const personId = await store.addInvited(added, place, invitee)
      if (personId === null) throw new Refused(reject(1400, [fault('email', 1400, 'cannotBeInvited')]))
      try {
        const command = { type: 'InvitePerson', personId, roles: invitee.roles } as const
        return { personId, ...(await execute(place.spaceId, asker, command, invitation(place, personId, cause))) }
      } catch (error) {
        if (error instanceof Refused && personId === added) await store.removeInvited(added)
        throw error
      }
    },

    /** Mails the invitation again. */
    repeat: (place: TeamPlace, asker: Asker, personId: string) => {
      const mail = invitation(place, personId, asker.context.command_id)
      return execute(place.spaceId, asker, { type: 'RepeatInvitation', personId }, mail)
    },

    /**
     * Adds a person who was never invited, in effect by an invitation that they accept at once: their identity provider has proved
     * their address. `id` is theirs unless the account has a record of the address. Repeating it changes nothing.
     */
    async admit(place: TeamPlace, context: CommandContext, id: string, invitee: Invitee): Promise<void> {
      const personId = await store.addInvited(id, place, invitee)
      if (personId === null) throw new Refused(reject(1400, [fault('email', 1400, 'cannotBeInvited')]))
      try {
        await execute(
          place.spaceId,
          { context, byAdministrator: false },
          { type: 'InvitePerson', personId, roles: invitee.roles },
        )
      } catch (error) {
        // Of sign-ins at once, the first has invited them, and its records may not be in line so far.
        const isInvited = error instanceof Refused && [1400, 1401].includes(error.rejection.code)
        if (!isInvited && error instanceof Refused && personId === id) await store.removeInvited(id)
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
      scan: async () => (await store.unsettled()).map((spaceId) => () => bringInLine(spaceId)),
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
