import type { CommandContext } from '#domain/kit/event-metadata'
import {
  decide as decidePayment,
  decodePaymentEvent,
  evolve as evolvePayment,
  initial as initialPayment,
  paymentStream,
  type PaymentCommand,
  type PaymentEvent,
  type PaymentState,
} from '#domain/payment/payment'
import { foldBy, type Decider, type Handle } from '../handle.ts'

const payment: Decider<PaymentState, PaymentEvent> = {
  fold: foldBy(initialPayment, evolvePayment, decodePaymentEvent),
  evolve: evolvePayment,
  read: decodePaymentEvent,
}

/** Commands of a payment. */
export const createPaymentCommands = (handle: Handle) => ({
  execute: (paymentId: string, context: CommandContext, command: PaymentCommand) =>
    handle(payment, {
      stream: paymentStream(paymentId),
      context,
      unmetered: true,
      decide: async (state) => decidePayment(command, state),
    }),
})
export type PaymentCommands = ReturnType<typeof createPaymentCommands>
