import { scimError } from '#contract/scim'
import { envelope, errorEnvelope, stepUpAsked, type Endpoint } from '#contract/http'
import { inScope } from '#contract/api-scopes'
import { IN_COOKIE, SESSION_HEADER } from '#contract/session'
import { z } from '#contract/zod'
import { API_SCOPES, type ApiScope } from '#domain/kit/api-scopes'
import type { Area } from '../areas/area.ts'

type Json = Record<string, unknown>

const MEDIA = {
  none: null,
  json: 'application/json',
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const
const FAILURES = ['400', '401', '403', '404', '405', '409', '413', '414', '415', '429', '500', '503'] as const
const SCIM_MEDIA = 'application/scim+json'
/** OpenAPI's name for the rest of a path, which fastify writes as a star. */
const REST = 'path'

const REFUSED = { $ref: '#/components/responses/Refused' }
const SCIM_REFUSED = { $ref: '#/components/responses/ScimRefused' }
const STEP_UP = { $ref: '#/components/responses/StepUp' }

/** Markdown. */
const DESCRIPTION = `Self-serve advertising: campaigns, moderation, delivery, billing and audit.

**To try calls out at /docs**, open \`POST /v1/oauth/token\` under *sessions*, enter \`username\` and \`password\`, and execute it:
the calls after it are signed in, until the page is reloaded. *Authorize* takes an access token or an API key.

**For programs**, exchange an API key for an access token of 15 minutes by OAuth client credentials (RFC 6749 §4.4):
\`POST /v1/oauth/token\` with \`grant_type=client_credentials\`, \`client_id\` the id of the key, and \`client_secret\` the key,
in the body or by HTTP Basic. The answer has \`access_token\`, \`token_type\`, \`expires_in\` and \`scope\` at its top too, and
refusals have \`error\` and \`error_description\`. The token ends with its key.

Every JSON answer is \`{"type": {"code", "key", "message"}, "data"}\`; code 0 is success.`
const BEARER =
  'The access_token of POST /v1/oauth/token, or an API key. Calls of bidders and exchanges take a service token or a service credential, those of SCIM a token of a directory.'

const CLIENTS = 'clientCredentials'
const CLIENTS_TEXT = 'An API key in exchange for access tokens: client_id is its id, client_secret the key (RFC 6749 §4.4)'
const SCOPE_TEXTS: Readonly<Record<ApiScope, string>> = {
  read: 'Read campaigns, reports, audiences, events, balance and the change log',
  campaigns: 'Create, change, run and archive campaigns and audiences',
  events: 'Send events and manage pixel keys',
  moderation: 'Approve and reject campaigns',
}

/** The scopes of which each alone lets a key make the call. */
const clientScopes = (endpoint: Endpoint): Json[] =>
  API_SCOPES.filter((scope) => inScope(endpoint, [scope])).map((scope) => ({ [CLIENTS]: [scope] }))

/** OpenAPI 3.1 of these areas: one tag for each area, one operation for each endpoint, and named schemas. */
export function openApi(areas: readonly Pick<Area, 'name' | 'summary' | 'endpoints'>[], version: string): Json {
  const schemas = createComponents()
  const paths: Record<string, Json> = {}
  for (const { name, endpoints } of areas)
    for (const endpoint of endpoints) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}').replace('*', `{${REST}}`)
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: { tags: [name], ...operation(endpoint, schemas) } }
    }
  const failure = schemas.refer('Error', errorEnvelope, 'output')
  const scimFailure = schemas.refer('ScimError', scimError, 'output')
  const asked = schemas.refer('StepUp', z.union([envelope(stepUpAsked), errorEnvelope]), 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Placard',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: areas.filter(({ endpoints }) => endpoints.length > 0).map(({ name, summary }) => ({ name, description: summary })),
    paths,
    components: {
      schemas: schemas.all(),
      parameters: HEADERS,
      responses: {
        Refused: {
          description: 'Refused: the code, and every fault at once',
          content: { 'application/json': { schema: failure } },
        },
        ScimRefused: {
          description: 'Refused, in the shape of RFC 7644 section 3.12',
          content: { [SCIM_MEDIA]: { schema: scimFailure } },
        },
        StepUp: {
          description:
            'Not signed in; or with `data.step_up`, no proof of the last five minutes: POST /v1/user/proof, then the same call again',
          content: { 'application/json': { schema: asked } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: BEARER },
        [CLIENTS]: {
          type: 'oauth2',
          description: CLIENTS_TEXT,
          flows: { clientCredentials: { tokenUrl: '/v1/oauth/token', scopes: SCOPE_TEXTS } },
        },
      },
    },
  }
}

type Direction = 'input' | 'output'
type Components = {
  /** A reference to the schema under a name. */
  readonly refer: (name: string, schema: z.ZodMiniType, direction: Direction) => Json
  /** The schema inline; named schemas inside it become references. */
  readonly inline: (schema: z.ZodMiniType, direction: Direction) => Json
  readonly all: () => Json
}

/** Schemas of the document by name. A `named` schema is described once for answers, and once for requests if callers send it. */
function createComponents(): Components {
  const all: Json = {}
  const nameIn = (name: string, direction: Direction) =>
    direction === 'input' && !name.endsWith('Input') ? `${name}Input` : name

  function inline(schema: z.ZodMiniType, direction: Direction): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      // Recursive schemas without a name would refer to the schema's root, which is not the root of the document.
      cycles: 'ref',
    })
    const { id: _name, ...own } = rest as Json
    for (const [name, definition] of Object.entries($defs)) {
      const { id: _id, ...described } = definition as Json
      all[nameIn(name, direction)] ??= pointed(described, direction)
    }
    return pointed(own, direction) as Json
  }

  /** Turns references to one schema's definitions into references to the document's components. */
  function pointed(value: unknown, direction: Direction): unknown {
    if (Array.isArray(value)) return value.map((one) => pointed(one, direction))
    if (typeof value !== 'object' || value === null) return value
    if ('documentedAs' in value) return { $ref: `#/components/schemas/${nameIn(String(value.documentedAs), direction)}` }
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref'
          ? `#/components/schemas/${nameIn(String(inner).slice('#/$defs/'.length), direction)}`
          : pointed(inner, direction),
      ]),
    )
  }

  return {
    inline,
    refer(name, schema, direction) {
      all[name] ??= inline(schema, direction)
      return { $ref: `#/components/schemas/${name}` }
    },
    all: () => Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** `campaign.revisionCount` → `CampaignRevisionCount` */
const typeName = ({ id }: Endpoint): string => id.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())

function operation(endpoint: Endpoint, schemas: Components): Json {
  const media = endpoint.scim === true && endpoint.body === 'json' ? SCIM_MEDIA : MEDIA[endpoint.body]
  const refusal = endpoint.scim === true ? SCIM_REFUSED : REFUSED
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    'x-access': endpoint.access,
    ...(endpoint.stepUp === undefined ? {} : { 'x-step-up': endpoint.stepUp }),
    ...(endpoint.perDay === undefined ? {} : { 'x-per-day': endpoint.perDay.limit }),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }, ...clientScopes(endpoint)],
    parameters: [
      ...parameters(endpoint.params, 'path', schemas),
      ...parameters(endpoint.query, 'query', schemas),
      ...headersOf(endpoint),
      ...(endpoint.session === undefined ? [] : [SESSION]),
    ],
    ...(media === null ? {} : { requestBody: { required: true, content: { [media]: { schema: bodyOf(endpoint, schemas) } } } }),
    responses: {
      ...(endpoint.redirects
        ? SEE_OTHER
        : {
            [endpoint.status ?? 200]: {
              description: 'OK',
              ...(endpoint.session === undefined ? {} : SETS_COOKIE),
              ...answerOf(endpoint, schemas),
            },
          }),
      ...(endpoint.ranged ? { '206': { description: 'A part of the file' }, '416': REFUSED } : {}),
      ...((endpoint.raw && !endpoint.scim && !endpoint.stream && !endpoint.redirects) || endpoint.cached
        ? { '304': { description: 'Not modified' } }
        : {}),
      ...Object.fromEntries(FAILURES.map((status) => [status, refusal])),
      ...(endpoint.stepUp === undefined ? {} : { '401': STEP_UP }),
    },
  }
}

const SEE_OTHER = {
  '303': {
    description: 'See the header Location',
    headers: { Location: { description: 'Where the browser goes on', schema: { type: 'string' } } },
  },
}

function answerOf(endpoint: Endpoint, schemas: Components): Json {
  if (endpoint.stream) return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (endpoint.status === 204) return {}
  if (endpoint.scim)
    return { content: { [SCIM_MEDIA]: { schema: schemas.refer(`${typeName(endpoint)}Answer`, endpoint.output, 'output') } } }
  if (endpoint.raw) return { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
  const schema = schemas.refer(`${typeName(endpoint)}Answer`, envelope(endpoint.output), 'output')
  const csv = endpoint.csv ? { 'text/csv': { schema: { type: 'string' } } } : {}
  return { content: { 'application/json': { schema }, ...csv } }
}

function bodyOf(endpoint: Endpoint, schemas: Components): Json {
  if (endpoint.body === 'multipart')
    return { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
  return endpoint.body === 'text'
    ? schemas.inline(endpoint.input, 'input')
    : schemas.refer(`${typeName(endpoint)}Request`, endpoint.input, 'input')
}

function parameters(schema: z.ZodMiniType, where: 'path' | 'query', schemas: Components): Json[] {
  const { properties = {}, required = [] } = schemas.inline(schema, 'input') as {
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

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})
const HEADERS = {
  IdempotencyKey: header('Idempotency-Key', 'A repeat of the call with the same key and body gets the first answer.'),
  Position: header('X-Position', 'Wait until the answer includes this position of the log.'),
  IfMatch: header('If-Match', 'The revision that the caller saw; another one refuses the call with code 140.'),
}

/** Inline, so that the golden file of the wire names it. */
const SESSION = {
  ...header(
    SESSION_HEADER,
    'For pages of the product: the refresh token travels in a cookie that no script can read, and answers have no refresh_token. Refreshes and sign-outs then need none in their body.',
  ),
  schema: { type: 'string', enum: [IN_COOKIE] },
}
const SETS_COOKIE = {
  headers: {
    'Set-Cookie': {
      description: 'With X-Placard-Session: cookie, the refresh token; empty, with Max-Age=0, where the session has ended',
      schema: { type: 'string' },
    },
  },
}

const headersOf = ({ command, write, secret, scim }: Endpoint): Json[] =>
  [
    ...(command === true || (write === true && secret !== true && scim !== true) ? ['IdempotencyKey'] : []),
    ...(command === true ? ['IfMatch'] : []),
    'Position',
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))
