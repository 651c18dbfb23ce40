import type { FastifyInstance } from 'fastify'
import { createAdminCalls } from './admin-calls.ts'
import { createAuditCalls } from '../audit/audit-calls.ts'
import { createCampaignCalls, type CampaignCallDeps } from './campaign-calls.ts'
import { createReadCalls } from './read-calls.ts'
import { createSaveCalls } from './save-calls.ts'
import * as audits from '../../contract/audit.ts'
import { explainBidding } from '../../contract/bidding.ts'
import * as lists from '../../contract/campaign-list.ts'
import * as contract from '../../contract/campaign.ts'
import * as moderation from '../../contract/moderation.ts'
import type { Call } from '../../kit/call.ts'
import { callerOf } from '../../kit/person.ts'
import { isDryRun, register, type Doorkeepers } from '../../kit/register.ts'

const byId = (call: Call, id: string) => ({ caller: callerOf(call), id, dryRun: isDryRun(call.query) })

/** Every campaign call of the contract. */
export function registerCampaignRoutes(app: FastifyInstance, doors: Doorkeepers, deps: CampaignCallDeps): void {
  const saves = createSaveCalls(deps)
  const campaigns = createCampaignCalls(deps)
  const reads = createReadCalls(deps)
  const audit = createAuditCalls({ ...deps, reached: doors.reached })
  const admin = createAdminCalls(deps)
  const saving = <B>(call: Call<unknown, unknown, B>) => ({
    caller: callerOf(call),
    body: call.body,
    dryRun: isDryRun(call.query),
    ifMatch: call.ifMatch,
  })

  register(app, doors, contract.createCampaign, async (call) => saves.create(saving(call)))
  register(app, doors, contract.updateCampaign, async (call) => saves.update(saving(call)))
  register(app, doors, contract.publishCampaign, async (call) => saves.publish(saving(call)))
  register(app, doors, contract.runCampaign, async (call) => campaigns.run(byId(call, call.body)))
  register(app, doors, contract.pauseCampaign, async (call) => campaigns.pause(byId(call, call.body)))
  register(app, doors, contract.toggleArchive, async (call) => campaigns.toggleArchive(byId(call, call.body)))
  register(app, doors, audits.restoreCampaign, async (call) => campaigns.restore(byId(call, call.params.id), call.body.revision))
  register(app, doors, audits.undoRevision, async (call) => campaigns.undo(byId(call, call.params.id), call.body.revision))

  register(app, doors, moderation.approveCampaign, async (call) =>
    campaigns.approve(byId(call, call.body.campaign_id), call.body),
  )
  register(app, doors, moderation.rejectCampaign, async (call) => campaigns.reject(byId(call, call.body.campaign_id), call.body))
  register(app, doors, moderation.moderationQueue, async (call) => reads.queue(callerOf(call), call.body))

  register(app, doors, moderation.adminDetails, async (call) => admin.details(callerOf(call), call.params.id))
  register(app, doors, moderation.saveAdminDetails, async (call) => saves.administer({ ...saving(call), id: call.params.id }))

  register(app, doors, contract.getCampaign, async (call) => reads.get(callerOf(call), call.params.id))
  register(app, doors, lists.listCampaigns, async (call) => reads.list(callerOf(call), call.body))
  register(app, doors, lists.adminListCampaigns, async (call) => reads.adminList(callerOf(call), call.body))
  register(app, doors, contract.maxMargin, async (call) => reads.maxMargin(callerOf(call), call.query['user-id']))
  register(app, doors, lists.countCampaigns, async (call) => reads.count(callerOf(call), call.params.spaceId))
  register(app, doors, audits.revisionSnapshot, async (call) => {
    const { 'page-num': page, 'page-size': size, author = null, field = null, source = null } = call.query
    return reads.revisions(callerOf(call), call.params.id, { page, size }, { author, field, source })
  })
  register(app, doors, audits.revisionIndex, async (call) => reads.revisionIndex(callerOf(call), call.params.id))
  register(app, doors, audits.revisionCount, async (call) => reads.revisionCount(callerOf(call), call.params.id))

  register(app, doors, audits.campaignEvents, async (call) =>
    audit.events(callerOf(call), call.params.id, call.query.from, call.query.limit),
  )
  register(app, doors, audits.campaignAt, async (call) =>
    audit.at(callerOf(call), call.params.id, call.query.revision, call.query.time),
  )
  register(app, doors, audits.campaignDiff, async (call) =>
    audit.diff(callerOf(call), call.params.id, call.query.from, call.query.to),
  )
  register(app, doors, audits.campaignBlame, async (call) => audit.blame(callerOf(call), call.params.id))
  register(app, doors, audits.verifyCampaign, async (call) => audit.verify(callerOf(call), call.params.id))

  register(app, doors, explainBidding, async (call) => reads.explainBidding(callerOf(call), call.params.id, call.body))

  register(app, doors, moderation.exchangeDecisions, async (call) =>
    campaigns.exchangeDecisions(call, call.params.exchange, call.body.decisions),
  )
}
