import * as rules from '#domain/registration/registration'
import { createCommands } from '../aggregate.ts'
import type { Handle } from '../handle.ts'

/** Commands of a registration. */
export const createRegistrationCommands = (handle: Handle) =>
  createCommands(handle, { ...rules, decode: rules.decodeRegistrationEvent, streamOf: rules.registrationStream })
export type RegistrationCommands = ReturnType<typeof createRegistrationCommands>
