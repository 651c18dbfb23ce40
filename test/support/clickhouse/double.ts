import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listenOn } from '../ports.ts'

type Behaviour =
  | { readonly kind: 'works' }
  /** Accepts connections and never answers, like a stopped process. */
  | { readonly kind: 'frozen' }
  | { readonly kind: 'refuses'; readonly code: number; readonly type: string }
  | { readonly kind: 'other'; readonly status: number; readonly body: string }

export type ClickHouseDouble = {
  /** FACTS_URL of it, with a secret. */
  readonly url: string
  readonly behave: (behaviour: Behaviour) => void
  /** Statements that inserted rows since the start. */
  readonly inserts: () => readonly string[]
  readonly leave: () => Promise<void>
  readonly come: () => Promise<void>
}

/** The HTTP interface of a ClickHouse without facts: every sum is empty. For what a real server does, see `clickhouse.ts`. */
export async function startClickHouseDouble(): Promise<ClickHouseDouble> {
  let behaviour: Behaviour = { kind: 'works' }
  const inserts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      answer(response, url, url.searchParams.get('query') ?? Buffer.concat(chunks).toString())
    })
  })

  function answer(response: ServerResponse, url: URL, statement: string): void {
    if (behaviour.kind === 'frozen') return
    if (behaviour.kind === 'other') return void response.writeHead(behaviour.status).end(behaviour.body)
    if (url.pathname === '/ping') return void response.end('Ok.\n')
    if (behaviour.kind === 'refuses')
      return void response
        .writeHead(500, { 'X-ClickHouse-Exception-Code': String(behaviour.code) })
        .end(`Code: ${behaviour.code}. DB::Exception: placard:hidden did something. (${behaviour.type})`)
    response.setHeader('X-ClickHouse-Query-Id', 'a')
    if (/^\s*insert/i.test(statement)) inserts.push(statement)
    response.end(statement.includes('system.databases') ? '{"engine":"Atomic"}\n' : '')
  }

  const port = await listenOn(server)
  return {
    url: `http://placard:hidden@127.0.0.1:${port}/facts`,
    behave: (next) => (behaviour = next),
    inserts: () => inserts,
    leave: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    come: async () => void (await listenOn(server, port)),
  }
}
