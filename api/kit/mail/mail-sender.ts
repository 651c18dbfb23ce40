import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely, type Selectable, type UpdateObject } from 'kysely'
import type { Sweep } from '#commands/sweep'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import type { AppMails, Db } from '#migrations/db'
import type { Links } from '../links.ts'
import type { Outside } from '../outside.ts'
import type { PersonRecord } from '../sessions/people.ts'
import type { BrandOf } from './brand.ts'
import { layOut, type Language } from './layout.ts'
import type { MailKeys } from './mail-keys.ts'
import { MailRefused, MailUncertain, type Attachment, type Mailer } from './mailer.ts'
import type { MailTemplate, Recipients } from './template.ts'
import { MAIL_TEMPLATES } from './templates/index.ts'

/** Mails that are taken at once. */
const AT_ONCE = 32
/** A taken mail is due again after this, unless its attempt ended: its process may have died. Attempts that go on renew it. */
const TAKEN_SECONDS = 120
const RENEW_MS = 40_000
/** A mail that the server may have taken is sent once more after this, and then given up. */
const UNCERTAIN_SECONDS = 3600
/** How long a stop waits for the attempts under way: those that it leaves are due again. */
const STOP_MS = 5000
/** Pauses after an attempt, seconds, which double from the first to the longest: the server refused it for now, or went away. */
const REFUSED_PAUSES = [30, 4 * 3600] as const
const AWAY_PAUSES = [5, 300] as const
/** Later attempts are of no use: what the mail says is out of date. */
const GIVEN_UP_DAYS = 3
/** How long sent and failed mails are kept, for questions about them, days. */
const KEPT_DAYS = 30

type Taken = 'id' | 'whitelabel_id' | 'person_id' | 'address' | 'template' | 'attempts' | 'uncertain'
type TakenMail = Readonly<Pick<Selectable<AppMails>, Taken>> & {
  readonly data: Readonly<Record<string, string | number>>
  readonly is_old: boolean
}
type Recipient = Pick<PersonRecord, 'email' | 'first_name' | 'last_name' | 'status_key' | 'suspended' | 'language_key'> & {
  readonly id: string | null
}

export type MailSenderDeps = {
  readonly db: Kysely<Db>
  readonly mailer: Mailer
  readonly outside: Outside
  /** Notes that the server refused the sender, with the reason; null once it takes mails. */
  readonly noteSender: (refusal: string | null) => void
  readonly keys: MailKeys
  readonly links: Pick<Links, 'originOf'>
  readonly brandOf: BrandOf
  readonly findPerson: (id: string) => Promise<PersonRecord | null>
  readonly findAddress: (whitelabelId: string, address: string) => Promise<PersonRecord | null>
  /** The document of this id as a file; null while it is not issued. */
  readonly issuedFile: (id: string, language: Language) => Promise<Attachment | null>
  /** The file that was queued with a mail; null where there is none. */
  readonly reportFile: (mailId: string) => Promise<Attachment | null>
  /** Address of the sender. */
  readonly from: string
  /** An attempt that failed for a reason of this process: the mail is due again. */
  readonly onError: (error: unknown) => void
  readonly onFailure: (line: { readonly mail: string; readonly template: string; readonly reason: string }) => void
}

/**
 * Sends due mails, each at least once, with the same Message-ID in every attempt. A mail that the server accepted is not sent again.
 * While the server is away no attempt is made. Gives up after three days, or at once when the refusal is final. An attempt may take ten
 * minutes (RFC 5321), so the queue goes on beside those under way.
 */
export function createMailSender(
  deps: MailSenderDeps,
): Sweep & { readonly purge: () => Promise<void>; readonly stop: () => Promise<void> } {
  const { db, outside } = deps
  const sending = new Map<string, Promise<void>>()
  const renewal = setInterval(() => {
    if (sending.size > 0) void renew().catch(() => undefined)
  }, RENEW_MS).unref()

  async function renew(): Promise<void> {
    await db
      .updateTable('app.mails')
      .set({ next_at: inSeconds(TAKEN_SECONDS) })
      .where('id', '=', anyOf(sending.keys()))
      .where('sent_at', 'is', null)
      .where('failure', 'is', null)
      .execute()
  }

  const change = ({ id }: TakenMail, to: UpdateObject<Db, 'app.mails'>) =>
    db.updateTable('app.mails').set(to).where('id', '=', id).execute()

  /** Takes due mails, for this process alone, until their time is over. */
  async function take(): Promise<readonly TakenMail[]> {
    const { rows } = await sql<TakenMail>`
      update app.mails set attempts = attempts + 1, next_at = now() + make_interval(secs => ${TAKEN_SECONDS})
      where id in (
        select id from app.mails where sent_at is null and failure is null and next_at <= now()
        order by next_at limit ${AT_ONCE - sending.size} for update skip locked)
      returning id, whitelabel_id, person_id, address, template, data, attempts, uncertain,
        created_at < now() - make_interval(days => ${GIVEN_UP_DAYS}) as is_old`.execute(db)
    return rows
  }

  async function send(mail: TakenMail): Promise<void> {
    const template = MAIL_TEMPLATES[mail.template]
    const recipient = (await recipientOf(mail)) ?? (template?.outsiders === true ? outsider(mail) : null)
    if (template === undefined) return fail(mail, 'this build has no such template')
    if (recipient === null || !isFor(template.for, recipient)) return drop(mail)
    if (template.key === 'reset' && recipient.id !== null && (await deps.keys.endedSince(recipient.id, mail.id)))
      return drop(mail)
    const outgoing = await composed(mail, template, recipient)
    if (outgoing === null) return failed(mail, new MailRefused('its document is not issued', 'now'))
    try {
      // Not within `outside.run`, which gives up early: an acknowledgement that arrives later would be lost, and the mail sent twice.
      await deps.mailer.send(outgoing)
    } catch (error) {
      return failed(mail, error)
    }
    deps.noteSender(null)
    await change(mail, { sent_at: NOW, address: null, person_id: sql`coalesce(person_id, ${recipient.id}, 'unknown')` })
  }

  async function recipientOf({ whitelabel_id, person_id, address }: TakenMail): Promise<Recipient | null> {
    if (person_id !== null) return deps.findPerson(person_id)
    return address === null ? null : deps.findAddress(whitelabel_id, address)
  }

  async function composed(mail: TakenMail, template: MailTemplate, recipient: Recipient) {
    const brand = await deps.brandOf(mail.whitelabel_id)
    const language: Language = recipient.language_key === 2 ? 'ru' : 'en'
    const origin = deps.links.originOf(mail.whitelabel_id)
    const key =
      template.key === undefined || recipient.id === null ? '' : `/${await deps.keys.create(recipient.id, template.key)}`
    // A stranger may have entered the name of someone whose registration was not approved.
    const isApproved = recipient.status_key === 2 || recipient.status_key === 5
    const values = {
      firstName: isApproved ? recipient.first_name : '',
      brand: brand.name,
      link: `${origin}${typeof template.path === 'string' ? template.path : template.path(mail.data)}${key}`,
      data: mail.data,
    }
    const file =
      template.attachment === 'invoice'
        ? await deps.issuedFile(String(mail.data['invoice'] ?? ''), language)
        : template.attachment === 'report'
          ? await deps.reportFile(mail.id)
          : null
    if (template.attachment === 'invoice' && file === null) return null
    return {
      messageId: `<${mail.id}@${deps.from.slice(deps.from.lastIndexOf('@') + 1)}>`,
      from: { name: brand.name, address: deps.from },
      to: { name: isApproved ? `${recipient.first_name} ${recipient.last_name}`.trim() : '', address: recipient.email },
      ...layOut(template.texts[language](values), brand, language),
      attachments: file === null ? [] : [file],
    }
  }

  async function failed(mail: TakenMail, error: unknown): Promise<void> {
    if (error instanceof MailUncertain) return uncertain(mail)
    if (!(error instanceof MailRefused)) await outside.run(() => Promise.reject(error)).catch(() => undefined)
    else if (error.scope === 'sender') deps.noteSender(error.message)
    const reason = error instanceof MailRefused ? error.message : 'the mail server was away'
    if (mail.is_old || (error instanceof MailRefused && error.scope === 'mail')) return fail(mail, reason)
    const [first, longest] = error instanceof MailRefused ? REFUSED_PAUSES : AWAY_PAUSES
    const pause = Math.min(longest, first * 2 ** Math.min(mail.attempts - 1, 20))
    await change(mail, { next_at: inSeconds(pause) })
  }

  /** It may have arrived, so it is sent once more only, much later. */
  async function uncertain(mail: TakenMail): Promise<void> {
    if (mail.uncertain) return fail(mail, 'the server did not acknowledge it twice: it may have arrived')
    await change(mail, { uncertain: true, next_at: inSeconds(UNCERTAIN_SECONDS) })
  }

  async function fail(mail: TakenMail, reason: string): Promise<void> {
    await change(mail, { failure: reason })
    deps.onFailure({ mail: mail.id, template: mail.template, reason })
  }

  /** A mail without a recipient, or for a state that is over. */
  async function drop({ id }: TakenMail): Promise<void> {
    await db.deleteFrom('app.mails').where('id', '=', id).execute()
  }

  return {
    name: 'mails',
    scan: async () => {
      if (outside.isAway() || sending.size >= AT_ONCE) return []
      for (const mail of await take()) {
        const attempt = send(mail)
          .catch((error: unknown) => deps.onError(error))
          .finally(() => sending.delete(mail.id))
        sending.set(mail.id, attempt)
      }
      return []
    },
    async stop() {
      clearInterval(renewal)
      await Promise.race([Promise.all(sending.values()), delay(STOP_MS, undefined, { ref: false })])
    },
    async purge() {
      await db
        .deleteFrom('app.mails')
        .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('failure', 'is not', null)]))
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** A recipient of whom only the address is known; null for a mail to a person. */
const outsider = ({ address, data }: TakenMail): Recipient | null =>
  address === null
    ? null
    : {
        id: null,
        email: address,
        first_name: '',
        last_name: '',
        status_key: 5,
        suspended: false,
        language_key: data['language'] === 'ru' ? 2 : 1,
      }

function isFor(recipients: Recipients, { status_key, suspended }: Recipient): boolean {
  switch (recipients) {
    case 'everyone':
      return true
    case 'active':
      return status_key === 5 && !suspended
    case 'awaiting-completion':
      return status_key === 2 && !suspended
  }
}
