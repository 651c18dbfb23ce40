import type { DeliveryPort } from '#commands/delivery/delivery-port'
import type { DeliveredCampaign } from '#domain/delivery/batch'
import { billableCampaigns } from '#projections/campaign/list/money-queries'
import { createServedTimes } from '#commands/campaign/served-times'
import type { Own } from '#api/areas/services'

/** Answers delivery commands from the campaign list, and from the log for when a campaign served. */
export function createDeliveryPort({
  caughtUp,
  db,
  inbox,
  settlements,
  store,
}: Own<'caughtUp' | 'db' | 'inbox' | 'settlements' | 'store'>): DeliveryPort {
  const servedOf = createServedTimes(store)

  return {
    inbox,
    settlements,
    async delivered(ids, whitelabelId) {
      const rows = await billableCampaigns(db, ids)
      const campaigns = new Map<string, DeliveredCampaign>()
      for (const { version, status_key: _, ...row } of rows)
        if (whitelabelId === null || row.whitelabel_id === whitelabelId)
          campaigns.set(row.id, { ...row, served: await servedOf(row.id, version) })
      return campaigns
    },
    caughtUp: () => caughtUp(['campaign-list']),
  }
}
