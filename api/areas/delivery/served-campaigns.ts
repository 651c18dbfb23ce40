import { createHash } from 'node:crypto'
import { runningCampaigns, runningVersion } from '#projections/campaign/list/money-queries'
import type { Needs } from '#api/areas/services'
import { hasExcluded, servedAudiences } from '../audience/served-audiences.ts'
import { deliverable } from './deliverable.ts'
import { createRememberedTags } from './remembered-tag.ts'
import { QUARTER_MS } from './running-changes.ts'

/** The key of the answer for all white-labels. */
const ALL = ''

/** Campaigns that may serve now, of a white-label or of all (null); the tag alone for a caller that knows it. */
export function createServedCampaigns(kit: Needs<'audiences' | 'db' | 'now'>) {
  const { db, now } = kit
  const scopeOf = (key: string) => (key === ALL ? null : key)

  const answerOf = createRememberedTags(
    async (key) => {
      const instant = now()
      // Schedules begin and end at quarters of an hour.
      const quarter = Math.floor(Date.parse(instant) / QUARTER_MS)
      return `${quarter} ${await runningVersion(db, scopeOf(key), instant)}`
    },
    async (key) => {
      const instant = now()
      const running = await runningCampaigns(db, { whitelabelId: scopeOf(key), ids: null }, instant)
      const audiences = await servedAudiences(
        kit,
        running.map(({ state }) => state),
      )
      const campaigns = running
        .filter(({ id, state }) => hasExcluded(state, audiences.get(id) ?? []))
        .map((campaign) => deliverable(campaign, audiences.get(campaign.id) ?? [], instant))
      const etag = `"${createHash('sha256').update(JSON.stringify(campaigns)).digest('base64url').slice(0, 27)}"`
      return { etag, data: { as_of: instant, campaigns } }
    },
  )
  return (whitelabelId: string | null, isKnown: (etag: string) => boolean) => answerOf(whitelabelId ?? ALL, isKnown)
}
