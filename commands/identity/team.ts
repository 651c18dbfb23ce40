import type { SingleRight } from '#domain/kit/access'
import { systemContext } from '#domain/kit/event-metadata'
import { decideTeam, givesRoles, peopleOf, type Member, type TeamCommand } from '#domain/account/team'
import type { AccountState } from '#domain/account/account'
import type { AccountCommands } from '../account/account-commands.ts'
import { accepted, Refused } from '../refused.ts'
import { due, type Sweep } from '../sweep.ts'
import { createInvitations } from './invitations.ts'
import { issuerOf, type ExecuteTeam, type Issuer, type Unissued } from './team-command.ts'
import type { TeamStore } from './team-port.ts'

export type TeamDeps = {
  readonly accounts: AccountCommands
  readonly store: TeamStore
  readonly newId: () => string
  readonly derivedId: (...parts: readonly string[]) => string
  readonly now: () => string
}

/**
 * The people of an account. The account's stream decides; the records of its people follow in the same call, or by the policy
 * `teams` after a crash.
 */
export function createTeam(deps: TeamDeps) {
  const { accounts, store, newId, now } = deps

  const execute: ExecuteTeam = async (spaceId, issuer, command, sent) => {
    const known = await store.known(spaceId)
    const note = await store.begin(spaceId)
    const outcome = await accounts.execute(spaceId, issuer.context, { ...command, ...issuerOf(issuer), known })
    if (outcome.kind === 'rejected') {
      await store.settle(spaceId, note)
      throw new Refused(outcome.rejection)
    }
    const { state, revision, position } = outcome
    const invited = sent?.invited ?? null
    await store.apply({ spaceId, people: peopleOf(known, state), revision, invited }, sent?.mail ?? null)
    await store.settle(spaceId, note)
    return { state, position }
  }

  /** The people of an account, by its stream and by what only their records say. */
  async function people(spaceId: string): Promise<{ readonly people: readonly Member[]; readonly state: AccountState }> {
    const [known, read] = await Promise.all([
      store.known(spaceId),
      accounts.execute(spaceId, systemContext('teams', newId()), { type: 'ReadAccount' }),
    ])
    const { state } = accepted(read)
    return { people: peopleOf(known, state), state }
  }

  return {
    ...createInvitations({ ...deps, execute }),
    people,

    /** Whether a command would give staff a role or a right; refuses what the command itself would. */
    async givesStaffRoles(spaceId: string, issuer: Issuer, command: Unissued<TeamCommand>): Promise<boolean> {
      const { people: known, state } = await people(spaceId)
      const { events } = accepted(decideTeam({ ...command, ...issuerOf(issuer), known }, state))
      return state.house && givesRoles(events, command.type)
    },

    change: (spaceId: string, issuer: Issuer, command: Unissued<TeamCommand>) => execute(spaceId, issuer, command),

    /** Grants a right beyond the roles, or gives back one of theirs; `until` is an instant, or null for no end. */
    grantRight: (spaceId: string, issuer: Issuer, personId: string, right: SingleRight, until: string | null) =>
      execute(spaceId, issuer, { type: 'GrantRight', personId, right, until, now: now() }),

    /** Ends what was granted, or takes a right of the roles. */
    takeRight: (spaceId: string, issuer: Issuer, personId: string, right: SingleRight) =>
      execute(spaceId, issuer, { type: 'TakeRight', personId, right, now: now() }),

    /** Brings the records in line after a crash between an event and this. */
    policy: {
      name: 'teams',
      scan: async (except) =>
        due(await store.unsettled(except), String, async (spaceId) => {
          const context = systemContext('teams', newId())
          await execute(spaceId, { context, byAdministrator: false }, { type: 'RecordPeople' })
        }),
    } satisfies Sweep,
  }
}
export type Team = ReturnType<typeof createTeam>
