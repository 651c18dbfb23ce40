import { releaseStaleClaims, takeBackPolicy, unfinishedPolicy } from '#commands/invoice/invoice-policies'
import { taxNow } from '#commands/invoice/issued-tax'
import { monthlyPolicy } from '#commands/invoice/monthly-policy'
import type { Sweep } from '#commands/sweep'
import { givenBack, stageOf, takenBack, unfinishedInvoices, unmailedInvoices } from '#projections/invoice/queries'
import { createInvoiceMails } from './mails.ts'
import type { Needs, Own } from '#api/areas/services'

type PolicyDeps = Own<
  'accounts' | 'caughtUp' | 'commands.accounts' | 'commands.invoices' | 'db' | 'invoices' | 'queueMail' | 'store' | 'whiteLabels'
>

/** Finishes what a request left undone, takes payments back that were refunded or disputed, and makes the monthly invoices. */
export async function invoiceSweeps(kit: PolicyDeps): Promise<readonly Sweep[]> {
  const { caughtUp, commands, db, derivedId, logger, now, stops, store } = kit
  const takeBack = await takeBackPolicy({
    invoices: commands.invoices,
    store,
    caughtUp: (position) => caughtUp(['accounts', 'invoices'], position === undefined ? undefined : { position }),
    takenBack: (spaceIds) => takenBack(db, spaceIds),
    givenBack: (spaceIds) => givenBack(db, spaceIds),
    commandId: derivedId,
    onError: (error) => logger.error({ err: error }, 'refunds of accounts could not be followed and are read again'),
  })
  stops.add(takeBack.stop)
  const unfinished = (before: string, limit: number) => unfinishedInvoices(db, before, limit)
  return [unfinishedPolicy({ invoices: commands.invoices, unfinished, now }), takeBack, monthly(kit)]
}

type MonthlyKit = Needs<
  | 'accounts'
  | 'caughtUp'
  | 'commands.accounts'
  | 'commands.invoices'
  | 'db'
  | 'derivedId'
  | 'invoices'
  | 'newId'
  | 'now'
  | 'queueMail'
  | 'store'
  | 'whiteLabels'
>

export function monthly(kit: MonthlyKit): Sweep {
  const { accounts, caughtUp, commands, db, derivedId, invoices, newId, now, store, whiteLabels } = kit
  const mails = createInvoiceMails(kit)
  return monthlyPolicy({
    invoices: commands.invoices,
    charges: invoices.charges,
    async accountOf(spaceId) {
      const account = await accounts.find(spaceId)
      if (account === null || account.house || account.suspended) return null
      const { whitelabel_id: whitelabelId, currency, settings } = account
      return { whitelabelId, currency, dueDay: settings.invoice_due_day, zone: whiteLabels.brandOf(whitelabelId).zone }
    },
    isAutomatic: async (whitelabelId) => (await whiteLabels.settingsOf(whitelabelId)).invoice_automatically,
    taxOf: (account) => taxNow({ accounts: commands.accounts, newId, store }, account),
    exists: async (id) => (await stageOf(db, id)) !== null,
    unmailed: (from, to) => unmailedInvoices(db, from, to),
    mail: (id, state) => mails.queue(id, state, { commandId: 'monthly', emails: [] }),
    caughtUp: () => caughtUp(['accounts', 'invoices']),
    derivedId,
    now,
  })
}

export const removeStaleClaims = ({ commands, invoices }: PolicyDeps): Promise<void> =>
  releaseStaleClaims(commands.invoices, invoices.charges)
