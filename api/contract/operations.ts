import { endpoint, named, page } from './http.ts'
import { z } from './zod.ts'

/** Views and actions of operators (fine print 98). Instants are ISO 8601 UTC, ages seconds. */

const paging = {
  page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000))).check(z.describe('Zero-based')),
  page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))).check(z.describe('50 by default')),
}

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
/** Why, for the security log. */
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(300))

const queue = named(
  'Queue',
  z.object({
    name: z.string(),
    /** True for kinds of durable jobs, which can fail and be given up. */
    is_jobs: z.boolean(),
    /** Due now. Of queues without jobs 10,000 at most. */
    due: z.number(),
    running: z.number(),
    /** Due later: after a failed try, or by plan. */
    waiting: z.number(),
    /** Given up. */
    dead: z.number(),
    /** How long the oldest has been due; 0 without one. */
    oldest_seconds: z.number(),
  }),
)
export type Queue = z.output<typeof queue>

export const readQueues = endpoint({
  id: 'operations.queues',
  method: 'GET',
  path: '/v1/operations/queues',
  access: 'operations.read',
  summary: 'Every queue: kinds of durable jobs, and what else waits to be worked on',
  output: z.object({ queues: z.array(queue) }),
  reads: [],
})

const failedJob = named(
  'FailedJob',
  z.object({
    kind: z.string(),
    key: z.string(),
    tries: z.number(),
    error: z.nullable(z.string()).check(z.describe('Of the last try, 500 characters at most')),
    created_at: z.string(),
    dead_at: z.nullable(z.string()).check(z.describe('When it was given up; null while it is still repeated')),
    next_at: z.nullable(z.string()).check(z.describe('The next try; null for a job that was given up')),
  }),
)
export type FailedJob = z.output<typeof failedJob>

export const listFailedJobs = endpoint({
  id: 'operations.jobs',
  method: 'GET',
  path: '/v1/operations/jobs',
  access: 'operations.read',
  summary: 'Durable jobs that were given up or whose last try failed, those given up first, the newest first',
  query: z.object({ kind: z.optional(text(100)), ...paging }),
  output: page(failedJob),
  reads: [],
})

const jobAct = z.object({ kind: text(100), key: text(500), reason })

export const retryJob = endpoint({
  id: 'operations.retryJob',
  leaves: true,
  method: 'POST',
  path: '/v1/operations/jobs/retry',
  access: 'operations.act',
  stepUp: 'session',
  summary: 'Run a job again at once, with all its tries; 131 when it is over or under way',
  body: 'json',
  input: jobAct,
  output: z.object({}),
  reads: [],
})

export const discardJob = endpoint({
  id: 'operations.discardJob',
  leaves: true,
  method: 'POST',
  path: '/v1/operations/jobs/discard',
  access: 'operations.act',
  stepUp: 'session',
  summary: 'Remove a job that was given up; 131 when there is none',
  body: 'json',
  input: jobAct,
  output: z.object({}),
  reads: [],
})

const readModel = named(
  'ReadModel',
  z.object({
    name: z.string(),
    version: z.number(),
    generation: z.number(),
    /** Events of the log that it has not applied, counted by position. */
    behind: z.number(),
    /** Age of the oldest of them. */
    behind_seconds: z.number(),
    /** Streams that are parked. */
    parked: z.number(),
    /** Why it stopped; null while it runs. */
    error: z.nullable(z.string()),
    /** Part of a new generation that is built, from 0 to 1; null while none is being built. */
    building: z.nullable(z.number()),
    /** The process that leads it, as host:pid; null while none does. */
    leader: z.nullable(z.string()),
  }),
)
export type ReadModel = z.output<typeof readModel>

const parkedStream = named(
  'ParkedStream',
  z.object({
    read_model: z.string(),
    stream: z.string().check(z.describe('The kind and id of its subject, such as campaign-<id>')),
    position: z.string(),
    attempts: z.number(),
    error: z.string(),
    since: z.string(),
  }),
)
export type ParkedStream = z.output<typeof parkedStream>

export const readReadModels = endpoint({
  id: 'operations.readModels',
  method: 'GET',
  path: '/v1/operations/read-models',
  access: 'operations.read',
  summary: 'Every read model, and the 200 streams that have been parked longest',
  output: z.object({ read_models: z.array(readModel), parked: z.array(parkedStream) }),
  reads: [],
})

export const retryParkedStream = endpoint({
  id: 'operations.retryParked',
  leaves: true,
  method: 'POST',
  path: '/v1/operations/read-models/retry',
  access: 'operations.act',
  stepUp: 'session',
  summary: 'Apply the events that a parked stream missed; 131 when it is not parked',
  body: 'json',
  input: z.object({ read_model: text(100), stream: text(200), reason }),
  output: z.object({
    applied: z.boolean(),
    error: z.nullable(z.string()).check(z.describe('Why the stream stays parked; null when it was applied')),
  }),
  reads: [],
})

const liveProcess = named(
  'Process',
  z.object({
    id: z.string(),
    host: z.string(),
    pid: z.number(),
    role: z.string(),
    version: z.string(),
    started_at: z.string(),
    seen_at: z.string().check(z.describe('Its last sign of life')),
  }),
)
export type LiveProcess = z.output<typeof liveProcess>

const awayService = named(
  'AwayService',
  z.object({
    name: z.string(),
    since: z.string().check(z.describe('When the first process noticed it')),
    processes: z.number().check(z.describe('Processes that cannot reach it')),
  }),
)
export type AwayService = z.output<typeof awayService>

export const readProcesses = endpoint({
  id: 'operations.processes',
  method: 'GET',
  path: '/v1/operations/processes',
  access: 'operations.read',
  summary: 'Processes that are alive, at most 200, and the services outside that they cannot reach',
  output: z.object({ processes: z.array(liveProcess), away: z.array(awayService) }),
  reads: [],
})

const serverError = named(
  'ServerError',
  z.object({
    id: z.string(),
    at: z.string(),
    host: z.string(),
    pid: z.number(),
    request_id: z.nullable(z.string()),
    route: z.nullable(z.string()).check(z.describe('Method and route of an answer; null for a line of the log')),
    status: z.nullable(z.number()).check(z.describe('Of an answer; null for a line of the log')),
    message: z.string(),
  }),
)
export type ServerError = z.output<typeof serverError>

export const listServerErrors = endpoint({
  id: 'operations.errors',
  method: 'GET',
  path: '/v1/operations/errors',
  access: 'operations.read',
  summary: 'The last 200 answers with 5xx and lines of the log of level error, of all processes, the newest first',
  query: z.object({ request_id: z.optional(text(200)), ...paging }),
  output: page(serverError),
  reads: [],
})

const setting = named(
  'Setting',
  z.object({
    name: z.string(),
    value: z.nullable(z.string()).check(z.describe('Null for one that is not set and has no default, and for every secret')),
    is_secret: z.boolean(),
    is_set: z.boolean(),
  }),
)
export type Setting = z.output<typeof setting>

export const readSettings = endpoint({
  id: 'operations.settings',
  method: 'GET',
  path: '/v1/operations/settings',
  access: 'operations.read',
  summary: 'The settings with which the process that answers runs, defaults included and without the values of secrets',
  output: z.object({ settings: z.array(setting) }),
  reads: [],
})

const shippedPackage = named(
  'ShippedPackage',
  z.object({
    name: z.string(),
    version: z.string(),
    licence: z.nullable(z.string()).check(z.describe('An SPDX expression; null where the package names none')),
  }),
)
export type ShippedPackage = z.output<typeof shippedPackage>

export const listLicences = endpoint({
  id: 'operations.licences',
  method: 'GET',
  path: '/v1/operations/licences',
  access: 'operations.read',
  summary: 'The packages that are shipped, by name, with their licences; none where the product runs without a build',
  query: z.object(paging),
  output: page(shippedPackage),
  reads: [],
})

export const OPERATIONS_ENDPOINTS = [
  readQueues,
  listFailedJobs,
  retryJob,
  discardJob,
  readReadModels,
  retryParkedStream,
  readProcesses,
  listServerErrors,
  readSettings,
  listLicences,
]
