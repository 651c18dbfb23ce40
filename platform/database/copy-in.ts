import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type CopyChunks = readonly Uint8Array[]

/** Runs a `copy … from stdin`, whose only parameter is its bytes. Rejects with the server's error; the connection stays usable. */
export async function copyIn(client: PoolClient, text: string, chunks: CopyChunks) {
  const stream = client.query(copyFrom(text))
  await pipeline(chunks, stream)
  return { command: 'COPY' as const, rowCount: stream.rowCount, rows: [] }
}
