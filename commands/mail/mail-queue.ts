import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { jobKind } from '../jobs/job.ts'

/** Sends the mail of this id. The template is for operators. */
export const MAIL_JOB = jobKind('mail', 1, ['template'])

type At = { readonly at: string }
type Ending = { readonly until: string; readonly hint?: string; readonly name?: string }
type OfAccount = { readonly account: string }
type OfCard = OfAccount & { readonly brand: string; readonly last4: string }
type OfPayment = OfCard &
  At & { readonly amount: number; readonly currency: string; readonly number: string; readonly failure: string }
type NoData = Readonly<Record<string, never>>
type Values = Readonly<Record<string, string | number>>

/** Mails about the secrets and the data of a person, which say when. */
export type SecurityMail =
  | 'own-data-downloaded'
  | 'passkey-added'
  | 'passkey-removed'
  | 'password-changed'
  | 'recovery-code-used'
  | 'recovery-codes-renewed'
  | 'second-factor-off'
  | 'second-factor-on'
  | 'second-factor-reset'
  | 'wrong-codes'

/** Values of each mail other than personal data, such as links, amounts and times, by the name under which it is queued. */
export type MailData = { readonly [Name in SecurityMail]: At } & {
  readonly 'account-invitation': OfAccount
  readonly 'address-registered': NoData
  readonly 'api-key-created': At & Ending
  readonly 'api-key-ending': Ending
  readonly 'auto-refill-stopped': OfPayment
  readonly 'card-expires': OfCard & { readonly expires: string }
  readonly 'confirm-registration': NoData
  readonly 'credential-ending': Ending
  readonly invitation: OfAccount
  readonly invoice: Values & { readonly invoice: string; readonly number: string; readonly language: string }
  readonly 'keys-changed': { readonly what: string; readonly fields: string }
  readonly 'low-balance': Values
  readonly 'new-sign-in': At & { readonly device: string }
  readonly notification: Values
  readonly 'notification-digest': { readonly count: number; readonly items: string }
  readonly 'password-reset': NoData
  readonly 'payment-receipt': OfPayment
  readonly 'registration-rejected': { readonly comment: string }
  readonly 'saved-report': Values & { readonly report: string; readonly attached: 'yes' | 'no' }
  readonly 'setup-account': NoData
  readonly 'sign-on-linked': { readonly provider: string }
}
export type MailName = keyof MailData

/** A mail to send. Personal data is read from the person's record when it is sent, and is not stored here (fine print 22). */
export type QueuedMail<Name extends MailName = MailName> = {
  /** Derived from what causes the mail: queueing it again does nothing, so one cause sends one mail. */
  readonly id: string
  readonly whitelabelId: string
  /** The recipient: a person by id, or an address outside the person records. */
  readonly to: { readonly personId: string } | { readonly address: string }
  readonly template: Name
  readonly data: MailData[Name]
  /** Sent this long after it was queued, at the earliest. */
  readonly afterSeconds?: number
}

/** Queues a mail in the caller's transaction; see `platform/mail/mail-queue.ts`. */
export type QueueMail = <Name extends MailName>(tx: Kysely<Db>, mail: QueuedMail<Name>) => Promise<void>
