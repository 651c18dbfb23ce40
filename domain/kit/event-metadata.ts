/** Metadata of every event. People are named by id only (fine print 22). */
export type Metadata = {
  /** User id, or `system:<policy>`. */
  readonly actor: string
  readonly role: string
  /** The space acted for, when it is not the actor's home space. */
  readonly on_behalf_of: string | null
  readonly source: Source
  readonly command_id: string
  readonly body_hash: string | null
  readonly correlation: string
  readonly causation: string | null
  /** `traceparent` of the command's span; absent when the trace was not recorded (fine print 99). */
  readonly trace?: string
  /** Business time, never earlier than the event before it in the stream. */
  readonly at: string
  readonly revision: number
  /** Place of this event within its commit, from zero. */
  readonly index: number
  /** Number of events in this commit; absent on events from before it was recorded. */
  readonly of?: number
  readonly previous_hash: string
}
/** `schedule`: a change that its actor scheduled before (fine print 100). */
export type Source = 'ui' | 'api' | 'policy' | 'import' | 'schedule'

/** The caller and the request: the part of the metadata that comes with a command. */
export type CommandContext = Pick<
  Metadata,
  'actor' | 'role' | 'on_behalf_of' | 'source' | 'command_id' | 'body_hash' | 'correlation' | 'causation' | 'trace'
>

/** The context of a command that no user sent: of the policy `system:<policy>`, or of an import by it. */
export const systemContext = (
  policy: string,
  commandId: string,
  { source = 'policy', ...cause }: Partial<Pick<CommandContext, 'source' | 'correlation' | 'causation'>> = {},
): CommandContext => ({
  actor: `system:${policy}`,
  role: 'SYSTEM',
  on_behalf_of: null,
  source,
  command_id: commandId,
  body_hash: null,
  correlation: '',
  causation: null,
  ...cause,
})

const TRACE = '"trace":"'

/** `traceparent` of the command of an event; undefined when its trace was not recorded. The quoted mark cannot occur within a JSON string. */
export function traceOf(metadata: string): string | undefined {
  const mark = metadata.indexOf(TRACE)
  const start = mark + TRACE.length
  return mark === -1 ? undefined : metadata.slice(start, metadata.indexOf('"', start))
}

const COMMAND_ID = '"command_id":"'

/** The command of an event. The quoted mark cannot occur within a JSON string, where quotes are escaped. */
export function commandIdOf(metadata: string): string {
  const start = metadata.indexOf(COMMAND_ID) + COMMAND_ID.length
  const id = metadata.slice(start, metadata.indexOf('"', start))
  return id.includes('\\') ? readMetadata(metadata).command_id : id
}

/** Parses stored metadata. The log contains only what `handle` wrote. */
export const readMetadata = (text: string): Metadata & { readonly hash?: string } => JSON.parse(text)
