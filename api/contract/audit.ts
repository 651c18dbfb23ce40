import { change, dryRun, dryRunQuery, idParams, outcome } from './campaign-answers.ts'
import { campaignState, statusReason } from './campaign-body.ts'
import { endpoint, fieldValue, named, page, position } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'

/** Open: an entry shows the fields that its commit knew, which later versions of the product may have renamed or dropped. */
const loggedContent = z
  .record(z.string(), z.unknown())
  .check(z.describe('The content at that revision: the fields of `CampaignContent` that were known then'))

/** The change log, and reading or reverting past revisions (running.md "For auditors"). */

export const logEntry = named(
  'LogEntry',
  z.object({
    revision: z.number(),
    /** Full name, or System, Exchange, Platform. */
    author: z.string(),
    author_id: z.nullable(z.string()),
    source: z.string(),
    /** Event types of the commit, in order. */
    events: z.array(z.string()),
    commit_date: z.string(),
    state_difference: z.array(z.object({ path: z.string(), value: fieldValue, from: fieldValue, to: fieldValue })),
    previous_state: z.nullable(loggedContent),
    current_state: loggedContent,
  }),
)

export type LogEntry = z.infer<typeof logEntry>

export const revisionSnapshot = endpoint({
  id: 'campaign.revisions',
  reads: ['campaign-list', 'campaign-revisions'],
  method: 'GET',
  path: '/v1/campaign/revision/snapshot/:id',
  access: 'log.read',
  summary: 'Change log, newest first; page-num is one-based, total_size counts what the filters let through',
  params: idParams,
  query: z.object({
    'page-num': z.optional(z.coerce.number().check(z.int())),
    'page-size': z.optional(z.coerce.number().check(z.int())),
    author: z.optional(z.string().check(z.maxLength(100))).check(z.describe('Id of the person')),
    field: z
      .optional(z.string().check(z.maxLength(300)))
      .check(
        z.describe('Entries that touched this path or anything in it; elements go without their ids: visuals.banners.file_id'),
      ),
    source: z.optional(z.enum(['people', 'system'])),
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))).check(z.describe('UTC day, YYYY-MM-DD')),
  }),
  output: page(logEntry),
})

/** An entry without its changes: enough to select one. */
export const revisionLine = named(
  'RevisionLine',
  z.pick(logEntry, { revision: true, author: true, author_id: true, commit_date: true }),
)
export type RevisionLine = z.infer<typeof revisionLine>

export const revisionIndex = endpoint({
  id: 'campaign.revisionIndex',
  reads: ['campaign-list', 'campaign-revisions'],
  method: 'GET',
  path: '/v1/campaign/revision/index/:id',
  access: 'log.read',
  summary: 'Who made which revision and when, all of them, newest first',
  params: idParams,
  output: z.array(revisionLine),
})

export const revisionCount = endpoint({
  id: 'campaign.revisionCount',
  reads: ['campaign-list', 'campaign-revisions'],
  method: 'GET',
  path: '/v1/campaign/revision/count/:id',
  access: 'log.read',
  summary: 'Number of change-log entries',
  params: idParams,
  output: z.number(),
})

/** For auditors (running.md). */
export const campaignEvents = endpoint({
  id: 'audit.events',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/events',
  access: 'log.verify',
  summary: 'Stored events of a campaign, byte for byte, with their hashes',
  params: idParams,
  query: z.object({
    from: z.optional(z.coerce.number().check(z.int())),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
  }),
  output: z.array(
    z.object({
      position,
      version: z.number(),
      event_id: z.string(),
      type: z.string(),
      schema_version: z.number(),
      data: z.string(),
      metadata: z.string(),
      hash: z.string(),
      previous_hash: z.string(),
    }),
  ),
})

export const campaignAt = endpoint({
  id: 'audit.at',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/at',
  access: 'log.read',
  summary: 'State of a campaign at a revision or an instant',
  params: idParams,
  query: z.object({ revision: z.optional(z.coerce.number().check(z.int())), time: z.optional(z.string()) }),
  output: z.object({
    revision: z.number(),
    at: z.string(),
    state: campaignState,
    status_key: statusKey,
    status_reasons: z.array(statusReason),
  }),
})

export const campaignDiff = endpoint({
  id: 'audit.diff',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/diff',
  access: 'log.read',
  summary: 'Content changes between two revisions',
  params: idParams,
  query: z.object({ from: z.coerce.number().check(z.int()), to: z.coerce.number().check(z.int()) }),
  output: z.object({ from: z.number(), to: z.number(), changes: z.array(change) }),
})

export const campaignBlame = endpoint({
  id: 'audit.blame',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/blame',
  access: 'log.read',
  summary: 'Per field: its value, since when, by whom, in which command; of the newest state, or of a revision',
  params: idParams,
  query: z.object({ revision: z.optional(z.coerce.number().check(z.int(), z.positive())) }),
  output: z.array(
    z.object({
      path: z.string(),
      value: fieldValue,
      since: z.string(),
      revision: z.number(),
      actor: z.string(),
      command_id: z.string(),
    }),
  ),
})

const fromRevision = {
  reads: [],
  method: 'POST',
  access: 'campaign.write',
  params: idParams,
  query: dryRunQuery,
  body: 'json',
  input: z.object({ revision: z.int().check(z.positive()) }),
  output: z.union([z.extend(outcome, { kept: z.array(z.string()) }), dryRun]),
  command: true,
} as const

export const restoreCampaign = endpoint({
  ...fromRevision,
  id: 'campaign.restore',
  path: '/v1/campaign/:id/restore',
  summary: 'Save the content of an older revision as a new one',
})

export const undoRevision = endpoint({
  ...fromRevision,
  id: 'campaign.undo',
  path: '/v1/campaign/:id/undo',
  summary: 'Take one revision out again, keeping what came after it',
})

export const verifyCampaign = endpoint({
  id: 'audit.verify',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/verify',
  access: 'log.verify',
  summary: 'Hash chain, and replay against the read models',
  params: idParams,
  output: z.object({ valid: z.boolean(), events: z.number(), head_hash: z.string(), faults: z.array(z.string()) }),
})

/** A Merkle root, or a hash of a proof: 32 bytes in base64. */
const hash = z.string().check(z.describe('32 bytes in base64'))
const checkpoint = z.string().check(z.describe('Signed note of C2SP tlog-checkpoint, with the cosignatures of witnesses'))
const treeSize = z.coerce.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))

/** The transparency log (docs/proof.md). */
export const logCheckpoint = endpoint({
  id: 'audit.checkpoint',
  reads: [],
  method: 'GET',
  path: '/v1/audit/checkpoint',
  access: 'public',
  summary: 'The newest signed head of the log of all events, or the one of a size, as a C2SP checkpoint in plain text',
  query: z.object({ size: z.optional(treeSize) }),
  output: z.unknown(),
  raw: true,
})

export const logKeys = endpoint({
  id: 'audit.keys',
  reads: [],
  method: 'GET',
  path: '/v1/audit/keys',
  access: 'public',
  summary: 'Origin of the log and every key that ever signed its heads, the oldest first',
  output: z.object({
    origin: z.string(),
    keys: z.array(
      z.object({
        verifier_key: z.string(),
        created_at: z.string(),
        signs_until: z.nullable(z.string()),
        signs: z.boolean(),
      }),
    ),
  }),
})

export const logHead = endpoint({
  id: 'audit.head',
  reads: [],
  method: 'GET',
  path: '/v1/audit/head',
  access: 'log.verify',
  summary: 'The newest signed head of the log, when it was found to be the newest last, and its witnesses; null before the first',
  output: z.nullable(
    named(
      'LogHead',
      z.object({
        size: z.number(),
        root_hash: hash,
        current_at: z.string().check(z.describe('By the clock of this server: a head itself has no time')),
        witnesses: z.array(
          z.object({
            name: z.string(),
            cosigned_at: z.nullable(z.string()).check(z.describe('By the clock of the witness; null while it has not cosigned')),
          }),
        ),
        checkpoint,
      }),
    ),
  ),
})

export const signCheckpoint = endpoint({
  id: 'audit.sign',
  leaves: true,
  reads: [],
  method: 'POST',
  path: '/v1/audit/checkpoint',
  access: 'log.verify',
  summary: 'Sign a head that has every event committed before the call',
  output: named('SignedHead', z.object({ size: z.number(), root_hash: hash, checkpoint })),
})

export const logProof = endpoint({
  id: 'audit.proof',
  reads: [],
  method: 'GET',
  path: '/v1/audit/proof',
  access: 'log.verify',
  summary: 'Inclusion proof of an event in the head of a size or the newest, or consistency proof between the heads of two sizes',
  query: z.object({
    event: z.optional(z.uuid()),
    size: z.optional(treeSize),
    from: z.optional(treeSize),
    to: z.optional(treeSize),
  }),
  output: z.union([
    named(
      'InclusionProof',
      z.object({
        event_id: z.string(),
        index: z.number(),
        size: z.number(),
        hashes: z.array(hash),
        checkpoint,
        proof: z.string().check(z.describe('The same as one file of C2SP tlog-proof')),
      }),
    ),
    named(
      'ConsistencyProof',
      z.object({
        from: z.number(),
        to: z.number(),
        hashes: z.array(hash),
        from_checkpoint: checkpoint,
        to_checkpoint: checkpoint,
      }),
    ),
  ]),
})

/** Most revisions of one answer; of more, the newest. */
export const MOST_AUTHORS = 20

/** Author of a revision, as far as the caller may know: without the person's id, and without the changes. */
export const revisionAuthor = named(
  'RevisionAuthor',
  z.extend(z.pick(revisionLine, { revision: true, author: true, commit_date: true }), {
    /** Whether the caller made it, in this or another session. */
    own: z.boolean(),
  }),
)
export type RevisionAuthor = z.infer<typeof revisionAuthor>

export const revisionAuthors = endpoint({
  id: 'campaign.authors',
  reads: ['campaign-list', 'campaign-revisions'],
  method: 'GET',
  path: '/v1/campaign/revision/authors/:id',
  access: 'campaign.read',
  summary: 'Who saved a campaign since a revision and when: the newest 20, newest first',
  params: idParams,
  query: z.object({ after: z.coerce.number().check(z.int(), z.nonnegative(), z.lte(2_147_483_647)) }),
  output: z.array(revisionAuthor),
})

export const CHANGE_LOG_ENDPOINTS = [
  revisionSnapshot,
  revisionIndex,
  revisionCount,
  revisionAuthors,
  restoreCampaign,
  undoRevision,
]

export const AUDIT_LOG_ENDPOINTS = [
  campaignEvents,
  campaignAt,
  campaignDiff,
  campaignBlame,
  verifyCampaign,
  logCheckpoint,
  logKeys,
  logHead,
  signCheckpoint,
  logProof,
]
