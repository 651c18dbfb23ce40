import type { DeliveryPort } from '../../../commands/delivery/delivery-port.ts'
import { streamOf } from '../../../domain/campaign/state.ts'
import type { DeliveredCampaign } from '../../../domain/delivery/batch.ts'
import { billableCampaigns } from '../../../projections/campaign-list/money-queries.ts'
import { servingIntervals, type ServingInterval } from '../../../proof/serving.ts'
import { READ_TIMEOUT_MS, type Kit } from '../../kit/kit.ts'

/** Most campaigns whose serving intervals are kept in memory. */
const REMEMBERED = 20_000

/** Answers delivery commands from the campaign list, and from the log for when a campaign served. */
export function createDeliveryPort({ db, inbox, projector, settlements, store }: Kit): DeliveryPort {
  const remembered = new Map<string, { readonly version: number; readonly served: readonly ServingInterval[] }>()

  /** The log says when a campaign served; a campaign's intervals change only with its events. */
  async function servedOf(id: string, version: number): Promise<readonly ServingInterval[]> {
    const known = remembered.get(id)
    if (known?.version === version) return known.served
    const history = await store.readStream(streamOf(id))
    const served = servingIntervals(history)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(id, { version: history.length, served })
    return served
  }

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
    caughtUp: async () => projector.reached(await store.head(), READ_TIMEOUT_MS, ['campaign-list']),
  }
}
