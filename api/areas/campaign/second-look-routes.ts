import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/second-looks'
import { reachOf } from '#domain/kit/access'
import { authorize, issueOf } from '#api/http/caller'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { SecondLooks } from '#platform/campaign/second-looks'
import { openSecondLooks } from '#projections/campaign/queue/second-looks'
import { doneOrRefused } from './answers.ts'
import type { Served } from '#api/areas/services'

const MAX_PAGE = 150

/** Second moderators check a sample of the approvals (fine print 104). */
export function registerSecondLooks(
  app: FastifyInstance,
  deps: Served<'campaigns' | 'commands.campaigns' | 'db' | 'people'>,
  looks: SecondLooks,
): void {
  const { guards } = deps

  register(app, guards, contract.listSecondLooks, async (call) => {
    const { userId: personId, homeSpaceId, ...actor } = personOf(call)
    const page = Math.max(0, call.body.page ?? 0)
    const pageSize = Math.min(MAX_PAGE, Math.max(1, call.body.page_size ?? 25))
    const whitelabelId = reachOf(personOf(call), 'campaign.moderate') === 'all' ? null : actor.whitelabelId
    const { rows, total } = await openSecondLooks(deps.db, { whitelabelId, personId, homeSpaceId }, page, pageSize)
    const names = await deps.people.namesOf([...new Set(rows.map(({ approver_id }) => approver_id))])
    const data = rows.map(({ approver_id: id, ...row }) => ({ ...row, approver: { id, name: names.get(id)?.name ?? '' } }))
    return { current_page: page, page_size: pageSize, total_size: total, data }
  })

  register(app, guards, contract.takeSecondLook, async (call) => {
    const { campaign_id: id, approval, agrees, comment } = call.body
    const actor = personOf(call)
    const place = await deps.campaigns.placeOf(id)
    authorize(actor, 'campaign.moderate', place)
    if (place.spaceId === actor.homeSpaceId) throw refused(3)
    const approver = await looks.approverOf(id, approval)
    if (approver === null) throw refused(136)
    if (approver === actor.userId) throw refused(3)
    const issue = issueOf(callerOf(call), place, false, 'campaign.moderate')
    const outcome = await deps.commands.campaigns.secondLook(id, issue, { approval, agrees, comment: comment ?? '' })
    // Also of a decision that was refused: the process of the one before may have ended before it recorded its outcome.
    const { second_look: taken } = outcome.kind === 'done' ? outcome.state : await deps.commands.campaigns.load(id)
    if (taken !== undefined) await looks.record(id, taken)
    const { position } = doneOrRefused(outcome)
    if (taken === undefined) throw refused(136)
    return { outcome: taken.outcome, position: String(position) }
  })
}
