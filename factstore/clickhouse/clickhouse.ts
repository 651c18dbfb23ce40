import { ClickHouseLogLevel, createClient, type ClickHouseSettings } from '@clickhouse/client'
import { readFactsUrl } from './facts-url.ts'

/** Operations of a ClickHouse server that the fact store needs. Values travel as parameters, never as part of a statement. */
export type ClickHouse = {
  readonly query: <Row>(statement: string, params?: Params) => Promise<readonly Row[]>
  /** Rows as the server sends them, in pages of its choice; memory does not grow with their number. */
  readonly stream: <Row>(statement: string, params?: Params) => AsyncIterable<readonly Row[]>
  /** Inserts the rows as one block. The server drops a block whose token it has seen among the last ones of the table. */
  readonly insert: (table: string, rows: readonly object[], token: string) => Promise<void>
  /** A statement that answers nothing. */
  readonly run: (statement: string) => Promise<void>
  /** Resolves when the server answers anything at all: no rights, user or database are needed. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Params = Readonly<Record<string, string | number | readonly string[]>>

/** The longest silence of the server within an answer, milliseconds. The watch of `commands/outside.ts` notices an absent server earlier. */
const SILENCE_MS = 9000
/** The same for a stream, whose reader may be a slow connection to a browser. */
const STREAM_SILENCE_MS = 600_000
/** Connections of one process: as many as it has for PostgreSQL. */
const CONNECTIONS = 20

const READING: ClickHouseSettings = {
  // Answers must not depend on the server's profile.
  output_format_json_quote_64bit_integers: 1,
  max_execution_time: SILENCE_MS / 1000,
}
/** The server counts the time in which it waits for the reader. */
const STREAMING: ClickHouseSettings = { ...READING, max_execution_time: 3600 }
const WRITING: ClickHouseSettings = {
  // 1. The answer means that the rows are stored.
  async_insert: 0,
  wait_for_async_insert: 1,
  // 2. The rows of a statement are one block, and so one part of each month: stored whole or not at all.
  input_format_parallel_parsing: 0,
  max_insert_block_size: '1048576',
  min_insert_block_size_rows: '1048576',
  min_insert_block_size_bytes: '1073741824',
  // 3. A token counts once.
  insert_deduplicate: 1,
}
/** On a replicated table most replicas store a block before it is acknowledged, and a read includes every acknowledged block. */
const QUORUM: ClickHouseSettings = { insert_quorum: 'auto', insert_quorum_parallel: 0, select_sequential_consistency: '1' }

/** The server names the statement in each answer. What does not is the page of a proxy, say: it holds no rows, and stored none. */
function answered<T extends { readonly response_headers: Readonly<Record<string, unknown>> }>(answer: T): T {
  if (answer.response_headers['x-clickhouse-query-id'] === undefined) throw new Error('HTTP answer that is none of ClickHouse')
  return answer
}

/**
 * Opens a client for `http(s)://user:password@host:8123/database`; does not connect. Throws on anything else, without repeating the
 * text, which may hold a secret.
 */
export function openClickHouse(url: string, { quorum = false }: { readonly quorum?: boolean } = {}): ClickHouse {
  const { server, user, password, database } = readFactsUrl(url)
  const open = (silenceMs: number, connections: number) =>
    createClient({
      url: server,
      username: user,
      password,
      database,
      application: 'placard',
      request_timeout: silenceMs,
      max_open_connections: connections,
      // The product logs failures itself; the client would log whole statements.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: quorum ? QUORUM : {},
    })
  const client = open(SILENCE_MS, CONNECTIONS)
  // Connections of their own: pings must not wait for calls, nor calls for slow readers of files.
  const streams = open(STREAM_SILENCE_MS, CONNECTIONS)
  const pings = open(SILENCE_MS, CONNECTIONS)
  const ask = async (from: typeof client, query: string, params: Params = {}) =>
    answered(
      await from.query({
        query,
        format: 'JSONEachRow',
        // Long lists of ids exceed what an address may hold.
        use_multipart_params_auto: true,
        query_params: { ...params },
        clickhouse_settings: from === streams ? STREAMING : READING,
      }),
    )

  return {
    query: async <Row>(statement: string, params?: Params) => (await ask(client, statement, params)).json<Row>(),
    async *stream<Row>(statement: string, params?: Params): AsyncGenerator<readonly Row[]> {
      for await (const rows of (await ask(streams, statement, params)).stream<Row>()) yield rows.map((row) => row.json())
    },
    async insert(table, values, token) {
      const clickhouse_settings = { ...WRITING, insert_deduplication_token: token }
      answered(await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings }))
    },
    async run(query) {
      answered(await client.command({ query }))
    },
    async ping() {
      const answer = await pings.ping()
      if (!answer.success) throw answer.error
    },
    async close() {
      await Promise.all([client, streams, pings].map((each) => each.close()))
    },
  }
}
