import { peopleOf } from '#domain/account/team'
import { reject } from '#domain/kit/errors'
import { systemContext, type CommandContext } from '#domain/kit/event-metadata'
import { fault } from '#domain/kit/faults'
import { Refused } from '../refused.ts'
import type { AccountCommands } from '../account/account-commands.ts'
import { issuerOf, type ExecuteTeam, type Issuer } from './team-command.ts'
import type { AddedPerson, Invitee, Membership, TeamPlace, TeamStore } from './team-port.ts'

/** A person who answers an invitation acts with the role that it gives them. */
const asInvited = (context: Omit<CommandContext, 'role'>, { roles }: Membership): Issuer => ({
  context: { ...context, role: roles[0] ?? 'USER_VIEWER' },
  byAdministrator: false,
})

type Deps = {
  readonly accounts: AccountCommands
  readonly store: TeamStore
  readonly newId: () => string
  readonly derivedId: (...parts: readonly string[]) => string
  readonly execute: ExecuteTeam
}

/** Invitations into accounts, and their answers. */
export function createInvitations({ accounts, store, newId, derivedId, execute }: Deps) {
  /** The mail of an invitation: a person who has an account accepts it there, others set a password. */
  const mailOf = ({ spaceId, whitelabelId, name }: TeamPlace, issuer: Issuer, { personId, elsewhere }: AddedPerson) => ({
    mail: {
      id: derivedId('invitation', spaceId, personId, issuer.context.command_id),
      whitelabelId,
      to: { personId },
      template: elsewhere ? ('account-invitation' as const) : ('invitation' as const),
      data: { account: name },
    },
    invited: { personId, by: issuerOf(issuer).by },
  })

  async function added(id: string, place: TeamPlace, invitee: Invitee): Promise<AddedPerson> {
    const person = await store.addInvited(id, place, invitee)
    if (person === null) throw new Refused(reject(1400, [fault('email', 1400, 'cannotBeInvited')]))
    return person
  }

  /** After a refusal: one of several concurrent invitations may have been recorded with the record that this one made. */
  async function removeUnlessRecorded(spaceId: string, person: AddedPerson): Promise<void> {
    const read = await accounts.execute(spaceId, systemContext('teams', newId()), { type: 'ReadAccount' })
    const recorded = read.kind !== 'rejected' && peopleOf([], read.state).some(({ person_id }) => person_id === person.personId)
    if (!recorded) await store.removeInvited(spaceId, person)
  }

  const invitedId = ({ context }: Issuer) => derivedId('invited', context.command_id)

  /** Lets an invited person in, and records it. */
  async function join(spaceId: string, context: CommandContext, personId: string): Promise<void> {
    await store.letIn(personId)
    const command = { type: 'JoinTeam', personId, by: personId, byAdministrator: false, known: [] } as const
    await accounts.execute(spaceId, { ...context, command_id: derivedId('joined', context.command_id) }, command)
  }

  return {
    /** The id that an invitation by this command gives a person who has none. */
    invitedId,

    join,

    openInvitations: store.openInvitations,

    /** Invites a person by mail; answers their id. */
    async invite(place: TeamPlace, issuer: Issuer, invitee: Invitee) {
      const person = await added(invitedId(issuer), place, invitee)
      const { personId } = person
      try {
        const command = { type: 'InvitePerson', personId, roles: invitee.roles } as const
        return { personId, ...(await execute(place.spaceId, issuer, command, mailOf(place, issuer, person))) }
      } catch (error) {
        if (error instanceof Refused) await removeUnlessRecorded(place.spaceId, person)
        throw error
      }
    },

    /** Mails the invitation again. */
    async repeat(place: TeamPlace, issuer: Issuer, personId: string) {
      const elsewhere = (await store.membership(place.spaceId, personId)) !== null
      const sent = mailOf(place, issuer, { personId, elsewhere, version: null })
      return execute(place.spaceId, issuer, { type: 'RepeatInvitation', personId }, sent)
    },

    /**
     * Lets a person who has an account into the one that they are invited to (fine print 93). 131 for an invitation that is over; a
     * repeat changes nothing.
     */
    async accept(spaceId: string, context: Omit<CommandContext, 'role'>) {
      const personId = context.actor
      const isOpen = (await store.openInvitations(personId)).some((one) => one.space_id === spaceId)
      const membership = await store.membership(spaceId, personId)
      if (membership === null || (membership.state !== 'active' && !isOpen)) throw new Refused(reject(131))
      return execute(spaceId, asInvited(context, membership), { type: 'JoinTeam', personId })
    },

    /** Ends an invitation in the name of the person whom it invites; 131 for one that is over, 1401 for one that was accepted. */
    async decline(spaceId: string, context: Omit<CommandContext, 'role'>) {
      const personId = context.actor
      const membership = await store.membership(spaceId, personId)
      if (membership === null || !['invited', 'active'].includes(membership.state)) throw new Refused(reject(131))
      return execute(spaceId, asInvited(context, membership), { type: 'WithdrawInvitation', personId })
    },

    /**
     * Adds a person who was never invited, in effect by an invitation that they accept at once: their identity provider has proved
     * their address. `id` is theirs unless the account has a record of the address. Repeating it changes nothing.
     */
    async admit(place: TeamPlace, context: CommandContext, id: string, invitee: Invitee): Promise<void> {
      const person = await added(id, place, invitee)
      const { personId } = person
      const issuer = { context, byAdministrator: false }
      try {
        await execute(place.spaceId, issuer, { type: 'InvitePerson', personId, roles: invitee.roles })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (![1400, 1401].includes(error.rejection.code)) {
          await removeUnlessRecorded(place.spaceId, person)
          throw error
        }
        // Concurrent sign-ins: the first one invites, and its records may lag behind.
        await execute(place.spaceId, { ...issuer, context: systemContext('teams', newId()) }, { type: 'RecordPeople' })
      }
      await join(place.spaceId, context, personId)
    },
  }
}
