import type { AccountState } from '#domain/account/account'
import type { TeamCommand } from '#domain/account/team'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { Position } from '#eventstore/event-store'
import type { Invited, InvitationMail } from './team-port.ts'

/** In whose name a command is issued; `askedBy` is another person than the actor where a second one confirmed it. */
export type Issuer = { readonly context: CommandContext; readonly byAdministrator: boolean; readonly askedBy?: string }

export const issuerOf = ({ context, byAdministrator, askedBy }: Issuer) => ({
  by: askedBy ?? context.actor,
  confirmed: askedBy !== undefined,
  byAdministrator,
})

/** A command without its issuer and what the records know, which every command has. */
export type Unissued<Command> = Command extends TeamCommand ? Omit<Command, keyof ReturnType<typeof issuerOf> | 'known'> : never
type Sent = { readonly mail: InvitationMail; readonly invited: Invited }

/** Decides a command on the account's stream, and brings the records of its people in line. */
export type ExecuteTeam = (
  spaceId: string,
  issuer: Issuer,
  command: Unissued<TeamCommand>,
  sent?: Sent,
) => Promise<{ readonly state: AccountState; readonly position: Position }>
