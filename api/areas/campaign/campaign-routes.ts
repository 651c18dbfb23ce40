import type { Served } from '#api/areas/services'
import type { FastifyInstance } from 'fastify'
import { asOf } from '../as-of.ts'
import { createAdminCalls } from './admin-calls.ts'
import { createCampaignCalls } from './campaign-calls.ts'
import { createReadCalls } from './read-calls.ts'
import { adminReach, readableSpace } from './lists.ts'
import { createQuota } from './quota.ts'
import { createSaveCalls } from './save-calls.ts'
import * as audits from '#contract/audit'
import * as lists from '#contract/campaign-list'
import * as contract from '#contract/campaign'
import * as moderation from '#contract/moderation'
import { campaignStatusHistory } from '#contract/status-history'
import type { Call } from '#api/http/call'
import { callerOf } from '#api/http/person'
import { isDryRun, register } from '#api/http/register'
import type { Labels } from '#platform/campaign/labels'
import type { ReviewHolds } from '#platform/campaign/review-holds'
import { pageOfStatusHistory } from './status-history.ts'
import { trendsOf } from './trends.ts'

const byId = (call: Call, id: string) => ({ caller: callerOf(call), id, dryRun: isDryRun(call.query) })

type CampaignStores = { readonly holds: ReviewHolds; readonly labels: Labels }

/** Every campaign call of the contract. */
export function registerCampaignRoutes(
  app: FastifyInstance,
  deps: Served<
    | 'accounts'
    | 'audiences'
    | 'campaigns'
    | 'commands.campaigns'
    | 'db'
    | 'facts'
    | 'files'
    | 'past'
    | 'people'
    | 'personal'
    | 'store'
  >,
  { holds, labels }: CampaignStores,
): void {
  const { guards } = deps
  const quota = createQuota(deps)
  const saves = createSaveCalls(deps, quota, labels)
  const campaigns = createCampaignCalls(deps, holds)
  const reads = createReadCalls(deps)
  const admin = createAdminCalls(deps)
  const saving = <B>(call: Call<unknown, unknown, B>) => ({
    caller: callerOf(call),
    body: call.body,
    dryRun: isDryRun(call.query),
    ifMatch: call.ifMatch,
  })

  register(app, guards, contract.createCampaign, async (call) => saves.create(saving(call)))
  register(app, guards, contract.updateCampaign, async (call) => saves.update(saving(call)))
  register(app, guards, contract.publishCampaign, async (call) => saves.publish(saving(call)))
  register(app, guards, contract.runCampaign, async (call) => campaigns.run(byId(call, call.body)))
  register(app, guards, contract.pauseCampaign, async (call) => campaigns.pause(byId(call, call.body)))
  register(app, guards, contract.toggleArchive, async (call) => campaigns.toggleArchive(byId(call, call.body)))
  register(app, guards, audits.restoreCampaign, async (call) => campaigns.restore(byId(call, call.params.id), call.body.revision))
  register(app, guards, audits.undoRevision, async (call) => campaigns.undo(byId(call, call.params.id), call.body.revision))

  register(app, guards, moderation.approveCampaign, async (call) =>
    campaigns.approve(byId(call, call.body.campaign_id), call.body),
  )
  register(app, guards, moderation.rejectCampaign, async (call) => campaigns.reject(byId(call, call.body.campaign_id), call.body))
  register(app, guards, moderation.moderationQueue, async (call) => reads.queue(callerOf(call), call.body))

  register(app, guards, moderation.adminDetails, async (call) => admin.details(callerOf(call), call.params.id))
  register(app, guards, moderation.saveAdminDetails, async (call) => saves.administer({ ...saving(call), id: call.params.id }))

  register(app, guards, contract.getCampaign, async (call) => {
    const { id } = call.params
    const one = { whitelabelId: null, spaceId: null, id }
    return asOf(deps, call, { campaigns: one }, (kit) => createReadCalls(kit).get(callerOf(call), id))
  })
  register(app, guards, lists.listCampaigns, async (call) => {
    const campaigns = await readableSpace(deps, callerOf(call), call.body.space_id)
    return asOf(deps, call, { campaigns }, (kit) => createReadCalls(kit).list(callerOf(call), call.body))
  })
  register(app, guards, lists.adminListCampaigns, async (call) => {
    const campaigns = await adminReach(deps, callerOf(call), call.body)
    return asOf(deps, call, { campaigns }, (kit) => createReadCalls(kit).adminList(callerOf(call), call.body))
  })
  register(app, guards, lists.adminListAccounts, async (call) => reads.adminAccounts(callerOf(call), call.body))
  register(app, guards, contract.maxMargin, async (call) => reads.maxMargin(callerOf(call), call.query['user-id']))
  register(app, guards, lists.campaignTrends, async (call) => trendsOf(deps, callerOf(call), call.body))
  register(app, guards, lists.countCampaigns, async (call) => reads.count(callerOf(call), call.params.spaceId))
  register(app, guards, audits.revisionSnapshot, async (call) => {
    const { 'page-num': page, 'page-size': size, author = null, field = null, source = null, day = null } = call.query
    return reads.revisions(callerOf(call), call.params.id, { page, size }, { author, field, source, day })
  })
  register(app, guards, audits.revisionIndex, async (call) => reads.revisionIndex(callerOf(call), call.params.id))
  register(app, guards, audits.revisionAuthors, async (call) =>
    reads.revisionAuthors(callerOf(call), call.params.id, call.query.after),
  )
  register(app, guards, audits.revisionCount, async (call) => reads.revisionCount(callerOf(call), call.params.id))

  register(app, guards, campaignStatusHistory, async (call) =>
    pageOfStatusHistory(deps, callerOf(call), { id: call.params.id, page: call.query.page, size: call.query.page_size }),
  )

  register(app, guards, moderation.exchangeCreatives, async (call) =>
    campaigns.undecidedCreatives(call, call.params.exchange, call.query.after ?? ''),
  )
  register(app, guards, moderation.exchangeDecisions, async (call) =>
    campaigns.exchangeDecisions(call, call.params.exchange, call.body.decisions),
  )
}
