import type { Sweep } from '../../../commands/sweep.ts'
import { FULL_SCAN } from '../../../commands/sweep.ts'
import type { CommandContext } from '../../../domain/kit/event-metadata.ts'
import { localDay } from '../../../domain/campaign/content/dates.ts'
import { dayAfter, dueAt, monthToInvoice, startOfDay } from '../../../domain/invoice/terms.ts'
import { ACCOUNT_STREAMS } from '../../../projections/accounts/accounts.ts'
import { findInvoice, takenBack, unfinishedInvoices, type TakenBack } from '../../../projections/invoices/queries.ts'
import { READ_TIMEOUT_MS, type Kit } from '../../kit/kit.ts'
import { followSteadily } from '../../kit/steady-following.ts'
import { createInvoiceMails } from './mails.ts'

/** A request carries out its own steps: the policy leaves it this long. */
const LEFT_TO_REQUEST_MS = 5000
/** A draft that was claimed and never stored: longer than any request. */
const STALE_MINUTES = 10
/** How often accounts with open charges are scanned, milliseconds: a monthly invoice is in no hurry. */
const MONTHLY_EVERY_MS = 60_000

const contextOf = (commandId: string): CommandContext => ({
  actor: 'system:invoices',
  role: 'SYSTEM',
  on_behalf_of: null,
  source: 'policy',
  command_id: commandId,
  body_hash: null,
  correlation: '',
  causation: null,
})

/** Finishes what a request left undone, takes payments back that were refunded or disputed, and makes the monthly invoices. */
export async function invoiceSweeps(kit: Kit): Promise<readonly Sweep[]> {
  return [unfinished(kit), await takeBack(kit), monthly(kit)]
}

const unfinished = ({ commands, db, now }: Kit): Sweep => ({
  name: 'invoices-unfinished',
  scan: async () => {
    const before = new Date(Date.parse(now()) - LEFT_TO_REQUEST_MS).toISOString()
    const ids = await unfinishedInvoices(db, before, FULL_SCAN)
    return ids.map((id) => () => commands.invoices.finish(id))
  },
})

/** Of every account after a start, then of those whose money moved. */
async function takeBack({ commands, db, derivedId, logger, projector, stops, store }: Kit): Promise<Sweep> {
  let everything = true
  const changed = new Set<string>()
  const following = followSteadily(store, {
    after: await store.head(),
    streams: [ACCOUNT_STREAMS],
    onPage: async ({ events, upTo }) => {
      const moved = events.filter(({ type }) => type === 'PaymentRefunded' || type === 'PaymentDisputed')
      if (moved.length > 0) await projector.reached(upTo, READ_TIMEOUT_MS, ['accounts', 'invoices'])
      for (const { stream } of moved) changed.add(stream.slice(ACCOUNT_STREAMS.length))
    },
    onError: (error) => logger.error({ err: error }, 'refunds of accounts could not be followed and are read again'),
  })
  stops.add(() => following.stop())

  async function take({ invoice_id: id, payment_id: paymentId, document_id: releaseId, amount, type }: TakenBack) {
    // A payment that is still being carried out is applied first.
    await commands.invoices.finish(id)
    await commands.invoices.execute(id, contextOf(derivedId('invoice', id, 'taken-back', releaseId)), {
      type: 'TakeBack',
      paymentId,
      releaseId,
      taken: amount,
      cause: type,
    })
    await commands.invoices.finish(id)
  }
  return {
    name: 'invoices-taken-back',
    scan: async () => {
      const spaces = everything ? null : [...changed]
      if (spaces?.length === 0) return []
      changed.clear()
      try {
        const found = await takenBack(db, spaces)
        everything = false
        return found.map((one) => async () => {
          try {
            await take(one)
          } catch (error) {
            everything = true
            throw error
          }
        })
      } catch (error) {
        everything = true
        throw error
      }
    },
  }
}

/**
 * A draft for the month before, from the due day of the account on, once for each account and month; issued and sent where the
 * white-label says so. After any downtime the next scan makes it.
 */
function monthly(kit: Kit): Sweep {
  const { accounts, commands, db, derivedId, invoices, now, store, whiteLabels } = kit
  const mails = createInvoiceMails(kit)
  type Due = {
    readonly spaceId: string
    readonly whitelabelId: string
    readonly currency: string
    readonly dueDay: number | null
    readonly offset: number
    readonly from: string
    readonly to: string
    readonly id: string
  }

  async function dueOf(spaceId: string, first: string, claimedUntil: string | null): Promise<Due | null> {
    const account = await accounts.find(spaceId)
    if (account === null || account.house || account.suspended) return null
    const { timezoneOffsetSeconds: offset } = whiteLabels.brandOf(account.whitelabel_id)
    const dueDay = account.settings.invoice_due_day
    const month = monthToInvoice(now(), dueDay, offset)
    const claimed = claimedUntil === null ? '' : localDay(claimedUntil, offset)
    // The rest of the month when its beginning is on an invoice already.
    const from = claimed > month.charge_from_date ? claimed : month.charge_from_date
    const end = startOfDay(dayAfter(month.charge_to_date), offset)
    if (from > month.charge_to_date || first >= end) return null
    const id = derivedId('monthly-invoice', spaceId, month.key)
    if ((await findInvoice(db, id)) !== null) return null
    const draft = { spaceId, whitelabelId: account.whitelabel_id, currency: account.currency, dueDay, offset }
    const lines = await invoices.charges.draftLines({ invoiceId: id, spaceId, from: startOfDay(from, offset), to: end })
    return lines.length === 0 ? null : { ...draft, from, to: month.charge_to_date, id }
  }

  async function make({ spaceId, whitelabelId, currency, dueDay, offset, from, to, id }: Due): Promise<void> {
    const [start, end] = [startOfDay(from, offset), startOfDay(dayAfter(to), offset)]
    if (!(await invoices.charges.claimPeriod({ invoiceId: id, spaceId, from: start, to: end }))) return
    const drafted = await commands.invoices.execute(id, contextOf(derivedId('invoice', id, 'monthly')), {
      type: 'Draft',
      draft: {
        space_id: spaceId,
        whitelabel_id: whitelabelId,
        currency,
        offset_seconds: offset,
        charge_from_date: from,
        charge_to_date: to,
        from: start,
        to: end,
        due_date: null,
        note: '',
      },
    })
    if (drafted.kind === 'rejected' || drafted.state.stage !== 'draft') return
    if (!(await whiteLabels.settingsOf(whitelabelId)).invoice_automatically) return
    const instant = now()
    await commands.invoices.execute(id, contextOf(derivedId('invoice', id, 'monthly-issue')), {
      type: 'StartIssuing',
      issuedAt: instant,
      dueAt: dueAt(instant, dueDay, offset),
    })
    const finished = await commands.invoices.finish(id)
    if (finished === null || finished.state.stage !== 'issued') return
    const recipients = await mails.queue(id, finished.state, { commandId: 'monthly', emails: [] })
    await commands.invoices.execute(id, contextOf(derivedId('invoice', id, 'monthly-mail')), { type: 'NoteMail', recipients })
  }

  return {
    name: 'invoices-monthly',
    basis: async () => String(Math.floor(Date.parse(now()) / MONTHLY_EVERY_MS)),
    scan: async () => {
      await kit.projector.reached(await store.head(), READ_TIMEOUT_MS, ['accounts', 'invoices'])
      const open = await invoices.charges.openMonths(now())
      const due = await Promise.all(open.map(({ spaceId, first, claimedUntil }) => dueOf(spaceId, first, claimedUntil)))
      return due.flatMap((one) => (one === null ? [] : [() => make(one)]))
    },
  }
}

/** Periods that were claimed for drafts that were never stored, or are gone. */
export async function removeStaleClaims({ db, invoices, projector, store }: Kit): Promise<void> {
  if (!(await projector.reached(await store.head(), READ_TIMEOUT_MS, ['invoices']))) return
  for (const id of await invoices.charges.staleClaims(STALE_MINUTES)) {
    const row = await findInvoice(db, id)
    if (row === null || row.state.stage === 'void') await invoices.charges.releasePeriod(id)
  }
}
