import {
  audienceStream,
  decide as decideAudience,
  decodeAudienceEvent,
  evolve as evolveAudience,
  initial as initialAudience,
  type AudienceCommand,
  type AudienceEvent,
  type AudienceState,
} from '#domain/audience/audience'
import type { CommandContext } from '#domain/kit/event-metadata'
import { foldBy, type Decider, type Handle } from '../handle.ts'

const audience: Decider<AudienceState, AudienceEvent> = {
  fold: foldBy(initialAudience, evolveAudience, decodeAudienceEvent),
  evolve: evolveAudience,
  read: decodeAudienceEvent,
}

/** Commands of an audience. */
export const createAudienceCommands = (handle: Handle) => ({
  execute: (id: string, context: CommandContext, command: AudienceCommand) =>
    handle(audience, { stream: audienceStream(id), context, decide: async (state) => decideAudience(command, state) }),
})
export type AudienceCommands = ReturnType<typeof createAudienceCommands>
