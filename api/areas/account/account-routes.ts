import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/accounts'
import type { Served } from '#api/areas/services'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { actorNamer } from '#commands/identity/person'
import { refused } from '#commands/refused'
import { reachOf } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import { pageOfHistory } from '#projections/account/accounts'
import { findInDirectory } from '#projections/account/directory'
import { staffOf, usersOf } from '#projections/account/people'
import { asOf } from '../as-of.ts'
import { createAccountScope } from './account-scope.ts'
import { historyEntry, peopleIn } from './history-entry.ts'
import { recordOut } from './record.ts'

const HISTORY_PAGE = 25

/** One account: its record, people and history. */
export function registerAccountRoutes(app: FastifyInstance, kit: Served<'accounts' | 'db' | 'past' | 'people'>): void {
  const { db, guards, people } = kit
  const { accountFor, userFor } = createAccountScope(kit)

  register(app, guards, contract.adminUser, async (call) => {
    const { id } = call.params
    await userFor(personOf(call), id, 'account.list')
    const row = await findInDirectory(db, { userId: id })
    if (row === null) throw refused(7)
    return recordOut(row)
  })

  register(app, guards, contract.accountDetails, async (call) => {
    const { id } = call.params
    await accountFor(personOf(call), id, 'account.list')
    const scope = { whitelabelId: null, spaceId: id }
    const row = await asOf(kit, call, { accounts: scope, campaigns: scope }, (then) => findInDirectory(then.db, { spaceId: id }))
    if (row === null) throw refused(110)
    return recordOut(row)
  })

  register(app, guards, contract.getSpace, async (call) => {
    const account = await accountFor(personOf(call), call.params.id, 'account.read')
    return {
      space_id: account.space_id,
      space_name: account.name,
      whitelabel_id: account.whitelabel_id,
      currency: account.currency,
      house: account.house,
      created_at: account.created_at,
      suspended: account.suspended,
      rewarded_ads_cpm_rate: fromMicros(account.settings.rewarded_ads_cpm_rate),
      allow_make_payment: account.settings.allow_make_payment,
    }
  })

  register(app, guards, contract.spaceAccount, async (call) => {
    const account = await accountFor(personOf(call), call.params.id, 'account.read')
    const owner = await findInDirectory(db, { spaceId: account.space_id })
    return {
      id: owner?.user_id ?? null,
      first_name: owner?.first_name ?? null,
      last_name: owner?.last_name ?? null,
      currency: account.currency,
      picture: owner?.picture_id ? { picture_id: owner.picture_id } : null,
    }
  })

  register(app, guards, contract.accountPeople, async (call) => {
    const { space_id: id } = await accountFor(personOf(call), call.params.id, 'account.list')
    return { people: await usersOf(db, id, personOf(call).roles) }
  })

  register(app, guards, contract.staff, async (call) => {
    const actor = personOf(call)
    const whitelabelId = call.query.whitelabel_id ?? actor.whitelabelId
    if (whitelabelId !== actor.whitelabelId && reachOf(actor, 'account.manage') !== 'all') throw refused(1420)
    return { people: await staffOf(db, whitelabelId, actor.roles) }
  })

  register(app, guards, contract.accountHistory, async (call) => {
    const actor = personOf(call)
    const account = await accountFor(actor, call.params.id, 'account.audit')
    const page = call.query.page ?? 0
    const { rows, total } = await pageOfHistory(db, { spaceId: account.space_id, page, size: HISTORY_PAGE })
    const ids = rows.flatMap(({ actor: by, event }) => [by, ...peopleIn(event)]).filter((id) => !id.startsWith('system:'))
    const known = await people.namesOf([...new Set(ids)])
    const nameOf = actorNamer(actor, account.space_id, known)
    return {
      current_page: page,
      page_size: HISTORY_PAGE,
      total_size: total,
      data: rows.map((row) => ({
        id: row.id,
        at: row.at,
        type: row.event.type,
        actor: { id: row.actor.startsWith('system:') ? null : row.actor, name: nameOf(row.actor, row.event.type) },
        ...historyEntry(row.event, (id) => known.get(id)?.name ?? id),
      })),
    }
  })
}
