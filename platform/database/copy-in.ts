import type { Connection, PoolClient, QueryResult, Submittable } from 'pg'
import type { CopyData } from '#eventstore/postgres/copy-rows'

type Done = (error: Error | null, result?: Copied) => void
type Copied = Pick<QueryResult<never>, 'command' | 'rowCount' | 'rows'>

/** Messages of a COPY that the driver's types leave out. */
type CopyConnection = Connection & {
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
}

/** Runs a `copy … from stdin` with its rows. Rejects with the server's error, after which the connection is usable again. */
export const copyIn = (client: PoolClient, text: string, data: CopyData): Promise<Copied> =>
  new Promise((resolve, reject) => {
    client.query(
      new CopyIn(text, data, (error, result) => (error === null ? resolve(result ?? NOTHING) : reject(error))) as Submittable,
    )
  })

const NOTHING: Copied = { command: 'COPY', rowCount: 0, rows: [] }

/** The part of the driver's protocol that a query takes. The driver itself replaces `callback` to limit the time. */
class CopyIn {
  callback: Done
  readonly #text: string
  readonly #data: CopyData
  #copied = NOTHING
  constructor(text: string, data: CopyData, callback: Done) {
    this.#text = text
    this.#data = data
    this.callback = callback
  }
  submit(connection: Connection): void {
    connection.query(this.#text)
  }
  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#data.chunks) connection.sendCopyFromChunk(chunk)
    connection.endCopyFrom()
  }
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#copied = { ...NOTHING, rowCount: Number(text.split(' ')[1] ?? 0) }
  }
  handleError(error: Error): void {
    this.callback(error)
  }
  handleReadyForQuery(): void {
    this.callback(null, this.#copied)
  }
}
