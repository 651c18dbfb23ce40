import type { FastifyInstance } from 'fastify'
import { defaultCardOf, type CardCommand } from '#domain/account/cards'
import { reject } from '#domain/kit/errors'
import { fromMicros } from '#domain/kit/money'
import { decimalsOf, refillLimits, refillPresets } from '#domain/payment/amounts'
import { FAILURE_TEXTS } from '#domain/payment/failures'
import { GatewayMissing, GatewayRefused, type CardSetup } from '#commands/payment/payment-gateway'
import type { StoredCard } from '#commands/payment/payment-storage'
import { cardsOfAccount } from '#projections/payment/queries'
import * as contract from '#contract/payments'
import { contextOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import type { Served } from '#api/areas/services'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { createPayingAccounts } from './accounts.ts'
import { cardOut, shownProvider } from './records.ts'

/** Cards that are entered for one account: a stolen list of cards must not be tried out here. */
const SETUPS = { limit: 30, seconds: 3600 }

/** The cards of an account (fine print 60). */
export function registerCardRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'commands.accounts' | 'db' | 'limits' | 'payments' | 'people'>,
): void {
  const { accounts, commands, db, derivedId, guards, limits, now, payments } = kit
  const { gateway, storage } = payments
  const paying = createPayingAccounts(kit)

  async function execute(caller: Caller, place: Place, command: CardCommand) {
    return accepted(await commands.accounts.execute(place.spaceId, contextOf(caller, place, 'card.write'), command))
  }

  register(app, guards, contract.listPaymentMethods, async (call) => {
    const { spaceId } = await paying.placeFor(personOf(call), 'card.read', call.query)
    const [account, cards] = await Promise.all([accounts.find(spaceId), cardsOfAccount(db, spaceId, gateway.provider)])
    if (account === null) throw refused(110)
    const { currency, settings } = account
    const { min, max } = refillLimits(currency)
    return {
      paymentMethods: cards.map((card) => cardOut(card, now())),
      isAllowMakePayment: settings.allow_make_payment,
      provider: shownProvider(gateway.provider),
      publishable_key: gateway.publishableKey,
      space_id: spaceId,
      currency,
      limits: { min: fromMicros(min), max: fromMicros(max), decimals: decimalsOf(currency), presets: refillPresets(currency) },
    }
  })

  /** A new setup for the entry of a card, for the customer that the account is at the provider. */
  async function setUp({ spaceId }: Place): Promise<CardSetup> {
    await paying.payingState(spaceId)
    await paying.requireRoom(spaceId, 0)
    await limits.reserve([{ key: `card setup ${spaceId}`, ...SETUPS }])
    const customerId = (await storage.customers.find(spaceId, gateway.provider)) ?? (await newCustomer(spaceId, null))
    return explained(() => gateway.startSetup(customerId)).catch(async (error: unknown) => {
      if (!(error instanceof GatewayMissing)) throw error
      // The customer was deleted at the provider, or is one of another account there.
      const another = await newCustomer(spaceId, customerId)
      return explained(() => gateway.startSetup(another))
    })
  }

  async function newCustomer(spaceId: string, insteadOf: string | null): Promise<string> {
    const made = await explained(() => gateway.createCustomer(spaceId, insteadOf))
    await storage.customers.store(spaceId, gateway.provider, made, insteadOf)
    // Of two concurrent requests, both use the one that was stored.
    return (await storage.customers.find(spaceId, gateway.provider)) ?? made
  }

  register(app, guards, contract.startCardSetup, async (call) => {
    const setup = await setUp(await paying.placeFor(personOf(call), 'card.write', call.query))
    const { provider, publishableKey } = gateway
    return {
      client_token: setup.clientToken,
      setup_id: setup.setupId,
      provider: shownProvider(provider),
      publishable_key: publishableKey,
    }
  })

  register(app, guards, contract.clientToken, async (call) => {
    const setup = await setUp(await paying.placeFor(personOf(call), 'card.write', call.query))
    return { client_token: setup.clientToken, expires_at: setup.expiresAt }
  })

  register(app, guards, contract.addPaymentMethod, async (call) => {
    const caller = callerOf(call)
    const { setup_id: setupId, provider_method_id: methodId, space_id } = call.body
    const place = await paying.placeFor(caller.actor, 'card.write', { space_id })
    const { spaceId } = place
    await paying.payingState(spaceId)
    const customerId = await storage.customers.find(spaceId, gateway.provider)
    const confirmed = customerId === null ? null : await explained(() => gateway.confirmedCard({ setupId, methodId, customerId }))
    if (customerId === null || confirmed === null)
      throw refused(131, [{ path: 'setup_id', code: 131, message: 'The provider confirmed no such card in this setup' }])
    const known = await storage.cards.byFingerprint(spaceId, gateway.provider, confirmed.fingerprint)
    const { brand, last4, country, funding, fingerprint } = confirmed
    const card: StoredCard = {
      id: known?.id ?? derivedId('card', caller.commandId),
      space_id: spaceId,
      provider: gateway.provider,
      customer_id: customerId,
      method_id: confirmed.methodId,
      brand,
      last4,
      exp_month: confirmed.expMonth,
      exp_year: confirmed.expYear,
      holder_name: confirmed.holderName,
      country,
      funding,
      fingerprint,
      added_by: caller.actor.userId,
      created_at: known?.created_at ?? now(),
      removed_at: null,
    }
    await storage.cards.store(card)
    // Two requests with the same card store one: both add that one.
    const stored = (await storage.cards.byFingerprint(spaceId, gateway.provider, fingerprint)) ?? card
    const { state, position } = await execute(caller, place, { type: 'AddCard', cardId: stored.id })
    const row = {
      ...stored,
      is_default: defaultCardOf(state) === stored.id,
      last_used_at: null,
      last_status: null,
      last_failure: null,
    }
    return { ...cardOut(row, now()), position: String(position) }
  })

  register(app, guards, contract.removePaymentMethod, async (call) => {
    const caller = callerOf(call)
    const { id } = call.params
    const card = await storage.cards.find(id)
    const place = await paying.placeOfThing(caller.actor, 'card.write', card?.space_id ?? null, call.query.space_id)
    const byUse = (await cardsOfAccount(db, place.spaceId, gateway.provider))
      .filter(({ last_used_at: at }) => at !== null)
      .sort((a, b) => ((a.last_used_at ?? '') < (b.last_used_at ?? '') ? 1 : -1))
      .map((row) => row.id)
    const isPaying = await storage.tasks.ofCard(id)
    const { position } = await execute(caller, place, { type: 'RemoveCard', cardId: id, byUse, isPaying })
    await storage.cards.remove(id, now())
    // Placard does not use the card any more, whether or not the provider can be reached now.
    if (card !== null && card.provider === gateway.provider) await gateway.removeCard(card.method_id).catch(() => undefined)
    return { id, position: String(position) }
  })

  register(app, guards, contract.setDefaultPaymentMethod, async (call) => {
    const caller = callerOf(call)
    const { id } = call.params
    const card = await storage.cards.find(id)
    const place = await paying.placeOfThing(caller.actor, 'card.write', card?.space_id ?? null, call.query.space_id)
    await paying.payingState(place.spaceId)
    const { position } = await execute(caller, place, { type: 'ChangeDefaultCard', cardId: id })
    return { id, position: String(position) }
  })
}

/** A card that the provider refuses is declined, as a payment is. */
async function explained<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const { failureCode } = error
    throw new Refused(reject(142, [], FAILURE_TEXTS[failureCode]), { failure_code: failureCode })
  }
}
