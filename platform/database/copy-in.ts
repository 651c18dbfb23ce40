import { pipeline } from 'node:stream/promises'
import type { PoolClient, Submittable } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type CopyChunks = readonly Uint8Array[]

/** Runs a `copy … from stdin`, whose only parameter is its bytes. Rejects with the server's error; the connection stays usable. */
export async function copyIn(client: PoolClient, text: string, chunks: CopyChunks) {
  const stream = copyFrom(text)
  await timed(client, stream, () => pipeline(chunks, stream))
  return { command: 'COPY' as const, rowCount: stream.rowCount, rows: [] }
}

/** The longest timer of Node, milliseconds. */
const NEVER = 2 ** 31 - 1

/**
 * Sends a COPY and does the work of its stream. The driver limits a query by a timer, which it ends with the query's callback; streams
 * of COPY call none ("a finished copy leaves no timer behind"). `unlimited` for one that may take longer than a statement.
 */
export async function timed(
  client: Pick<PoolClient, 'query'>,
  stream: Submittable,
  work: () => Promise<unknown>,
  { unlimited = false }: { readonly unlimited?: boolean } = {},
): Promise<void> {
  const query: Submittable & { query_timeout?: number; callback?: (error: Error | null) => void } = stream
  if (unlimited) query.query_timeout = NEVER
  client.query(query)
  await work().finally(() => query.callback?.(null))
}
