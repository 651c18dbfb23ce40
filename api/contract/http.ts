import type { Action } from '#domain/kit/access'
import { z } from './zod.ts'

/** How a request body travels. `text` is a bare id (campaigns.md §7), `form` is url-encoded (sign-in). */
export type BodyKind = 'none' | 'json' | 'text' | 'form' | 'multipart'

/** Read models that serve calls, by the names of `projections/read-models.ts`. */
export type ReadModelName =
  | 'accounts'
  | 'audiences'
  | 'audit-log'
  | 'campaign-list'
  | 'campaign-revisions'
  | 'invoices'
  | 'moderation-queue'
  | 'payments'
  | 'registrations'
  | 'white-labels'

/** Allowed callers: an action of the access table, any signed-in user, anyone, the holder of the service token, or a directory. */
export type Access = Action | 'signed-in' | 'public' | 'service' | 'directory'

/**
 * How a call makes sure that the user of its session is still there (fine print 83): by a proof of the session of the last five
 * minutes; or by that, or in its place by the `password`, and the `code` while the second factor is on, in its own body.
 */
export type StepUp = 'session' | 'session-or-password'

/**
 * One call of the product as a value: the source of its route, of the SPA's client and of OpenAPI.
 * `path` is in fastify's form (`/v1/campaign/:id`). `output` describes `data` of the envelope; `raw` answers have none.
 */
export type Endpoint<Params extends z.ZodMiniType = z.ZodMiniType, Output extends z.ZodMiniType = z.ZodMiniType> = {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  /** Refused with 401 and `data.step_up` without a recent proof. No API key and no service can make such a call. */
  readonly stepUp?: StepUp
  /** On service calls: the right that lets a user make them too. */
  readonly alsoFor?: Action
  /** On service calls: the kind of credential that may make them. */
  readonly serves?: 'exchange' | 'bidder'
  readonly summary: string
  readonly params: Params
  readonly query: z.ZodMiniType
  readonly body: BodyKind
  readonly input: z.ZodMiniType
  readonly output: Output
  readonly raw?: boolean
  /** Bodies, answers and refusals have the shapes and the media type of SCIM (RFC 7644), and repeats are safe without a key. */
  readonly scim?: boolean
  /** The status of a success, where it is not 200. */
  readonly status?: 201 | 204
  /** Leads the browser to another address, 303, instead of its own answer. */
  readonly redirects?: boolean
  /** Answers with a file to save, which a client may read slowly: a user has few at once. */
  readonly download?: boolean
  /** Reads many rows: it has connections apart from those of other calls, and an account has few such calls at once. */
  readonly heavy?: boolean
  /** Answers with server-sent events for as long as the caller listens. */
  readonly stream?: boolean
  /** Serves what users uploaded, to anyone: from the content origin where there is one. */
  readonly userContent?: boolean
  /** Answers 206 to range requests. */
  readonly ranged?: boolean
  /** Largest JSON body, bytes; 1 MiB without it (fine print 26). */
  readonly bodyLimit?: number
  /** Answers with the same rows as a CSV file to `format=csv` and to `Accept: text/csv`. */
  readonly csv?: boolean
  /** Answers with an ETag, and 304 to a matching If-None-Match. */
  readonly cached?: boolean
  /** The read models that serve it, which must have reached X-Position; empty for calls served by the log or other tables. */
  readonly reads: readonly ReadModelName[]
  /** A write outside campaigns: returns the newest position in the header, and in `data` where that is an object. */
  readonly write?: boolean
  /** Its answer holds a secret that is shown once: never compressed and never stored, so Idempotency-Key has no effect. */
  readonly secret?: boolean
  /**
   * Effect of the call on the session of a browser: its answer holds the first or the next refresh token, or it ends the session.
   * A page may ask for that token in a cookie (fine print 90).
   */
  readonly session?: 'opens' | 'renews' | 'ends'
  /** Takes client credentials too (RFC 6749 §4.4): in the header or the body, with the members of OAuth beside the envelope. */
  readonly clients?: boolean
  /** A command: takes Idempotency-Key and returns its position. */
  readonly command?: boolean
  /** Neither of these, and yet it leaves something behind, such as a security event or a session. */
  readonly leaves?: boolean
  /** How often in 24 hours it succeeds, for the person who asks or for what its path names; calls of one name count together. */
  readonly perDay?: { readonly of: 'person' | 'target'; readonly name: string; readonly limit: number }
  /** Stops spending, or takes power away: carried out also for an account that has used up its writes of the day. */
  readonly stops?: boolean
}

type Described<P extends z.ZodMiniType, Q extends z.ZodMiniType, I extends z.ZodMiniType, O extends z.ZodMiniType> = Omit<
  Endpoint,
  'params' | 'query' | 'body' | 'input' | 'output'
> & {
  readonly params?: P
  readonly query?: Q
  readonly body?: BodyKind
  readonly input?: I
  readonly output: O
}

const nothing = z.object({})

/** Fills in the defaults, and keeps the precise types of the rest. */
export function endpoint<
  P extends z.ZodMiniType = typeof nothing,
  Q extends z.ZodMiniType = typeof nothing,
  I extends z.ZodMiniType = z.ZodMiniUndefined,
  O extends z.ZodMiniType = z.ZodMiniUnknown,
>(described: Described<P, Q, I, O>) {
  const { params, query, body, input, ...rest } = described
  return {
    ...rest,
    params: (params ?? nothing) as P,
    query: (query ?? nothing) as Q,
    body: body ?? 'none',
    input: (input ?? z.undefined()) as I,
  }
}

/** The schema under its own name in the API's documentation. */
/* @__NO_SIDE_EFFECTS__ */
export function named<T extends z.ZodMiniType>(id: string, schema: T): T {
  z.globalRegistry.add(schema, { id })
  return schema
}

/** The schema, documented as the one of this name: for levels of what the documentation shows as recursive. */
/* @__NO_SIDE_EFFECTS__ */
export function documentedAs<T extends z.ZodMiniType>(name: string, schema: T): T {
  z.globalRegistry.add(schema, { documentedAs: name })
  return schema
}

/**
 * A text or a number whose values the documentation lists. The call checks them itself: for its own code, or because it takes other
 * spellings too.
 */
/* @__NO_SIDE_EFFECTS__ */
export function among<T extends z.ZodMiniType>(schema: T, values: readonly (string | number)[]): T {
  return schema.check(z.meta({ enum: [...values] }))
}

export const fault = named(
  'Fault',
  z.object({
    path: z.string(),
    code: z.number(),
    message: z.string(),
    tab: z.optional(z.string()),
    key: z.optional(z.string()),
    params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  }),
)

export const envelopeType = named('Result', z.object({ code: z.number(), key: z.string(), message: z.string() }))

/** The envelope around every JSON answer (running.md "The wire"). */
export const envelope = <T extends z.ZodMiniType>(data: T) => z.object({ type: envelopeType, data })

/** `data` of the 401 of a call that needs a proof of the last five minutes: POST /v1/user/proof, then the same call again. */
export const stepUpAsked = z.looseObject({
  step_up: z.object({
    methods: z
      .array(z.enum(['password', 'code', 'passkey', 'sign_on']))
      .check(
        z.describe(
          'With `code`, the password needs a code of the second factor; `passkey` answers in place of both. `sign_on`: a new sign-in at the provider, for sessions that began there',
        ),
      ),
    sign_on: z.optional(z.object({ id: z.string(), name: z.string() })),
  }),
})

export const errorEnvelope = z.object({
  type: envelopeType,
  data: z.nullable(z.looseObject({ errors: z.array(fault), request_id: z.optional(z.string()) })),
  error: z.optional(z.string()).check(z.describe('Of the grant of client credentials alone: the code of RFC 6749 §5.2')),
  error_description: z.optional(z.string()).check(z.describe('The same in words')),
})

/** A page of a list: `current_page` is zero-based but where an endpoint says otherwise. */
export const page = <T extends z.ZodMiniType>(row: T) =>
  z.object({ current_page: z.number(), page_size: z.number(), total_size: z.number(), data: z.array(row) })

/** Reads that answer for the past too: state, balance and review as of that moment (running.md "For auditors"). */
export const asOfQuery = z.object({
  as_of: z
    .optional(z.string().check(z.maxLength(40)))
    .check(
      z.describe(
        'An instant, or a day for its end, UTC: the answer as of then. For users with the right to read the log; names of people are those of now',
      ),
    ),
})

/** A field's value, of any type: text, number, flag, list or object, as the record that holds the field shows it. */
export const fieldValue = z
  .unknown()
  .check(z.describe('The value of the field, of any type, as the record itself shows it; null where it was not set'))

/** Decimal string in the global order of the log; send it back as X-Position to read your own writes. */
export const position = z.string()
