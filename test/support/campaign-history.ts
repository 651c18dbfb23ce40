import type { CampaignEvent } from '#domain/campaign/events'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { StoredEvent } from '#eventstore/event-store'
import { newId } from '#platform/ids'

const DAY = '2026-11-01T'
const banner = { id: 'b', file_id: 'f', width: 300, height: 250, url: null, creative_name: 'b', type_key: 1, size_key: 106 }
const content = { ...DEFAULT_CONTENT, exchange_id: ['google'], visuals: { ...DEFAULT_CONTENT.visuals, banners: [banner] } }
const approved = { status: 'approved', topics: [] }
const decision = { dealsPolicyCompliance: approved, networkPolicyCompliance: approved, platformPolicyCompliance: approved }

/** Commits of events, each at its own time of one day, as the log holds them. */
export function history(
  ...commits: readonly (readonly [
    time: string,
    ...events: readonly { readonly type: CampaignEvent['type']; readonly data: unknown }[],
  ])[]
) {
  const stored: StoredEvent[] = []
  for (const [revision, [time, ...events]] of commits.entries())
    for (const [index, { type, data }] of events.entries())
      stored.push({
        id: newId(),
        type,
        schemaVersion: 1,
        data: JSON.stringify(data),
        metadata: JSON.stringify({ at: `${DAY}${time}:00.000Z`, actor: 'user', revision: revision + 1, index }),
        stream: 'campaign-1',
        version: stored.length + 1,
        position: BigInt(stored.length + 1),
      })
  return stored
}

/** A campaign that was submitted, approved and launched. */
export const LAUNCHED = [
  [
    '08:00',
    { type: 'CampaignCreated', data: { id: 'c', space_id: 's', whitelabel_id: 'w', content, replicated_from: null } },
    { type: 'CampaignSubmitted', data: { submission: 1, started_at: `${DAY}08:00:00.000Z` } },
    { type: 'CampaignSwitchedOn', data: {} },
  ],
  [
    '09:00',
    { type: 'CampaignApproved', data: { submission: 1, version: 1, changes: [] } },
    { type: 'ExchangeDecided', data: { exchange: 'google', creative_id: 'b', content_version: 1, decision } },
    { type: 'CampaignLaunched', data: {} },
  ],
] as const
/** An instant of the day of these commits. */
export const at = (time: string) => `${DAY}${time}:00.000Z`
