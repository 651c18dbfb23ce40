import type { CommandContext } from '#domain/kit/event-metadata'
import {
  decide as decideRegistration,
  decodeRegistrationEvent,
  evolve as evolveRegistration,
  initial as initialRegistration,
  registrationStream,
  type RegistrationCommand,
  type RegistrationEvent,
  type RegistrationState,
} from '#domain/registration/registration'
import { foldBy, type Decider, type Handle } from '../handle.ts'

const registration: Decider<RegistrationState, RegistrationEvent> = {
  fold: foldBy(initialRegistration, evolveRegistration, decodeRegistrationEvent),
  evolve: evolveRegistration,
  read: decodeRegistrationEvent,
}

/** Commands of a registration. */
export const createRegistrationCommands = (handle: Handle) => ({
  execute: (personId: string, context: CommandContext, command: RegistrationCommand) =>
    handle(registration, {
      stream: registrationStream(personId),
      context,
      decide: async (state) => decideRegistration(command, state),
    }),
})
export type RegistrationCommands = ReturnType<typeof createRegistrationCommands>
