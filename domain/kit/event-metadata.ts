/** What every event says about itself beside its data. People are named by id only (fine print 22). */
export type Metadata = {
  /** User id, or `system:<policy>`. */
  readonly actor: string
  readonly role: string
  /** The space acted for, when it is not the actor's home. */
  readonly on_behalf_of: string | null
  readonly source: Source
  readonly command_id: string
  readonly body_hash: string | null
  readonly correlation: string
  readonly causation: string | null
  /** Business time, never earlier than the event before it in the stream. */
  readonly at: string
  readonly revision: number
  /** Place of this event within its commit, from zero. */
  readonly index: number
  /** Events of this commit; events of before it was recorded have none. */
  readonly of?: number
  readonly previous_hash: string
}
export type Source = 'ui' | 'api' | 'policy' | 'import'

/** Who asks, and on what request: the part of the metadata that a command brings along. */
export type CommandContext = Pick<
  Metadata,
  'actor' | 'role' | 'on_behalf_of' | 'source' | 'command_id' | 'body_hash' | 'correlation' | 'causation'
>

const COMMAND_ID = '"command_id":"'

/** The command an event is of. The quoted mark cannot occur within a JSON string, where quotes are escaped. */
export function commandIdOf(metadata: string): string {
  const start = metadata.indexOf(COMMAND_ID) + COMMAND_ID.length
  const id = metadata.slice(start, metadata.indexOf('"', start))
  return id.includes('\\') ? readMetadata(metadata).command_id : id
}

/** Reads stored metadata. The log only holds what `handle` wrote. */
export const readMetadata = (text: string): Metadata & { readonly hash?: string } => JSON.parse(text)
