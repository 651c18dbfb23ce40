import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { jobKind } from '../jobs/job.ts'

/** Sends the mail of this id. The template is for operators. */
export const MAIL_JOB = jobKind('mail', 1, ['template'])

/** A mail to send. Personal data is read from the person's record when it is sent, and is not stored here (fine print 22). */
export type QueuedMail = {
  /** Derived from what causes the mail: queueing it again does nothing, so one cause sends one mail. */
  readonly id: string
  readonly whitelabelId: string
  /** The recipient: a person by id, or an address outside the person records. */
  readonly to: { readonly personId: string } | { readonly address: string }
  /** Name of a template in `mails` of an area. */
  readonly template: string
  /** Values of the template other than personal data: links, amounts, times, names of accounts. */
  readonly data: Readonly<Record<string, string | number>>
  /** Sent this long after it was queued, at the earliest. */
  readonly afterSeconds?: number
}

/** Queues a mail in the caller's transaction; see `platform/mail/mail-queue.ts`. */
export type QueueMail = (tx: Kysely<Db>, mail: QueuedMail) => Promise<void>
