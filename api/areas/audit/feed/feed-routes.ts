import type { FastifyInstance, FastifyReply } from 'fastify'
import { readInstant } from '#domain/campaign/content/dates'
import { reachOf, type Actor } from '#domain/kit/access'
import { auditFeed, type FeedEntry, type FeedQuery } from '#contract/audit-feed'
import { sendCsv, streamCsv } from '#api/http/csv'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { FeedFilter } from '#projections/audit/queries'
import type { Feed } from './feed.ts'
import type { Served } from '#api/areas/services'

const DEFAULT_LIMIT = 100
/** Entries that a file reads at once. */
const FILE_PAGE = 1000
/** Types or paths in one list. */
const MOST_IN_LIST = 50

/** The audit feed, as pages and as a file. */
export function registerFeedRoutes(
  app: FastifyInstance,
  { guards, personal, security }: Served<'personal' | 'security'>,
  feed: Feed,
): void {
  register(app, guards, auditFeed, async (call, reply) => {
    const actor = personOf(call)
    const { query } = call
    const filter = filterOf(query, whiteLabelFor(actor, query.whitelabel_id))
    const descending = query.order === 'desc'
    const range = {
      after: BigInt(query.after ?? '0'),
      before: query.before === undefined ? null : BigInt(query.before),
      descending,
    }
    if (wantsCsv(query, reply)) {
      async function* lines() {
        let { after, before } = range
        for (;;) {
          const { entries, next, head } = await feed.page(actor, filter, { ...range, after, before, limit: FILE_PAGE })
          // Events that come while the file is read are not in it.
          before ??= head + 1n
          yield (await personal.reveal(entries)).flatMap(linesOf)
          if (next === null) return
          if (descending) before = next
          else after = next
        }
      }
      await security.record('exported', call, { call: auditFeed.id, target: null, fields: '' })
      return sendCsv(reply, 'audit-feed.csv', streamCsv(COLUMNS, lines()))
    }
    const { entries, next, head } = await feed.page(actor, filter, { ...range, limit: query.limit ?? DEFAULT_LIMIT })
    return { entries: [...entries], next: next === null ? null : String(next), head: String(head) }
  })
}

/** The white-label that the caller reads; null for all. A white-label out of reach is as unknown as one that does not exist. */
export function whiteLabelFor(actor: Actor, asked: string | null | undefined): string | null {
  if (reachOf(actor, 'log.verify') === 'all') return asked ?? null
  if (asked !== undefined && asked !== null && asked !== actor.whitelabelId) throw refused(131)
  return actor.whitelabelId
}

function filterOf(query: FeedQuery, whitelabelId: string | null): FeedFilter {
  const { actor = null, by = null, kind = null, subject = null, space = null, type, field, from, to } = query
  return {
    whitelabelId,
    actor,
    by,
    kind,
    subject,
    space,
    types: listOf('type', type),
    fields: listOf('field', field),
    from: instantOf('from', from),
    to: instantOf('to', to),
  }
}

function listOf(path: string, text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  const parts = new Set(text.split(',').map((part) => part.trim()))
  if (parts.has('') || parts.size > MOST_IN_LIST)
    throw refused(2, [{ path, code: 2, message: `Must be a list of at most ${MOST_IN_LIST}, separated by commas` }])
  return [...parts]
}

function instantOf(path: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const instant = readInstant(text, 'start', 0)
  if (instant === undefined) throw refused(11, [{ path, code: 11, message: 'Invalid date format' }])
  return instant
}

const wantsCsv = ({ format }: FeedQuery, { request }: FastifyReply): boolean =>
  format === undefined ? /(^|,)\s*text\/csv\b/i.test(request.headers.accept ?? '') : format === 'csv'

const COLUMNS = [
  'position',
  'at',
  'kind',
  'subject_id',
  'subject_name',
  'space_id',
  'space_name',
  'whitelabel_id',
  'version',
  'revision',
  'type',
  'actor_id',
  'author',
  'role',
  'on_behalf_of',
  'source',
  'path',
  'from',
  'to',
  'hash',
] as const

/** One line for each change of an entry; one without a change where it has none. */
function linesOf(entry: FeedEntry): readonly (readonly (string | number)[])[] {
  const { changes, ...rest } = entry
  const said = changes.length === 0 ? [{ path: '', from: null, to: null }] : changes
  return said.map(({ path, from, to }) => {
    const cells: Readonly<Record<string, unknown>> = { ...rest, path, from, to }
    return COLUMNS.map((column) => cellOf(cells[column]))
  })
}

function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}
