import { queryOptions } from '@tanstack/react-query'
import { campaignBlame, campaignEvents, logProof, verifyCampaign } from '#contract/audit'
import { campaignStatusHistory, type StatusChangeRow } from '#contract/status-history'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'

const PAGE = 100
/** Events that one call answers at most. */
const EVENTS = 1000

export const timelineQueries = {
  /** Every past status, newest first. */
  statuses: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, 'statuses'],
      queryFn: async ({ signal }) => {
        const found: StatusChangeRow[] = []
        for (let page = 0; ; page++) {
          const answer = await call(campaignStatusHistory, { params: { id }, query: { page, page_size: PAGE }, signal })
          found.push(...answer.data)
          if (answer.data.length === 0 || found.length >= answer.total_size) return found
        }
      },
    }),
  /** Author of each field, as of a revision. Past revisions never change. */
  blame: (id: string, revision: number) =>
    queryOptions({
      queryKey: ['campaigns', 'past', id, 'blame', revision],
      queryFn: ({ signal }) => call(campaignBlame, { params: { id }, query: { revision }, signal }),
      staleTime: Infinity,
    }),
}

export const verified = (id: string) => call(verifyCampaign, { params: { id } })

/** Returns the id of the last event of a revision; null when the log has no such revision. */
export async function eventOfRevision(id: string, revision: number): Promise<string | null> {
  // A revision has one event or more, so its version is never below its number.
  for (let from = revision; ; from += EVENTS) {
    const events = await call(campaignEvents, { params: { id }, query: { from, limit: EVENTS } })
    const within = events.filter(({ metadata }) => revisionIn(metadata) === revision)
    if (within.length > 0) return within.at(-1)?.event_id ?? null
    if (events.length < EVENTS) return null
  }
}

function revisionIn(metadata: string): number | null {
  const read: unknown = JSON.parse(metadata)
  return typeof read === 'object' && read !== null && 'revision' in read && typeof read.revision === 'number'
    ? read.revision
    : null
}

/** Returns the proof that the log has the revision, as a file of C2SP tlog-proof; null when the log has no such revision. */
export async function proofOfRevision(id: string, revision: number): Promise<Blob | null> {
  const event = await eventOfRevision(id, revision)
  if (event === null) return null
  const answer = await call(logProof, { query: { event } })
  return 'proof' in answer ? new Blob([answer.proof], { type: 'text/plain' }) : null
}
