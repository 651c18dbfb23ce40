import { sql, type Kysely } from 'kysely'
import type { Sweep } from '../../../commands/sweep.ts'
import type { Links } from '../links.ts'
import type { Outside } from '../outside.ts'
import type { PersonRecord } from '../sessions/people.ts'
import type { BrandOf } from './brand.ts'
import { layOut, type Language } from './layout.ts'
import type { MailKeys } from './mail-keys.ts'
import { MailRefused, type Attachment, type Mailer } from './mailer.ts'
import type { MailTemplate, Recipients } from './template.ts'
import { MAIL_TEMPLATES } from './templates/index.ts'

/** Mails that are taken at once. */
const AT_ONCE = 32
/** A taken mail is due again after this, unless its attempt ended: its process may have died. Longer than any attempt. */
const TAKEN_SECONDS = 120
/** Pauses after an attempt, seconds, which double from the first to the longest: the server refused it for now, or went away. */
const REFUSED_PAUSES = [30, 4 * 3600] as const
const AWAY_PAUSES = [5, 300] as const
/** Later attempts are of no use: what the mail says is out of date. */
const GIVEN_UP_DAYS = 3
/** How long sent and failed mails are kept, for questions about them, days. */
const KEPT_DAYS = 30

type TakenMail = {
  readonly id: string
  readonly whitelabel_id: string
  readonly person_id: string | null
  readonly address: string | null
  readonly template: string
  readonly data: Readonly<Record<string, string | number>>
  readonly attempts: number
  readonly is_old: boolean
}
type Recipient = Pick<PersonRecord, 'email' | 'first_name' | 'last_name' | 'status_key' | 'suspended' | 'language_key'> & {
  readonly id: string | null
}

export type MailSenderDeps = {
  readonly db: Kysely<never>
  readonly mailer: Mailer
  readonly outside: Outside
  readonly keys: MailKeys
  readonly links: Pick<Links, 'originOf'>
  readonly brandOf: BrandOf
  readonly findPerson: (id: string) => Promise<PersonRecord | null>
  readonly findAddress: (whitelabelId: string, address: string) => Promise<PersonRecord | null>
  /** The document of this id as a file; null when there is none. */
  readonly invoiceFile: (id: string, language: Language) => Promise<Attachment | null>
  /** Address of the sender. */
  readonly from: string
  readonly onFailure: (line: { readonly mail: string; readonly template: string; readonly reason: string }) => void
}

/**
 * Sends due mails, each at least once, with the same Message-ID in every attempt. A mail that the server accepted is not sent again.
 * While the server is away no attempt is made. Gives up after three days, or at once when the refusal is final.
 */
export function createMailSender(deps: MailSenderDeps): Sweep & { readonly purge: () => Promise<void> } {
  const { db, outside } = deps

  /** Takes due mails, for this process alone, until their time is over. */
  async function take(): Promise<readonly TakenMail[]> {
    const { rows } = await sql<TakenMail>`
      update app.mails set attempts = attempts + 1, next_at = now() + make_interval(secs => ${TAKEN_SECONDS})
      where id in (
        select id from app.mails where sent_at is null and failure is null and next_at <= now()
        order by next_at limit ${AT_ONCE} for update skip locked)
      returning id, whitelabel_id, person_id, address, template, data, attempts,
        created_at < now() - make_interval(days => ${GIVEN_UP_DAYS}) as is_old`.execute(db)
    return rows
  }

  async function send(mail: TakenMail): Promise<void> {
    const template = MAIL_TEMPLATES[mail.template]
    const recipient = (await recipientOf(mail)) ?? (template?.outsiders === true ? outsider(mail) : null)
    if (template === undefined) return fail(mail, 'this build has no such template')
    if (recipient === null || !isFor(template.for, recipient)) return drop(mail)
    const outgoing = await composed(mail, template, recipient)
    try {
      // Not within `outside.run`, which gives up early: an acknowledgement that arrives later would be lost, and the mail sent twice.
      await deps.mailer.send(outgoing)
    } catch (error) {
      return failed(mail, error)
    }
    await sql`update app.mails set sent_at = now(), address = null, person_id = coalesce(person_id, ${recipient.id}, 'unknown')
      where id = ${mail.id}`.execute(db)
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
      link: `${origin}${template.path}${key}`,
      data: mail.data,
    }
    const file = template.attachment === undefined ? null : await deps.invoiceFile(String(mail.data['invoice'] ?? ''), language)
    return {
      messageId: `<${mail.id}@${deps.from.slice(deps.from.lastIndexOf('@') + 1)}>`,
      from: { name: brand.name, address: deps.from },
      to: { name: isApproved ? `${recipient.first_name} ${recipient.last_name}`.trim() : '', address: recipient.email },
      ...layOut(template.texts[language](values), brand, language),
      attachments: file === null ? [] : [file],
    }
  }

  async function failed(mail: TakenMail, error: unknown): Promise<void> {
    if (!(error instanceof MailRefused)) await outside.run(() => Promise.reject(error)).catch(() => undefined)
    const reason = error instanceof MailRefused ? error.message : 'the mail server was away'
    if (mail.is_old || (error instanceof MailRefused && error.isFinal)) return fail(mail, reason)
    const [first, longest] = error instanceof MailRefused ? REFUSED_PAUSES : AWAY_PAUSES
    const pause = Math.min(longest, first * 2 ** Math.min(mail.attempts - 1, 20))
    await sql`update app.mails set next_at = now() + make_interval(secs => ${pause}) where id = ${mail.id}`.execute(db)
  }

  async function fail({ id, template }: TakenMail, reason: string): Promise<void> {
    await sql`update app.mails set failure = ${reason} where id = ${id}`.execute(db)
    deps.onFailure({ mail: id, template, reason })
  }

  /** A mail without a recipient, or for a state that is over. */
  async function drop({ id }: TakenMail): Promise<void> {
    await sql`delete from app.mails where id = ${id}`.execute(db)
  }

  return {
    name: 'mails',
    scan: async () => (outside.isAway() ? [] : (await take()).map((mail) => () => send(mail))),
    async purge() {
      await sql`delete from app.mails
        where (sent_at is not null or failure is not null) and created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
        db,
      )
    },
  }
}

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
