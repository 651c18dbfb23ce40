import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/accounts'
import type { Served } from '#api/areas/services'
import { contextOf } from '#api/http/caller'
import type { Call } from '#api/http/call'
import { callerOf } from '#api/http/person'
import { noteChanges } from '#api/http/recorded-changes'
import { register } from '#api/http/register'
import { createCreditLimitChange } from '#commands/account/credit-limit'
import { createLegalEntityChange } from '#commands/account/legal-entity'
import { createSettingsChange } from '#commands/account/settings'
import { createSuspensionChange } from '#commands/account/suspension'
import { accepted, refused } from '#commands/refused'
import { shapedAccountName } from '#domain/account/account'
import type { AccountType } from '#domain/account/settings'
import { unitsFault } from '#domain/kit/faults'
import { fromMicros, toMicros } from '#domain/kit/money'
import type { LegalEntities } from '#platform/account/legal-entities'
import type { ReserveAccountName } from '#platform/account/names'
import type { Suspensions } from '#platform/account/suspensions'
import { legalEntityOf } from '#projections/account/people'
import { createAccountScope } from './account-scope.ts'

type AccountStores = {
  readonly entities: LegalEntities
  readonly suspensions: Suspensions
  readonly reserveName: ReserveAccountName
}

/** Changes of an account by staff, and of its name, which its owners change too. */
export function registerAccountChangeRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'commands.accounts' | 'db' | 'people' | 'secondPerson' | 'store' | 'whiteLabels'>,
  { entities, suspensions, reserveName }: AccountStores,
): void {
  const { commands, db, derivedId, guards, newId, people, secondPerson, store, whiteLabels } = kit
  const { accountFor, userFor } = createAccountScope(kit)
  const changeSettings = createSettingsChange(commands.accounts, (id) => people.find(id))
  const changeCreditLimit = createCreditLimitChange({ accounts: commands.accounts, secondPerson, newId, derivedId })
  const changeLegalEntity = createLegalEntityChange({
    accounts: commands.accounts,
    whiteLabels,
    accountOf: (spaceId) => kit.accounts.opened(spaceId),
    entityOf: (spaceId) => legalEntityOf(db, spaceId),
    store: (spaceId, entity) => entities.store(spaceId, entity),
  })
  const changeSuspension = createSuspensionChange(commands.accounts, suspensions.apply)

  /** The caller, the account and the context of a command on it. */
  async function opened(call: Call, id: string, action: 'account.manage' | 'account.rename' = 'account.manage') {
    const caller = callerOf(call)
    const { whitelabel_id: whitelabelId } = await accountFor(caller.actor, id, action)
    const place = { spaceId: id, whitelabelId }
    return { caller, place, context: contextOf(caller, place, action) }
  }

  register(app, guards, contract.changeSettings, async (call) => {
    const { place, context } = await opened(call, call.params.id)
    // The domain refuses any other type.
    const account_type = call.body.account_type as AccountType | null | undefined
    const { changed, position } = await changeSettings(place, context, { ...call.body, account_type })
    return { space_id: place.spaceId, changed, position: String(position) }
  })

  register(app, guards, contract.renameAccount, async (call) => {
    const { place, context } = await opened(call, call.params.id, 'account.rename')
    const isFree = await reserveName({ ...place, name: shapedAccountName(call.body.name) })
    const command = { type: 'RenameAccount', name: call.body.name, isFree } as const
    const { state, position } = accepted(await commands.accounts.execute(place.spaceId, context, command))
    return { space_id: place.spaceId, space_name: state.name, position: String(position) }
  })

  register(app, guards, contract.changeCreditLimit, async (call, reply) => {
    const { caller, place, context } = await opened(call, call.params.id)
    const creditLimit = toMicros(call.body.credit_limit)
    if (creditLimit === null) throw refused(2, [unitsFault('credit_limit', call.body.credit_limit)])
    const change = await changeCreditLimit(place, caller.actor.userId, context, creditLimit, (from, to) =>
      noteChanges(reply.request, [{ field: 'credit_limit', from: fromMicros(from), to: fromMicros(to) }]),
    )
    const answer = { space_id: place.spaceId, credit_limit: fromMicros(change.limit), stage: change.stage }
    if (change.stage === 'pending') return { ...answer, approval_id: change.approvalId, position: String(await store.head()) }
    return { ...answer, approval_id: null, position: String(change.position) }
  })

  register(app, guards, contract.changeLegalEntity, async (call) => {
    const { user_id, tax_mode, tax_rate, ...patch } = call.body
    const caller = callerOf(call)
    const place = await userFor(caller.actor, user_id, 'account.manage')
    const context = contextOf(caller, place, 'account.manage')
    const { entity, settings, position } = await changeLegalEntity(place, context, patch, { tax_mode, tax_rate })
    return {
      user_id,
      ...entity,
      tax_mode: settings.tax_mode,
      tax_rate: settings.tax_rate,
      position: String(position),
    }
  })

  async function suspend(call: Call, id: string, type: 'SuspendAccount' | 'RestoreAccount', reason: string) {
    const { context } = await opened(call, id)
    const { suspended, position } = await changeSuspension(id, context, type, reason)
    return { space_id: id, suspended, position: String(position) }
  }
  register(app, guards, contract.suspendAccount, async (call) =>
    suspend(call, call.params.id, 'SuspendAccount', call.body.reason),
  )
  register(app, guards, contract.restoreAccount, async (call) =>
    suspend(call, call.params.id, 'RestoreAccount', call.body.reason),
  )
}
