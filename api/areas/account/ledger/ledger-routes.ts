import type { FastifyInstance } from 'fastify'
import { balanceOf as balanceNow } from '#domain/account/movements'
import { shownNotices } from '#domain/account/low-balance'
import { fault, unitsFault } from '#domain/kit/faults'
import type { Actor } from '#domain/kit/access'
import { fromMicros, toMicros } from '#domain/kit/money'
import { dayIn, startOfDay } from '#domain/kit/time-zone'
import { everyMovement, pageOfLedger } from '#projections/account/accounts'
import { chargedSince, fundsOf } from '#projections/account/funds'
import { reservedAt, reservedOf } from '#projections/campaign/list/money-queries'
import { balance } from '#contract/balance'
import { spaceCredit, spaceLedger, spaceLedgerCsv } from '#contract/ledger'
import { authorize, contextOf } from '#api/http/caller'
import { sendCsv, streamCsv } from '#api/http/csv'
import { asOf, type Moment } from '#api/areas/as-of'
import type { Needs } from '#api/areas/services'
import type { Served } from '#api/areas/services'
import { shownMovements } from '../movements.ts'
import { periodOf } from '#api/http/period'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'

const PAGE_SIZE = 25
const COLUMNS = ['id', 'at', 'type', 'amount', 'balance_after', 'cause', 'payment_id', 'invoice_id', 'actor'] as const

/** Balance and movements of an account, and credits by hand. */
export function registerLedgerRoutes(
  app: FastifyInstance,
  kit: Served<
    'accounts' | 'commands.accounts' | 'db' | 'past' | 'people' | 'secondPerson' | 'settlements' | 'store' | 'whiteLabels'
  >,
): void {
  const { accounts, secondPerson, commands, db, derivedId, guards, settlements, store, whiteLabels } = kit

  async function accountOf(actor: Actor, id: string, action: 'balance.read' | 'balance.credit') {
    const account = await accounts.find(id)
    authorize(actor, action, account === null ? null : { spaceId: id, whitelabelId: account.whitelabel_id }, 110)
    // Not null: `authorize` refuses a missing place.
    if (account === null) throw refused(110)
    return account
  }

  register(app, guards, spaceCredit, async (call) => {
    const { id } = call.params
    const caller = callerOf(call)
    const account = await accountOf(caller.actor, id, 'balance.credit')
    const amount = toMicros(call.body.amount)
    const comment = call.body.comment?.trim() ?? ''
    if (comment === '') throw refused(1301, [{ path: 'comment', code: 1301, message: 'Field is required.' }])
    // A correction may take as well as give.
    if (amount === null) throw refused(2, [unitsFault('amount', Math.abs(call.body.amount))])
    const place = { spaceId: id, whitelabelId: account.whitelabel_id }
    const { userId } = caller.actor
    const { whitelabelId } = place
    const approvalId = derivedId('by-hand', caller.commandId)
    const { alone, fresh } = await secondPerson.count({
      id: approvalId,
      whitelabelId,
      spaceId: id,
      userId,
      kind: 'credit',
      amount,
    })
    if (!alone) {
      if (amount === 0) throw refused(2, [fault('amount', 2, 'positiveNumber')])
      const command = { kind: 'credit', amount, comment } as const
      if (!(await secondPerson.ask({ id: approvalId, whitelabelId, spaceId: id, userId, command }))) throw refused(134)
      return {
        space_id: id,
        balance: fromMicros(account.balance),
        currency: account.currency,
        stage: 'pending',
        approval_id: approvalId,
        position: String(await store.head()),
      }
    }
    const outcome = await commands.accounts.execute(id, contextOf(caller, place, 'balance.credit'), {
      type: 'CreditFunds',
      amount,
      reason: comment,
    })
    if (outcome.kind === 'rejected') {
      if (fresh) await secondPerson.uncount(approvalId)
      throw new Refused(outcome.rejection)
    }
    return {
      space_id: id,
      balance: fromMicros(balanceNow(outcome.state, await settlements.booked(id))),
      currency: account.currency,
      stage: 'applied',
      approval_id: null,
      position: String(outcome.position),
    }
  })

  register(app, guards, spaceLedger, async (call) => {
    const { id } = call.params
    const actor = personOf(call)
    await accountOf(actor, id, 'balance.read')
    const { type = null, page = 0, page_size: size = PAGE_SIZE } = call.body
    const daily = call.body.daily === true
    const asked = { spaceId: id, ...periodOf(call.body), type, daily, page: page ?? 0, size: size ?? PAGE_SIZE }
    const { rows, total } = await pageOfLedger(db, asked)
    return {
      current_page: asked.page,
      page_size: asked.size,
      total_size: total,
      data: await shownMovements(kit, actor, id, rows),
    }
  })

  register(app, guards, spaceLedgerCsv, async (call, reply) => {
    const { id } = call.params
    const actor = personOf(call)
    await accountOf(actor, id, 'balance.read')
    const movements = everyMovement(db, { spaceId: id, ...periodOf(call.body), type: call.body.type ?? null })
    async function* lines() {
      for await (const rows of movements)
        yield (await shownMovements(kit, actor, id, rows)).map((row) => COLUMNS.map((column) => row[column] ?? ''))
    }
    return sendCsv(reply, 'ledger.csv', streamCsv(COLUMNS, lines()))
  })

  register(app, guards, balance, async (call) => {
    const { id } = call.params
    await accountOf(personOf(call), id, 'balance.read')
    const one = { whitelabelId: null, spaceId: id }
    return asOf(kit, call, { accounts: one, campaigns: one }, (then) => balanceOf(then, id))
  })

  async function balanceOf({ db, now, asOf: at }: Needs<'db' | 'now'> & Moment, id: string) {
    const instant = now()
    const account = await accounts.opened(id)
    if (account === null) throw refused(110)
    // The day of the account's reports, not that of each campaign's budget.
    const { zone } = whiteLabels.brandOf(account.whitelabel_id)
    const [known, reserved, spentToday] = await Promise.all([
      fundsOf(db, [id], instant),
      at === undefined ? reservedOf(db, id, instant) : reservedAt(db, id, at),
      chargedSince(db, id, { since: startOfDay(dayIn(instant, zone), zone), until: at ?? null }),
    ])
    const funds = known.get(id)
    if (funds === undefined) throw refused(110)
    const { available, daily } = funds
    return {
      space_id: id,
      currency: funds.currency,
      balance: fromMicros(funds.balance),
      unsettled: fromMicros(funds.unsettled),
      credit_limit: fromMicros(funds.credit_limit),
      available: fromMicros(available),
      spent_today: fromMicros(spentToday),
      reserved: fromMicros(reserved),
      runway_days: daily === 0 ? null : Math.max(0, Math.floor((available / daily) * 10) / 10),
      notices: [...shownNotices(funds.notices)],
      as_of: instant,
    }
  }
}
