import type { Action } from '#domain/kit/access'
import { findCampaign } from '#projections/campaign/list/queries'
import { authorize, type Caller } from '#api/http/caller'
import type { Needs } from '#api/areas/services'
import { refused } from '#commands/refused'

/** A campaign of the read model that the caller may read. Throws 130 out of reach, and 3 without the right for the action. */
export async function readableCampaign({ db }: Needs<'db'>, caller: Caller, id: string, action: Action = 'campaign.read') {
  const row = await findCampaign(db, id)
  authorize(caller.actor, action, row === null ? null : { spaceId: row.space_id, whitelabelId: row.whitelabel_id })
  if (row === null) throw refused(130)
  return row
}
