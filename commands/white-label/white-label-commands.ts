import {
  decide as decideWhiteLabel,
  decodeWhiteLabelEvent,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  whiteLabelStream,
  type WhiteLabelCommand,
  type WhiteLabelEvent,
  type WhiteLabelState,
} from '#domain/white-label/white-label'
import type { CommandContext } from '#domain/kit/event-metadata'
import { foldBy, type Decider, type Handle } from '../handle.ts'

const whiteLabel: Decider<WhiteLabelState, WhiteLabelEvent> = {
  fold: foldBy(initialWhiteLabel, evolveWhiteLabel, decodeWhiteLabelEvent),
  evolve: evolveWhiteLabel,
  read: decodeWhiteLabelEvent,
}

/** Commands of a white-label. */
export const createWhiteLabelCommands = (handle: Handle) => ({
  execute: (id: string, context: CommandContext, command: WhiteLabelCommand) =>
    handle(whiteLabel, {
      stream: whiteLabelStream(id),
      context,
      decide: async (state) => decideWhiteLabel(id, command, state),
    }),
})
export type WhiteLabelCommands = ReturnType<typeof createWhiteLabelCommands>
