import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listenOn } from './ports.ts'

/** A value of OTLP, as JSON has it. */
type Value = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly Value[] }
}
type Attribute = { readonly key: string; readonly value: Value }
export type ReceivedSpan = {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
  readonly failed: boolean
}
type Request = { readonly path: string; readonly headers: Readonly<Record<string, unknown>>; readonly body: string }

const plain = ({ arrayValue, intValue, ...other }: Value): unknown =>
  arrayValue !== undefined ? arrayValue.values.map(plain) : intValue !== undefined ? Number(intValue) : Object.values(other)[0]

/** Attributes of OTLP as a record. */
export const recordOf = (attributes: readonly Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))

/** A collector that speaks OTLP/HTTP with JSON, and keeps what it gets. `answer` may refuse a request, or leave it open. */
export async function startCollector({ port = 0, answer }: { port?: number; answer?: (response: ServerResponse) => void } = {}) {
  const requests: Request[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (answer !== undefined) return answer(response)
      if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
        return response.writeHead(415).end()
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const bound = await listenOn(server, port)
  const of = (path: string) => requests.filter((request) => request.path === path)
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    of,
    spans: (): readonly ReceivedSpan[] =>
      of('/v1/traces')
        .flatMap(({ body }) => JSON.parse(body).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }: { readonly spans: readonly Record<string, never>[] }) =>
            spans.map(({ attributes, status, ...span }) => ({
              ...span,
              attributes: recordOf(attributes),
              resource: recordOf(resource.attributes),
              failed: (status as { readonly code?: number } | undefined)?.code === 2,
            })),
          ),
        ),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
