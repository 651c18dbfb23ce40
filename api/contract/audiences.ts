import { dryRunQuery } from './campaign-answers.ts'
import { ruleGroup } from './campaign-body.ts'
import { DEVICE_TYPES } from '#domain/audience/column-names'
import { IDENTIFIER_KINDS } from '#domain/audience/identifiers'
import { endpoint, named, page, position } from './http.ts'
import { statusKey as campaignStatusKey } from './sets.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Audiences (platform.md §7, decisions G-218 to G-222, fine print 62). */

/** Largest file, bytes (fine print 26). */
export const AUDIENCE_BYTES = 50 * 1024 * 1024
/** Characters of a name (decisions §0). */
export const AUDIENCE_NAME = 300

const byId = z.object({ id: z.string() })
const text = (most: number) => z.string().check(z.maxLength(most))
const statusKey = z.union([z.literal(1), z.literal(2), z.literal(3)])
const kind = z.enum(['static', 'dynamic'])

const counts = {
  /** Rows of the file of the current version; for rules, the members. */
  row_count: z.number(),
  /** Rows that became members. Accepted, rejected and duplicates add up to the rows. */
  accepted: z.number(),
  rejected: z.number(),
  duplicates: z.number(),
}

const audienceItem = named(
  'Audience',
  z.object({
    id: z.string(),
    space_id: z.string(),
    /** Name of the account. */
    space_name: z.string(),
    name: z.string(),
    type: kind,
    /** 1 processing, 2 ready, 3 failed. */
    status: statusKey,
    status_key: statusKey,
    ...counts,
    /** Members now. */
    matched: z.number(),
    /** The version that new approvals pin; null before the first is ready. */
    version: z.nullable(z.number()),
    /** Campaigns that name it and are not archived. */
    used_in: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
)
export type AudienceItem = z.output<typeof audienceItem>

const audienceVersion = z.object({
  version: z.number(),
  status_key: statusKey,
  ...counts,
  /** Rejected rows by reason: empty, prefix, notFull, anonymous, hashed, scientific, ip, date, plan, format. */
  reasons: z.record(z.string(), z.number()),
  /** Code of the error that it failed with. */
  code: z.nullable(z.number()),
  rules: z.nullable(ruleGroup),
  author: z.string(),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type AudienceVersion = z.output<typeof audienceVersion>

const audienceUse = z.object({
  id: z.string(),
  name: z.string(),
  status_key: campaignStatusKey,
  /** How its targeting names the audience. */
  list: z.enum(['includeAny', 'include', 'exclude']),
  /** The version that the campaign was approved with; null while it serves none. */
  version: z.nullable(z.number()),
  newer_version: z.boolean(),
})

const audienceDetails = named(
  'AudienceDetails',
  z.extend(audienceItem, {
    rules: z.nullable(ruleGroup),
    /** While a file is processed: its rows, and how many are done. */
    progress: z.nullable(z.object({ rows: z.number(), done: z.number() })),
    versions: z.array(audienceVersion),
    campaigns: z.array(audienceUse),
    /** The size over time: the last one of each hour. */
    sizes: z.array(z.object({ at: z.string(), version: z.number(), members: z.number() })),
  }),
)
export type AudienceDetails = z.output<typeof audienceDetails>

const written = named('AudienceWritten', z.object({ id: z.string(), status_key: statusKey, version: z.number(), position }))

/** Description of how a file was read (decisions G-220). */
const readFile = named(
  'AudienceFile',
  z.object({
    column: z.nullable(z.string()).check(z.describe('The column that was read, as the field `column` takes it')),
    as_likely: z.array(z.string()).check(z.describe('Other columns that are as likely')),
    kind: z.enum([...IDENTIFIER_KINDS, 'any']),
    device: z
      .nullable(z.enum(DEVICE_TYPES))
      .check(z.describe('Which device ids these are, where the name of the column says it')),
    country: z.nullable(z.string()).check(z.describe('ISO 3166-1 alpha-2: whose national form of phone numbers is known')),
    rows: z.number(),
    rejected: z.number(),
    reasons: z.record(z.string(), z.number()).check(z.describe('Rejected rows by reason')),
    normalised: z.record(z.string(), z.number()).check(z.describe('Rows that count by what was changed in them')),
    examples: z.array(
      z.object({
        row: z.number(),
        text: z.string(),
        value: z.nullable(z.string()).check(z.describe('The identifier; null for a rejected row')),
        reason: z.nullable(z.string()),
        changes: z.array(z.string()),
      }),
    ),
  }),
)
export type AudienceFile = z.output<typeof readFile>

const uploaded = named('AudienceUploaded', z.extend(readFile, written.shape))

export const uploadAudience = endpoint({
  id: 'audience.upload',
  reads: [],
  method: 'POST',
  path: '/v1/segment-audience/upload',
  access: 'audience.write',
  summary:
    "Upload a CSV of device ids or full phone numbers, at most 50 MiB: form fields `name`, `file`, and `user` (of staff: the user whose account gets it). Further fields before the file: `id` for another version of an audience, `column`, `kind` (device, phone, any), and `phones`: `any` reads numbers with +, 00 or in the national form of the account's country too, and an ISO country code in that of another country. Goes on in the background. `dry_run=true` answers the same and stores nothing",
  body: 'multipart',
  query: dryRunQuery,
  output: z.union([uploaded, readFile]),
  command: true,
})

export const listAudiences = endpoint({
  id: 'audience.list',
  reads: ['audiences', 'campaign-list', 'accounts'],
  method: 'POST',
  path: '/v1/segment-audience/list',
  access: 'audience.read',
  summary: 'Audiences of an account, last changed first; of all accounts in reach for staff who name none. Pages are zero-based',
  body: 'json',
  input: z.object({
    space_id: z.nullish(z.string()),
    /** Part of the name. */
    name: z.nullish(text(AUDIENCE_NAME)),
    type: z.nullish(kind),
    status: z.nullish(statusKey),
    /** Only these, for names of chosen audiences. */
    ids: z.nullish(z.array(text(100)).check(z.maxLength(150))),
    page: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000))),
    page_size: z.nullish(z.int().check(z.gte(1), z.lte(150))),
  }),
  output: page(audienceItem),
})

export const getAudience = endpoint({
  id: 'audience.get',
  reads: ['audiences', 'campaign-list', 'accounts'],
  method: 'GET',
  path: '/v1/segment-audience/:id',
  access: 'audience.read',
  summary: 'An audience with its versions, its size over time and the campaigns that use it',
  params: byId,
  output: audienceDetails,
})

const dynamicInput = {
  name: text(10_000),
  rules: ruleGroup,
}

export const createDynamic = endpoint({
  id: 'audience.createDynamic',
  reads: [],
  method: 'POST',
  path: '/v1/segment-audience/dynamic',
  access: 'audience.write',
  summary: 'Create a dynamic audience: visitors whose events match the rules',
  body: 'json',
  input: z.object({ ...dynamicInput, space_id: z.nullish(z.string()) }),
  output: written,
  command: true,
})

export const saveDynamic = endpoint({
  id: 'audience.saveDynamic',
  reads: [],
  method: 'PUT',
  path: '/v1/segment-audience/dynamic',
  access: 'audience.write',
  summary: 'Rename an audience, or change the rules of a dynamic one, which makes a new version',
  body: 'json',
  input: z.object({ id: text(100), name: dynamicInput.name, rules: z.nullish(ruleGroup), space_id: z.nullish(z.string()) }),
  output: written,
  command: true,
})

export const previewAudience = endpoint({
  id: 'audience.preview',
  reads: ['accounts'],
  method: 'POST',
  path: '/v1/segment-audience/preview',
  access: 'audience.read',
  summary: 'How many visitors match rules now',
  body: 'json',
  input: z.object({ rules: ruleGroup, space_id: z.nullish(z.string()) }),
  output: z.object({
    /** Visitors that were looked at: all, or as many as the preview reads. */
    visitors: z.number(),
    members: z.number(),
    complete: z.boolean(),
  }),
})

export const deleteAudience = endpoint({
  id: 'audience.delete',
  reads: [],
  method: 'DELETE',
  path: '/v1/segment-audience/delete/:id',
  access: 'audience.write',
  summary: 'Delete an audience and its members; 184 names the campaigns that use it in `data.campaigns`',
  params: byId,
  output: z.object({ id: z.string(), position }),
  command: true,
})

export const audienceOverlap = endpoint({
  id: 'audience.overlap',
  reads: ['audiences', 'accounts'],
  method: 'GET',
  path: '/v1/segment-audience/:id/overlap',
  access: 'audience.read',
  summary: 'Members that an audience shares with the other audiences of its account, the largest share first',
  params: byId,
  output: z.object({
    audiences: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        members: z.number(),
        shared: z.number(),
        /** True when the number was counted in a part of large audiences and scaled up. */
        estimated: z.boolean(),
      }),
    ),
  }),
})

export const rejectedRows = endpoint({
  id: 'audience.rejected',
  reads: ['audiences'],
  method: 'GET',
  path: '/v1/segment-audience/:id/rejected/:version',
  access: 'audience.read',
  summary: 'The rejected rows of an upload as CSV: their numbers and reasons; their text is not kept',
  params: z.object({ id: z.string(), version: z.string() }),
  output: z.unknown(),
  raw: true,
  download: true,
})

export const requestAudienceResource = endpoint({
  id: 'audience.requestResource',
  reads: [],
  method: 'POST',
  path: '/v1/audience/audience-resource',
  access: 'audience.write',
  summary: 'Ask for an app or site that the audience resources do not have yet (decisions G-222)',
  body: 'json',
  input: z.object({ name: shownName(300, 2), id: text(300) }),
  output: z.object({ request_id: z.string(), name: z.string(), id: z.string(), requested_at: z.string(), position }),
  write: true,
})

// ── For bidders ──

export const audienceKeys = endpoint({
  id: 'delivery.audienceKeys',
  reads: [],
  method: 'GET',
  path: '/v1/delivery/audience-keys',
  access: 'service',
  serves: 'bidder',
  summary: 'The keys with which identifiers are hashed, by white-label: HMAC-SHA-256, its first 16 bytes (docs/audiences.md)',
  output: z.object({
    algorithm: z.literal('HMAC-SHA-256/128'),
    /** Base64. */
    keys: z.array(z.object({ whitelabel_id: z.string(), key: z.string() })),
  }),
})

export const audienceMembers = endpoint({
  id: 'delivery.audienceMembers',
  reads: ['campaign-list', 'accounts', 'audiences'],
  method: 'GET',
  path: '/v1/delivery/audiences/:id/:version',
  access: 'service',
  serves: 'bidder',
  summary:
    'Members of a version that a campaign may serve with now, from 100 on: sorted hashes of 16 bytes, one after the other. Ask again with If-None-Match',
  params: z.object({ id: z.string(), version: z.string() }),
  output: z.unknown(),
  raw: true,
  download: true,
  cached: true,
})

export const AUDIENCE_ENDPOINTS = [
  uploadAudience,
  listAudiences,
  getAudience,
  createDynamic,
  saveDynamic,
  previewAudience,
  deleteAudience,
  audienceOverlap,
  rejectedRows,
  requestAudienceResource,
  audienceKeys,
  audienceMembers,
]
