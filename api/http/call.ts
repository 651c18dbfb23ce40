import type { Identity } from '#commands/identity/identity'
import type { WhiteLabel } from '#domain/white-label/white-label'

/** A handler's input: parsed and checked, independent of the web framework. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = {
  readonly identity: Identity
  /** The white-label of the host that the call was sent to. */
  readonly whiteLabel: WhiteLabel
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Id of this command: from the Idempotency-Key when there is one (fine print 17). */
  readonly commandId: string
  /** SHA-256 of the body when an Idempotency-Key came with it, else null. */
  readonly bodyHash: string | null
  readonly correlation: string
  readonly source: 'ui' | 'api'
  /** Runs an upload's work once per Idempotency-Key; a repeat with the same file gets the same answer, another file 141. */
  readonly once: <T>(body: { readonly name: string; readonly bytes: Uint8Array }, run: () => Promise<T>) => Promise<T>
  /** From If-Match; null without one. */
  readonly ifMatch: number | null
  /** Address of the client, as the proxies that are trusted report it. */
  readonly address: string
  /** Network of the client's address (`networkOf`). */
  readonly network: string
  /** A program on this machine, through no proxy (`isLocalRequest`). */
  readonly isLocal: boolean
  /** Host name that the call was sent to, without a port. */
  readonly hostname: string
}
