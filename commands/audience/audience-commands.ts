import * as rules from '#domain/audience/audience'
import { createCommands } from '../aggregate.ts'
import type { Handle } from '../handle.ts'

/** Commands of an audience. */
export const createAudienceCommands = (handle: Handle) =>
  createCommands(handle, { ...rules, decode: rules.decodeAudienceEvent, streamOf: rules.audienceStream })
export type AudienceCommands = ReturnType<typeof createAudienceCommands>
