import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { may, reachOf, rolesFor, type Actor } from '#domain/kit/access'
import { APPROVAL_DAYS } from '#domain/kit/approval'
import { fromMicros } from '#domain/kit/money'
import type { ApprovalEntry } from '#platform/approvals/second-person'
import { DEFAULT_INVOICING } from '#domain/white-label/invoicing'
import * as contract from '#contract/approvals'
import type { Served } from '#api/areas/services'
import { personOf } from '#api/http/person'
import { noteChanges } from '#api/http/recorded-changes'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'
import type { CarryOut } from './carry-out.ts'
import { changesIn, type Present } from './changes.ts'

const WAITS_MS = APPROVAL_DAYS * 86_400_000

type Listed = ApprovalEntry & { readonly decidedBy: string | null; readonly state?: string; readonly decidedAt?: Date | null }

const personIdOf = ({ command }: ApprovalEntry): string | null => ('person_id' in command ? command.person_id : null)
const invitedIn = (command: ApprovalEntry['command']): string | null =>
  command.kind === 'invitation' && command.person !== undefined
    ? `${command.person.first_name} ${command.person.last_name} (${command.person.email})`
    : null
const stateOf = (state = 'waiting') => contract.APPROVAL_STATES.find((one) => one === state) ?? 'waiting'

/** The provider or domain that it is about. */
const subjectOf = (command: ApprovalEntry['command']): string | null =>
  command.kind === 'sign_on_provider' ? command.name : command.kind === 'sign_on_domain' ? command.domain : null

/**
 * Whether a person may confirm it: they have not asked for it, nor by a directory or provider that they set up, it is not about them, and none
 * of the two made the other.
 */
const isIndependent = (entry: ApprovalEntry, personId: string, hands: ReadonlySet<string>): boolean =>
  !hands.has(entry.userId) &&
  personIdOf(entry) !== personId &&
  !(entry.command.kind === 'confirming_roles' && entry.command.makers.includes(personId))

/** Commands that wait for a second person, and the decisions about them. */
export function registerApprovalRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'people' | 'secondPerson' | 'store' | 'whiteLabels'>,
  carryOut: CarryOut,
  present: Present,
): void {
  const { accounts, secondPerson, guards, people, store, whiteLabels } = kit

  const invoicingOf = (id: string) => whiteLabels.find(id)?.invoicing ?? DEFAULT_INVOICING

  register(app, guards, contract.listApprovals, async (call) => {
    const actor = personOf(call)
    const whitelabelId = reachOf(actor, 'balance.credit') === 'all' ? null : actor.whitelabelId
    const isDecided = call.query.state === 'decided'
    const found: readonly Listed[] = await secondPerson[isDecided ? 'decided' : 'waiting'](whitelabelId)
    const ids = found.flatMap((one) => [one.userId, one.decidedBy ?? '', personIdOf(one) ?? ''])
    const known = await people.namesOf([...new Set(ids.filter((id) => id !== ''))])
    const name = actorNamer(actor, actor.homeSpaceId, known)
    const hands = await secondPerson.handsOf(actor.userId)
    const approvals = await Promise.all(
      found.map(async (one): Promise<contract.Approval> => {
        const { id, command, spaceId, userId, at, decidedBy, decidedAt = null } = one
        const isMoney = 'amount' in command
        const isOfAccount = isMoney || command.kind === 'second_factor'
        const account = spaceId === null || !isOfAccount ? null : await accounts.opened(spaceId)
        const amount = isMoney ? command.amount : command.kind === 'limit' ? command.limit : null
        const personId = personIdOf(one)
        return {
          id,
          kind: command.kind,
          space_id: spaceId,
          space_name: account?.name ?? '',
          invoice_id: command.kind === 'credit_note' ? command.invoice_id : null,
          amount: amount === null ? null : fromMicros(amount),
          currency: isMoney ? (account?.currency ?? null) : null,
          person: invitedIn(command) ?? (personId === null ? null : name(personId, 'PersonInvited')),
          roles: 'roles' in command ? [...command.roles] : [],
          subject: subjectOf(command),
          changes: isDecided ? [] : await changesIn(one, { ...present, invoicingOf }),
          right: command.kind === 'right' ? command.right : null,
          right_until: command.kind === 'right' ? command.until : null,
          comment: command.comment,
          at,
          by: name(userId, 'PaymentLogged'),
          may_decide: !isDecided && isIndependent(one, actor.userId, hands),
          may_withdraw: !isDecided && userId === actor.userId,
          state: stateOf(one.state),
          expires_at: isDecided ? null : new Date(Date.parse(at) + WAITS_MS).toISOString(),
          decided_at: decidedAt?.toISOString() ?? null,
          decided_by: decidedBy === null ? null : name(decidedBy, 'PaymentLogged'),
        }
      }),
    )
    return { approvals }
  })

  /** The command that waits under this id, in the caller's reach. */
  async function waitingFor(actor: Actor, id: string) {
    const found = await secondPerson.find(id)
    const place = found === null ? null : { whitelabelId: found.whitelabelId, spaceId: found.spaceId ?? '' }
    if (found === null || place === null || !may(actor, 'balance.credit', place)) throw refused(131)
    return { found, role: rolesFor(actor, 'balance.credit', place)[0] ?? 'WL_OWNER' }
  }

  register(app, guards, contract.confirmApproval, async (call, reply) => {
    const actor = personOf(call)
    const { id } = call.params
    const { found, role } = await waitingFor(actor, id)
    if (!isIndependent(found, actor.userId, await secondPerson.handsOf(actor.userId))) throw refused(3)
    const decided = await secondPerson.decide(id, 'approved', actor.userId)
    // A confirmation whose answer was lost is carried out again, by the same user.
    if (!decided && !(found.state === 'approved' && found.decidedBy === actor.userId)) throw refused(134)
    const changes = await changesIn(found, { ...present, invoicingOf })
    noteChanges(reply.request, [{ field: 'approval', from: 'waiting', to: found.command.kind }, ...changes])
    const outcome = await carryOut(found, actor.userId, role)
    if ('rejection' in outcome) throw new Refused(outcome.rejection)
    return { id, stage: 'applied', position: String(outcome.position) }
  })

  register(app, guards, contract.rejectApproval, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    await waitingFor(actor, id)
    if (!(await secondPerson.decide(id, 'rejected', actor.userId))) throw refused(134)
    return { id, stage: 'rejected', position: String(await store.head()) }
  })
}
