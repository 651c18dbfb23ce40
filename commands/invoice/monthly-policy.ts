import { systemContext } from '#domain/kit/event-metadata'
import type { InvoiceState } from '#domain/invoice/state'
import type { TaxTerms } from '#domain/invoice/tax'
import { dueAt, monthToInvoice, periodOfMonth } from '#domain/invoice/terms'
import { offsetAt, type Zone } from '#domain/kit/time-zone'
import type { Sweep } from '../sweep.ts'
import type { InvoiceCommands } from './invoice-commands.ts'
import type { InvoiceCharges } from './invoice-port.ts'

/** How often accounts with open charges are scanned, milliseconds: a monthly invoice is in no hurry. */
const EVERY_MS = 60_000
/** Accounts that are looked at together. */
const TOGETHER = 32
/** The command that issued an invoice mails it: the policy leaves it this long, and does it within these days. */
const LEFT_MS = 30_000
const MAILED_WITHIN_MS = 7 * 86_400_000

/** An account that gets monthly invoices. */
export type InvoicedAccount = {
  readonly whitelabelId: string
  readonly currency: string
  /** Day of the month; null without one. */
  readonly dueDay: number | null
  /** The zone of the days of its white-label. */
  readonly zone: Zone
}

export type MonthlyDeps = {
  readonly invoices: Pick<InvoiceCommands, 'execute' | 'finish' | 'fitted' | 'withPeriod'>
  readonly charges: Pick<InvoiceCharges, 'hasCharges' | 'lastPeriodEnd' | 'openMonths'>
  /** Null for a house account, and for one that is suspended or unknown. */
  readonly accountOf: (spaceId: string) => Promise<InvoicedAccount | null>
  /** Whether the white-label issues its monthly invoices without its staff. */
  readonly isAutomatic: (whitelabelId: string) => Promise<boolean>
  readonly taxOf: (account: { readonly spaceId: string; readonly whitelabelId: string }) => Promise<TaxTerms>
  /** True for an invoice that exists, also as a deleted draft. */
  readonly exists: (invoiceId: string) => Promise<boolean>
  /** Invoices that were issued between these instants and never mailed. */
  readonly unmailed: (from: string, to: string) => Promise<readonly { readonly id: string; readonly state: InvoiceState }[]>
  /** Queues the mail of an invoice, once; returns the number of recipients. */
  readonly mail: (invoiceId: string, state: InvoiceState) => Promise<number>
  /** Resolves once read models have the accounts and the invoices up to the end of the log. */
  readonly caughtUp: () => Promise<unknown>
  /** An id that is the same for the same parts (fine print 17). */
  readonly derivedId: (...parts: readonly string[]) => string
  readonly now: () => string
}

type Due = InvoicedAccount & {
  readonly id: string
  readonly spaceId: string
  readonly period: NonNullable<ReturnType<typeof periodOfMonth>>
}

/**
 * A draft for the time from the account's last period to the end of the month before, from the due day of the account on, once for each
 * account and month; issued and sent where the white-label says so. After any downtime, and after a suspension, the next scan makes
 * it. A month whose draft was deleted was declined: its charges go on the next invoice.
 */
export function monthlyPolicy(deps: MonthlyDeps): Sweep {
  const { invoices, charges, accountOf, isAutomatic, taxOf, exists, unmailed, mail, caughtUp, derivedId, now } = deps
  const idOf = (spaceId: string, month: string) => derivedId('monthly-invoice', spaceId, month)

  async function dueOf(spaceId: string, first: string): Promise<Due | null> {
    const account = await accountOf(spaceId)
    if (account === null) return null
    const { dueDay, zone } = account
    const month = monthToInvoice(now(), dueDay, zone)
    const id = idOf(spaceId, month.key)
    if (await exists(id)) return null
    const whole = periodOfMonth(month, null, zone)
    if (whole === null || first >= whole.to) return null
    const lastEnd = await charges.lastPeriodEnd({ spaceId, invoiceId: id, before: whole.to })
    const wanted = periodOfMonth(month, lastEnd, zone)
    if (wanted === null) return null
    const period = {
      ...wanted,
      ...(await invoices.fitted({ invoiceId: id, spaceId, from: wanted.from, to: wanted.to }, zone)),
    }
    const charged = await charges.hasCharges({ invoiceId: id, spaceId, from: period.from, to: period.to })
    return !charged ? null : { ...account, id, spaceId, period }
  }

  async function make({ id, spaceId, whitelabelId, currency, dueDay, zone, period }: Due): Promise<void> {
    const { from, to } = period
    const drafted = await invoices.withPeriod({ invoiceId: id, spaceId, from, to }, () =>
      invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly')), {
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
    if (!(await isAutomatic(whitelabelId))) return
    const instant = now()
    await invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly-issue')), {
      type: 'StartIssuing',
      issuedAt: instant,
      dueAt: dueAt(instant, dueDay, zone),
      tax: await taxOf({ spaceId, whitelabelId }),
    })
    const finished = await invoices.finish(id)
    if (finished?.state.stage === 'issued') await send(id, finished.state)
  }

  async function send(id: string, state: InvoiceState): Promise<void> {
    const recipients = await mail(id, state)
    await invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'monthly-mail')), {
      type: 'NoteMail',
      recipients,
    })
  }

  /** Monthly invoices that were issued by a process that ended before it mailed them. */
  async function leftUnmailed() {
    const instant = Date.parse(now())
    const at = (before: number) => new Date(instant - before).toISOString()
    const found = await unmailed(at(MAILED_WITHIN_MS), at(LEFT_MS))
    const monthly = found.filter(({ id, state }) => id === idOf(state.space_id, state.charge_to_date.slice(0, 7)))
    const automatic = await Promise.all(monthly.map(({ state }) => isAutomatic(state.whitelabel_id)))
    return monthly
      .filter((_, i) => automatic[i] === true)
      .map(({ id, state }) => ({ key: `mail ${id}`, act: () => send(id, state) }))
  }

  return {
    name: 'invoices-monthly',
    basis: async () => String(Math.floor(Date.parse(now()) / EVERY_MS)),
    scan: async () => {
      await caughtUp()
      const open = await charges.openMonths(now())
      const due: Due[] = []
      for (let i = 0; i < open.length; i += TOGETHER) {
        const found = await Promise.all(open.slice(i, i + TOGETHER).map(({ spaceId, first }) => dueOf(spaceId, first)))
        due.push(...found.filter((one) => one !== null))
      }
      return [...due.map((one) => ({ key: one.id, act: () => make(one) })), ...(await leftUnmailed())]
    },
  }
}
