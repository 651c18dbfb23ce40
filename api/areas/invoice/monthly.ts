import { systemContext } from '#domain/kit/event-metadata'
import type { Sweep } from '#commands/sweep'
import type { InvoiceState } from '#domain/invoice/state'
import { dueAt, monthToInvoice, periodOfMonth } from '#domain/invoice/terms'
import { offsetAt, type Zone } from '#domain/kit/time-zone'
import { stageOf, unmailedInvoices } from '#projections/invoice/queries'
import { taxNow } from './tax.ts'
import type { InvoiceOwn } from './uses.ts'
import { createInvoiceMails } from './mails.ts'

/** How often accounts with open charges are scanned, milliseconds: a monthly invoice is in no hurry. */
const EVERY_MS = 60_000
/** Accounts that are looked at together. */
const TOGETHER = 32
/** What issued an invoice mails it: the policy leaves it this long, and does it within these days. */
const LEFT_MS = 30_000
const MAILED_WITHIN_MS = 7 * 86_400_000

export type MonthlyKit = Pick<
  InvoiceOwn,
  'accounts' | 'caughtUp' | 'commands' | 'db' | 'derivedId' | 'invoices' | 'newId' | 'now' | 'queueMail' | 'store' | 'whiteLabels'
>

type Due = {
  readonly id: string
  readonly spaceId: string
  readonly whitelabelId: string
  readonly currency: string
  readonly dueDay: number | null
  readonly zone: Zone
  readonly period: NonNullable<ReturnType<typeof periodOfMonth>>
}

/**
 * A draft for the time from the account's last period to the end of the month before, from the due day of the account on, once for each
 * account and month; issued and sent where the white-label says so. After any downtime, and after a suspension, the next scan makes
 * it. A month whose draft was deleted was declined: its charges go on the next invoice.
 */
export function monthly(kit: MonthlyKit): Sweep {
  const { accounts, caughtUp, commands, db, derivedId, invoices, now, whiteLabels } = kit
  const mails = createInvoiceMails(kit)
  const idOf = (spaceId: string, month: string) => derivedId('monthly-invoice', spaceId, month)

  async function dueOf(spaceId: string, first: string): Promise<Due | null> {
    const account = await accounts.find(spaceId)
    if (account === null || account.house || account.suspended) return null
    const { whitelabel_id: whitelabelId, currency, settings } = account
    const { zone } = whiteLabels.brandOf(whitelabelId)
    const dueDay = settings.invoice_due_day
    const month = monthToInvoice(now(), dueDay, zone)
    const id = idOf(spaceId, month.key)
    if ((await stageOf(db, id)) !== null) return null
    const whole = periodOfMonth(month, null, zone)
    if (whole === null || first >= whole.to) return null
    const lastEnd = await invoices.charges.lastPeriodEnd({ spaceId, invoiceId: id, before: whole.to })
    const wanted = periodOfMonth(month, lastEnd, zone)
    if (wanted === null) return null
    const period = {
      ...wanted,
      ...(await commands.invoices.fitted({ invoiceId: id, spaceId, from: wanted.from, to: wanted.to }, zone)),
    }
    const charged = await invoices.charges.hasCharges({ invoiceId: id, spaceId, from: period.from, to: period.to })
    return !charged ? null : { id, spaceId, whitelabelId, currency, dueDay, zone, period }
  }

  async function make({ id, spaceId, whitelabelId, currency, dueDay, zone, period }: Due): Promise<void> {
    const { from, to } = period
    const drafted = await commands.invoices.withPeriod({ invoiceId: id, spaceId, from, to }, () =>
      commands.invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly')), {
        type: 'Draft',
        draft: {
          ...period,
          space_id: spaceId,
          whitelabel_id: whitelabelId,
          currency,
          offset_seconds: offsetAt(zone, now()),
          ...(typeof zone === 'string' ? { time_zone: zone } : {}),
          due_date: null,
          note: '',
        },
      }),
    )
    // Another invoice took days of the period meanwhile: the next scan sees it.
    if (drafted === null || drafted.kind === 'rejected' || drafted.state.stage !== 'draft') return
    if (!(await whiteLabels.settingsOf(whitelabelId)).invoice_automatically) return
    const instant = now()
    await commands.invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly-issue')), {
      type: 'StartIssuing',
      issuedAt: instant,
      dueAt: dueAt(instant, dueDay, zone),
      tax: await taxNow(kit, { spaceId, whitelabelId }),
    })
    const finished = await commands.invoices.finish(id)
    if (finished?.state.stage === 'issued') await mail(id, finished.state)
  }

  async function mail(id: string, state: InvoiceState): Promise<void> {
    const recipients = await mails.queue(id, state, { commandId: 'monthly', emails: [] })
    await commands.invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly-mail')), {
      type: 'NoteMail',
      recipients,
    })
  }

  /** Monthly invoices that were issued by a process that ended before it mailed them. */
  async function unmailed() {
    const instant = Date.parse(now())
    const at = (before: number) => new Date(instant - before).toISOString()
    const found = await unmailedInvoices(db, at(MAILED_WITHIN_MS), at(LEFT_MS))
    const automatic = found.filter(
      ({ id, state }) =>
        id === idOf(state.space_id, state.charge_to_date.slice(0, 7)) &&
        whiteLabels.find(state.whitelabel_id)?.settings.invoice_automatically === true,
    )
    return automatic.map(
      ({ id, state }) =>
        () =>
          mail(id, state),
    )
  }

  return {
    name: 'invoices-monthly',
    basis: async () => String(Math.floor(Date.parse(now()) / EVERY_MS)),
    scan: async () => {
      await caughtUp(['accounts', 'invoices'])
      const open = await invoices.charges.openMonths(now())
      const due: Due[] = []
      for (let i = 0; i < open.length; i += TOGETHER) {
        const found = await Promise.all(open.slice(i, i + TOGETHER).map(({ spaceId, first }) => dueOf(spaceId, first)))
        due.push(...found.filter((one) => one !== null))
      }
      return [...due.map((one) => () => make(one)), ...(await unmailed())]
    },
  }
}
