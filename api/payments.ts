import type { CardCharge } from '../commands/invoice/invoice-port.ts'
import { createPayments, systemContext, type PaymentsDeps } from '../commands/payment/payments.ts'
import { GatewayBusy, GatewayRefused, type PaymentGateway } from '../commands/payment/payment-gateway.ts'
import { isPending } from '../domain/payment/payment.ts'
import type { Config } from './config.ts'
import type { Kit } from './kit/kit.ts'
import { watchOutside, type Outside } from './kit/outside.ts'
import type { PaymentServices } from './kit/payments.ts'

/** A request a second would be a nuisance to the provider: payments that fail or take long report its absence sooner. */
const ASK_EVERY_MS = 10_000

type OpenDeps = Omit<PaymentsDeps, 'payments' | 'accounts'> &
  Pick<Kit, 'logger' | 'stops'> &
  Pick<PaymentServices, 'testBank'> & { readonly commands: Pick<Kit['commands'], 'accounts' | 'payments'> }

/** Payments by card, over a watched provider. One that is away never stops the start: it is a line in the log. */
export function openPayments({ stripe }: Pick<Config, 'stripe'>, deps: OpenDeps): PaymentServices {
  const { gateway: provider, testBank, commands, logger, stops, ...rest } = deps
  const outside = watchOutside({
    name: 'payments',
    ping: provider.ping,
    isAbsence: (error) => !(error instanceof GatewayRefused) && !(error instanceof GatewayBusy),
    isBusy: (error) => error instanceof GatewayBusy,
    askEveryMs: ASK_EVERY_MS,
    whileAway: 'Cards and refills answer 503 until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  if (stripe !== null) {
    if (stripe.publishableKey === null) logger.warn('STRIPE_PUBLISHABLE_KEY: is not set, so users cannot add cards')
    // Not awaited: a frozen provider would delay the start.
    provider.ping().catch((error: unknown) => {
      logger.warn(`STRIPE_SECRET_KEY: Stripe cannot be used (${codeOf(error)}). Cards and refills wait until it can`)
      void outside.run(() => Promise.reject(error)).catch(() => undefined)
    })
  }
  const gateway = watched(provider, outside)
  const payments = createPayments({ ...rest, gateway, payments: commands.payments, accounts: commands.accounts })
  return { ...payments, gateway, storage: rest.storage, testBank, outside }
}

type InvoiceDeps = Pick<Kit, 'accounts' | 'derivedId'> & { readonly payments: Pick<PaymentServices, 'charge' | 'storage'> }

/** Charges a card of the account for one of its invoices. Staff do it: no user is there to confirm the payment with the bank. */
export async function chargeForInvoice(
  { accounts, payments, derivedId }: InvoiceDeps,
  { paymentId, spaceId, invoiceId, amount, cardId }: CardCharge,
): Promise<'paid' | 'pending' | 'declined'> {
  const [card, account] = await Promise.all([payments.storage.cards.find(cardId), accounts.find(spaceId)])
  if (card === null || account === null || card.space_id !== spaceId || card.removed_at !== null) return 'declined'
  const { whitelabel_id: whitelabelId, currency } = account
  const charged = await payments.charge(
    { paymentId, spaceId, whitelabelId, amount, currency, card, origin: 'invoice', invoiceId },
    systemContext(derivedId('invoice charge', paymentId)),
  )
  if (charged.kind === 'rejected') return 'declined'
  return charged.state.status === 'succeeded' ? 'paid' : isPending(charged.state) ? 'pending' : 'declined'
}

/** The provider, whose calls reject with Away while it is away. */
const watched = (gateway: PaymentGateway, { run }: Outside): PaymentGateway => ({
  ...gateway,
  createCustomer: (spaceId) => run(() => gateway.createCustomer(spaceId)),
  startSetup: (customerId) => run(() => gateway.startSetup(customerId)),
  confirmedCard: (asked) => run(() => gateway.confirmedCard(asked)),
  removeCard: (methodId) => run(() => gateway.removeCard(methodId)),
  open: (order) => run(() => gateway.open(order)),
  confirm: (payment) => run(() => gateway.confirm(payment)),
  read: (providerId) => run(() => gateway.read(providerId)),
  cancel: (providerId) => run(() => gateway.cancel(providerId)),
})

/** A code such as ECONNREFUSED: messages of providers may repeat parts of keys. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
