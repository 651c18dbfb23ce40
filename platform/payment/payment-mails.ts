import { PERSON_STATUS } from '#domain/registration/person-status'
import { receiptNumber } from '#domain/payment/receipt'
import type { DerivedId } from '#domain/kit/derived-id'
import type { Kysely } from 'kysely'
import { fromMicros } from '#domain/kit/money'
import type { PaymentState } from '#domain/payment/payment'
import { MAIL_JOB } from '#commands/mail/mail-queue'
import { queueMail } from '../mail/mail-queue.ts'
import { owns } from '../identity/account-access.ts'
import type { Db } from '#migrations/db'

export const receiptId = (derivedId: DerivedId, paymentId: string, personId: string): string =>
  derivedId('receipt', paymentId, personId)

type MailsKit = {
  readonly accounts: { readonly opened: (spaceId: string) => Promise<{ readonly name: string } | null> }
  readonly derivedId: DerivedId
  readonly now: () => string
}

/**
 * Returns what queues the receipt of a payment that succeeded, or the report that automatic refills stopped, to the owners of the
 * account.
 */
export async function preparePaymentMails(
  kit: MailsKit,
  paymentId: string,
  state: PaymentState,
): Promise<(tx: Kysely<Db>) => Promise<void>> {
  const isReceipt = state.status === 'succeeded'
  if (!isReceipt && (state.status !== 'failed' || state.origin !== 'auto_refill')) return async () => {}
  const account = await kit.accounts.opened(state.space_id)
  return (tx) => queueMails(kit, tx, { paymentId, state, account })
}

type Finished = { readonly paymentId: string; readonly state: PaymentState; readonly account: { readonly name: string } | null }

async function queueMails({ derivedId, now }: MailsKit, tx: Kysely<Db>, { paymentId, state, account }: Finished) {
  const isReceipt = state.status === 'succeeded'
  const card = await cardOf(tx, state.card_id)
  for (const { id } of await ownersOf(tx, state.space_id))
    await queueMail(tx, {
      id: isReceipt ? receiptId(derivedId, paymentId, id) : derivedId('auto-refill stopped', paymentId, id),
      whitelabelId: state.whitelabel_id,
      to: { personId: id },
      template: isReceipt ? 'payment-receipt' : 'auto-refill-stopped',
      data: {
        account: account?.name ?? '',
        amount: fromMicros(state.amount),
        currency: state.currency,
        brand: card?.brand ?? '',
        last4: card?.last4 ?? '',
        number: receiptNumber(paymentId),
        at: now(),
        failure: state.failure_code ?? '',
      },
    })
}

async function cardOf(tx: Kysely<Db>, id: string) {
  return tx.selectFrom('app.cards').select(['brand', 'last4']).where('id', '=', id).executeTakeFirst()
}

/** Active owners of an account, also those whose home is another one. */
export async function ownersOf(db: Kysely<Db>, spaceId: string): Promise<readonly { readonly id: string }[]> {
  return db
    .selectFrom('identity.people as people')
    .select('id')
    .where(owns(spaceId))
    .where('status_key', '=', PERSON_STATUS.active)
    .orderBy('created_at')
    .execute()
}

/** Whether the receipts of payments are queued or have failed; those that were sent are left out. */
export const createReceiptStates =
  (db: Kysely<Db>, derivedId: DerivedId) =>
  async (spaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, 'queued' | 'failed'>> => {
    const owners = await ownersOf(db, spaceId)
    const mails = new Map(ids.flatMap((id) => owners.map((owner) => [receiptId(derivedId, id, owner.id), id] as const)))
    const jobs = await db
      .selectFrom('app.jobs')
      .select(['key', 'dead_at'])
      .where('kind', '=', MAIL_JOB.name)
      .where('key', '=', (eb) => eb.fn.any(eb.val([...mails.keys()])))
      .execute()
    return new Map(jobs.map(({ key, dead_at: failed }) => [mails.get(key) ?? '', failed === null ? 'queued' : 'failed'] as const))
  }
export type ReceiptStates = ReturnType<typeof createReceiptStates>
