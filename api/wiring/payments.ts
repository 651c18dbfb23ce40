import type { Wired } from '../areas/services.ts'
import { systemContext } from '#domain/kit/event-metadata'
import type { CardCharge } from '#commands/invoice/invoice-port'
import { createPayments, type PaymentsDeps } from '#commands/payment/payments'
import { GatewayBusy, GatewayFault, GatewayMissing, GatewayRefused, type PaymentGateway } from '#commands/payment/payment-gateway'
import { isPending } from '#domain/payment/payment'
import type { Config } from '../config.ts'
import { watchOutside, type Outside } from '#commands/outside'
import type { PaymentServices } from '#commands/payment/payment-services'

/** A request a second would be a nuisance to the provider: payments that fail or take long report its absence sooner. */
const ASK_EVERY_MS = 10_000

type OpenDeps = Omit<PaymentsDeps, 'payments' | 'accounts'> &
  Pick<Wired, 'logger' | 'stops'> &
  Pick<PaymentServices, 'testBank'> & { readonly commands: Pick<Wired['commands'], 'accounts' | 'payments'> }

/** Payments by card, over a watched provider. One that is away never stops the start: it is a line in the log. */
export async function openPayments({ stripe }: Pick<Config, 'stripe'>, deps: OpenDeps): Promise<PaymentServices> {
  const { gateway: provider, testBank, commands, logger, stops, ...rest } = deps
  const outside = watchOutside({
    name: 'payments',
    ping: provider.ping,
    // The fate of one request says nothing about the others: only a provider that cannot be reached is away.
    isAbsence: (error) => !ANSWERS.some((answer) => error instanceof answer),
    isBusy: (error) => error instanceof GatewayBusy || error instanceof GatewayFault,
    askEveryMs: ASK_EVERY_MS,
    whileAway: 'Cards and refills answer 503 until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  if (stripe !== null) {
    if (stripe.publishableKey === null) logger.warn('STRIPE_PUBLISHABLE_KEY: is not set, so users cannot add cards')
    await warnOfOtherKeys(provider, deps)
    // Not awaited: a frozen provider would delay the start.
    provider.ping().catch((error: unknown) => {
      logger.warn(`STRIPE_SECRET_KEY: Stripe cannot be used (${codeOf(error)}). Cards and refills wait until it can`)
      void outside.run(() => Promise.reject(error)).catch(() => undefined)
    })
  }
  const gateway = watched(reporting(provider, logger), outside)
  const payments = createPayments({ ...rest, gateway, payments: commands.payments, accounts: commands.accounts })
  return { ...payments, gateway, storage: rest.storage, testBank, outside }
}

const ANSWERS = [GatewayRefused, GatewayMissing, GatewayBusy, GatewayFault]

async function warnOfOtherKeys({ provider }: PaymentGateway, { storage, logger }: Pick<OpenDeps, 'storage' | 'logger'>) {
  await storage.adopt(provider)
  const others = (await storage.otherProviders(provider)).filter((other) => other !== 'test')
  if (others.length > 0)
    logger.warn(
      `STRIPE_SECRET_KEY: is a key of the ${provider === 'stripe' ? 'live' : 'test'} mode, and accounts have cards of the other one. Their owners have to add their cards again`,
    )
}

/** Faults of single requests as error lines with what Stripe's support asks for. */
function reporting(gateway: PaymentGateway, logger: OpenDeps['logger']): PaymentGateway {
  const reported =
    <Asked extends readonly unknown[], T>(name: string, ask: (...asked: Asked) => Promise<T>) =>
    async (...asked: Asked): Promise<T> => {
      try {
        return await ask(...asked)
      } catch (error) {
        if (error instanceof GatewayFault)
          logger.error(
            `payments: Stripe could not carry out "${name}": ${error.code}, request ${error.requestId ?? 'unknown'}. No card was declined: look the request up in Stripe's dashboard`,
          )
        if (error instanceof GatewayMissing) logger.warn(`payments: Stripe knows no such ${error.what} ("${name}")`)
        throw error
      }
    }
  return { ...gateway, ...eachCall(gateway, reported) }
}

type Wrap = <Asked extends readonly unknown[], T>(
  name: string,
  ask: (...asked: Asked) => Promise<T>,
) => (...asked: Asked) => Promise<T>

/** The calls to the provider that a request or a job waits for, each wrapped. */
const eachCall = (gateway: PaymentGateway, wrap: Wrap) => ({
  createCustomer: wrap('create customer', gateway.createCustomer),
  startSetup: wrap('start setup', gateway.startSetup),
  confirmedCard: wrap('read setup', gateway.confirmedCard),
  removeCard: wrap('remove card', gateway.removeCard),
  open: wrap('open payment', gateway.open),
  confirm: wrap('confirm payment', gateway.confirm),
  read: wrap('read payment', gateway.read),
  cancel: wrap('cancel payment', gateway.cancel),
})

type InvoiceDeps = Pick<Wired, 'accounts' | 'derivedId'> & {
  readonly payments: Pick<PaymentServices, 'charge' | 'gateway' | 'stateOf' | 'storage'>
}

/** Charges a card of the account for one of its invoices. Staff do it: no user is there to confirm the payment with the bank. */
export async function chargeForInvoice(
  { accounts, payments, derivedId }: InvoiceDeps,
  { paymentId, spaceId, invoiceId, amount, cardId }: CardCharge,
): Promise<'paid' | 'pending' | 'declined'> {
  const [card, account] = await Promise.all([payments.storage.cards.find(cardId), accounts.find(spaceId)])
  if (card === null || account === null || card.space_id !== spaceId || card.removed_at !== null) return 'declined'
  const isOther = card.provider !== payments.gateway.provider
  if (isOther && (await payments.stateOf(paymentId)).status === 'none') return 'declined'
  const { whitelabel_id: whitelabelId, currency } = account
  const charged = await payments.charge(
    { paymentId, spaceId, whitelabelId, amount, currency, card, origin: 'invoice', invoiceId },
    systemContext('payments', derivedId('invoice charge', paymentId)),
  )
  if (charged.kind === 'rejected') return 'declined'
  return charged.state.status === 'succeeded' ? 'paid' : isPending(charged.state) ? 'pending' : 'declined'
}

/** The provider, whose calls reject with Away while it is away. */
const watched = (gateway: PaymentGateway, { run }: Outside): PaymentGateway => ({
  ...gateway,
  ...eachCall(
    gateway,
    (_, ask) =>
      (...asked) =>
        run(() => ask(...asked)),
  ),
})

/** A code such as ECONNREFUSED: messages of providers may repeat parts of keys. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
