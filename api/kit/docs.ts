import type { FastifyInstance } from 'fastify'
import { envelope, errorEnvelope, type Endpoint } from '../contract/http.ts'
import { z } from '../contract/zod.ts'

const MEDIA = {
  none: null,
  json: 'application/json',
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const
const FAILURES = ['400', '401', '403', '404', '405', '409', '413', '414', '415', '429', '500', '503'] as const

type Json = Record<string, unknown>
/** What OpenAPI calls the rest of a path, for which fastify writes a star. */
const REST = 'path'
const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest
}

/** OpenAPI 3.1 printed from the contract: what is registered is what is described. */
export function openApi(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}').replace('*', `{${REST}}`)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  const { shared, hoisted } = hoist(paths)
  return {
    openapi: '3.1.0',
    info: { title: 'Placard', version, description: 'Self-serve advertising: campaigns, moderation, audit.' },
    paths: hoisted,
    components: {
      schemas: { Error: schemaOf(errorEnvelope, 'output'), ...shared },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** Recursive schemas refer to definitions of their own; within a document references start at its root, so that these move there. */
function hoist(paths: Json): { readonly shared: Json; readonly hoisted: Json } {
  const shared: Json = {}
  const moved = (value: unknown, prefix: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => moved(one, prefix))
    if (typeof value !== 'object' || value === null) return value
    const { $defs, ...rest } = value as Json
    const own = $defs === undefined ? prefix : `schema${Object.keys(shared).length}.`
    for (const [name, schema] of Object.entries($defs ?? {})) shared[own + name] = moved(schema, own)
    return Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [
        key,
        key === '$ref' ? String(inner).replace('#/$defs/', `#/components/schemas/${own}`) : moved(inner, own),
      ]),
    )
  }
  return { hoisted: moved(paths, '') as Json, shared }
}

function operation(endpoint: Endpoint): Json {
  const media = MEDIA[endpoint.body]
  const failure = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query'), ...headers(endpoint)],
    ...(media === null ? {} : { requestBody: { required: true, content: { [media]: { schema: bodySchema(endpoint) } } } }),
    responses: {
      '200': endpoint.stream
        ? { description: 'Events, until the caller leaves', content: { 'text/event-stream': { schema: { type: 'string' } } } }
        : endpoint.raw
          ? { description: 'The file' }
          : { description: 'OK', content: { 'application/json': { schema: schemaOf(envelope(endpoint.output), 'output') } } },
      ...(endpoint.ranged ? { '206': { description: 'A part of the file' }, '416': failure } : {}),
      ...((endpoint.raw && !endpoint.stream) || endpoint.cached ? { '304': { description: 'Not modified' } } : {}),
      ...Object.fromEntries(FAILURES.map((status) => [status, failure])),
    },
  }
}

const bodySchema = (endpoint: Endpoint): Json =>
  endpoint.body === 'multipart'
    ? { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
    : schemaOf(endpoint.input, 'input')

function parameters(schema: z.ZodMiniType, where: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, shape]) => ({
    name: name === '*' ? REST : name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: shape,
  }))
}

const headers = (endpoint: Endpoint): Json[] =>
  (endpoint.command ? ['Idempotency-Key', 'X-Position'] : ['X-Position']).map((name) => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
  }))

const PAGE = (
  title: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="/docs/docs.css"></head><body><main id="docs"></main><script src="/docs/docs.js"></script></body></html>`

const CSS = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:0}main{max-width:960px;margin:0 auto;padding:32px 24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:15px;margin:32px 0 8px;text-transform:uppercase;letter-spacing:.06em;opacity:.6}
details{border:1px solid color-mix(in srgb,currentColor 15%,transparent);border-radius:8px;margin:8px 0}summary{padding:10px 14px;cursor:pointer;display:flex;gap:12px;align-items:baseline}
summary b{font:600 12px/1 ui-monospace,monospace;min-width:52px}summary code{font:13px ui-monospace,monospace}summary span{opacity:.65;margin-left:auto;text-align:right}
pre{margin:0;padding:14px;overflow:auto;font:12px/1.5 ui-monospace,monospace;border-top:1px solid color-mix(in srgb,currentColor 10%,transparent);max-height:420px}`

const SCRIPT = `fetch('/openapi.json').then(r=>r.json()).then(doc=>{const root=document.getElementById('docs');const el=(tag,text,parent)=>{const e=document.createElement(tag);if(text!==undefined)e.textContent=text;parent.append(e);return e};
el('h1',doc.info.title+' API '+doc.info.version,root);const a=el('a','openapi.json',root);a.href='/openapi.json';const groups={};
for(const [path,ops] of Object.entries(doc.paths))for(const [method,op] of Object.entries(ops)){(groups[op.operationId.split('.')[0]]??=[]).push([method,path,op])}
for(const [name,ops] of Object.entries(groups)){el('h2',name,root);for(const [method,path,op] of ops){const d=el('details',undefined,root);const s=el('summary',undefined,d);el('b',method.toUpperCase(),s);el('code',path,s);el('span',op.summary,s);
const body=op.requestBody?Object.values(op.requestBody.content)[0].schema:null;el('pre',JSON.stringify({access:op['x-access'],parameters:op.parameters.map(p=>p.in+' '+p.name),body,answer:op.responses['200'].content?.['application/json'].schema.properties.data},null,2),d)}}})`

/** GET /openapi.json, and /docs for people. The page is ours: nothing is fetched from elsewhere and no inline script runs. */
export function registerDocs(app: FastifyInstance, endpoints: readonly Endpoint[], version: string): void {
  const document = openApi(endpoints, version)
  app.get('/openapi.json', async () => document)
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE('Placard API')))
  app.get('/docs/docs.css', async (_request, reply) => reply.type('text/css').send(CSS))
  app.get('/docs/docs.js', async (_request, reply) => reply.type('text/javascript').send(SCRIPT))
}
