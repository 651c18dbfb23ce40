import type { InvoiceEvent } from '#domain/invoice/events'
import type { InvoiceCommand } from '#domain/invoice/invoice'
import type { InvoiceState } from '#domain/invoice/state'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { Micros } from '#domain/kit/money'
import type { Zone } from '#domain/kit/time-zone'
import type { AccountCommands } from '../account/account-commands.ts'
import type { Handled } from '../handle.ts'

/** Charges for delivery, which are no events, and campaigns, for invoices. */
export type InvoicePort = InvoiceCharges & {
  /** Names of campaigns by id; unknown ids are missing. */
  readonly namesOf: (campaignIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Keeps the names, addresses and tax numbers of both parties as they are now; those that are kept already stay. */
  readonly keepParties: (document: Omit<TakeNumber, 'issuedAt' | 'year'> & { readonly spaceId: string }) => Promise<void>
}

export type InvoiceCharges = {
  /** Claims a period of an account for an invoice; false when another invoice of the account has days of it. */
  readonly claimPeriod: (claim: PeriodClaim) => Promise<boolean>
  readonly releasePeriod: (invoiceId: string) => Promise<void>
  /**
   * The part of a period that no other invoice of the account has, where others have less than its first or last day: after a change
   * of the time zone, days begin at other instants than before.
   */
  readonly freePeriod: (wanted: WantedPeriod) => Promise<Pick<PeriodClaim, 'from' | 'to'>>
  /** End of the last period of the account that begins before this instant, without that of this invoice; null without one. */
  readonly lastPeriodEnd: (of: {
    readonly spaceId: string
    readonly invoiceId: string
    readonly before: string
  }) => Promise<string | null>
  /**
   * Takes the open charges of the period for the invoice, and older ones that no draft claims as late ones, and a number. Null when there
   * are none. Many charges are taken in several transactions; a repeat continues after a crash. One attempt has one result, for every
   * process and every repeat.
   */
  readonly takeCharges: (take: TakeCharges) => Promise<TakenCharges | null>
  /** The number of a document, which is taken at the first call. */
  readonly takeNumber: (take: Omit<TakeNumber, 'issuedAt'>) => Promise<number>
  /** Frees the charges and the period of a void invoice. */
  readonly freeCharges: (invoiceId: string) => Promise<void>
  /** The lines that a draft would have now. */
  readonly draftLines: (claim: PeriodClaim) => Promise<readonly ChargedLine[]>
  /** Sums of the lines of drafts as of now, by invoice; those without charges are missing. One statement for all. */
  readonly draftTotals: (claims: readonly PeriodClaim[]) => Promise<ReadonlyMap<string, Micros>>
  /** Whether a draft of the period would have lines. */
  readonly hasCharges: (claim: PeriodClaim) => Promise<boolean>
  /**
   * Days and settlements behind a line; days are those of the white-label. Days are exact for ever; settlements whose charges are
   * condensed are missing.
   */
  readonly daysOfLine: (line: LineOfInvoice) => Promise<readonly ChargedDay[]>
  /** Accounts with settled charges of before this instant that are on no invoice. */
  readonly openMonths: (before: string) => Promise<readonly OpenAccount[]>
  /** Invoices that claimed a period this long ago and are not issued. */
  readonly staleClaims: (minutes: number) => Promise<readonly string[]>
}

export type LineOfInvoice = {
  readonly claim: PeriodClaim
  readonly campaignId: string
  readonly late: boolean
  readonly zone: Zone
  readonly isDraft: boolean
}
export type ChargedDay = {
  readonly day: string
  readonly amount: Micros
  readonly settlements: readonly { readonly number: number; readonly amount: Micros }[]
}
export type OpenAccount = {
  readonly spaceId: string
  /** The hour of the first such charge. */
  readonly first: string
}

export type WantedPeriod = PeriodClaim & {
  /** The end of the first day, and the start of the last one. */
  readonly latestFrom: string
  readonly earliestTo: string
}

export type PeriodClaim = {
  readonly invoiceId: string
  readonly spaceId: string
  /** Instants, ISO 8601 UTC; `to` is excluded. */
  readonly from: string
  readonly to: string
}
type TakeNumber = { readonly documentId: string; readonly whitelabelId: string; readonly year: number; readonly issuedAt: string }
export type TakeCharges = PeriodClaim & Omit<TakeNumber, 'documentId'>
export type ChargedLine = {
  readonly campaign_id: string
  readonly amount: Micros
  /** Null when a charge of the line is older than the count. */
  readonly impressions: number | null
  readonly late: boolean
}
export type TakenCharges = { readonly number: number; readonly lines: readonly ChargedLine[] }

export type CardCharge = {
  readonly paymentId: string
  readonly spaceId: string
  readonly invoiceId: string
  readonly amount: Micros
  /** How much of it pays the invoice. */
  readonly assigned: Micros
  readonly cardId: string
}
/**
 * Charges a card for an invoice, and records the payment in the account with its assignment. Once only by the payment's id.
 * `pending` is asked again; `declined` fails the payment.
 */
export type ChargeCard = (charge: CardCharge) => Promise<'paid' | 'pending' | 'declined'>

export type InvoiceDeps = {
  readonly accounts: AccountCommands
  readonly port: InvoicePort
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
  readonly chargeCard: ChargeCard
}

export type ExecuteInvoice = (
  id: string,
  context: CommandContext,
  command: InvoiceCommand,
) => Promise<Handled<InvoiceState, InvoiceEvent>>
