import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/labels'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import type { Labels } from '#platform/campaign/labels'
import { createLabelCalls } from './label-calls.ts'
import type { Served } from '#api/areas/services'

export function registerLabelRoutes(
  app: FastifyInstance,
  deps: Served<'accounts' | 'campaigns' | 'people'>,
  stored: Labels,
): void {
  const { guards } = deps
  const labels = createLabelCalls(deps, stored)
  register(app, guards, contract.listLabels, async (call) => labels.list(callerOf(call), call.query.space_id))
  register(app, guards, contract.addLabel, async (call) => labels.add(callerOf(call), call.body.space_id, call.body))
  register(app, guards, contract.changeLabel, async (call) => labels.change(callerOf(call), call.params.id, call.body))
  register(app, guards, contract.removeLabel, async (call) => labels.remove(callerOf(call), call.params.id))
  register(app, guards, contract.labelCampaigns, async (call) =>
    labels.apply(
      callerOf(call),
      call.body.changes.map(({ campaign_id: campaignId, add = [], remove = [] }) => ({ campaignId, add, remove })),
    ),
  )
  register(app, guards, contract.labelsOfCampaign, async (call) => labels.ofCampaign(callerOf(call), call.params.id))
}
