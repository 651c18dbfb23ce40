import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { may, reachOf, rolesFor, type Actor } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import * as contract from '#contract/approvals'
import type { ApprovalsServed } from './uses.ts'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'
import { createCarryOut } from './carry-out.ts'

/** What waits for a second person, and the decisions about it. */
export function registerApprovalRoutes(app: FastifyInstance, kit: ApprovalsServed): void {
  const { accounts, byHand, guards, people, store } = kit
  const carryOut = createCarryOut(kit)

  register(app, guards, contract.listApprovals, async (call) => {
    const actor = personOf(call)
    const waiting = await byHand.waiting(reachOf(actor, 'balance.credit') === 'all' ? null : actor.whitelabelId)
    const known = await people.namesOf([...new Set(waiting.map(({ userId }) => userId))])
    const name = actorNamer(actor, actor.homeSpaceId, known)
    const approvals = await Promise.all(
      waiting.map(async ({ id, command, spaceId, userId, at }): Promise<contract.Approval> => {
        const account = spaceId === null ? null : await accounts.opened(spaceId)
        const amount = command.kind === 'limit' ? command.limit : command.amount
        return {
          id,
          kind: command.kind,
          space_id: spaceId,
          space_name: account?.name ?? '',
          invoice_id: command.kind === 'credit_note' ? command.invoice_id : null,
          amount: amount === null ? null : fromMicros(amount),
          currency: account?.currency ?? null,
          comment: command.comment,
          at,
          by: name(userId, 'PaymentLogged'),
          may_decide: userId !== actor.userId,
        }
      }),
    )
    return { approvals }
  })

  /** What waits under this id, in the caller's reach. */
  async function waitingFor(actor: Actor, id: string) {
    const found = await byHand.find(id)
    const place = found === null ? null : { whitelabelId: found.whitelabelId, spaceId: found.spaceId ?? '' }
    if (found === null || place === null || !may(actor, 'balance.credit', place)) throw refused(131)
    return { found, role: rolesFor(actor, 'balance.credit', place)[0] ?? 'WL_OWNER' }
  }

  register(app, guards, contract.confirmApproval, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    const { found, role } = await waitingFor(actor, id)
    if (found.userId === actor.userId) throw refused(3)
    const decided = await byHand.decide(id, 'approved', actor.userId)
    // A confirmation whose answer was lost is carried out again, by the same user.
    if (!decided && !(found.state === 'approved' && found.decidedBy === actor.userId)) throw refused(134)
    const outcome = await carryOut(found, actor.userId, role)
    if ('rejection' in outcome) throw new Refused(outcome.rejection)
    return { id, stage: 'applied', position: String(outcome.position) }
  })

  register(app, guards, contract.rejectApproval, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    await waitingFor(actor, id)
    if (!(await byHand.decide(id, 'rejected', actor.userId))) throw refused(134)
    return { id, stage: 'rejected', position: String(await store.head()) }
  })
}
