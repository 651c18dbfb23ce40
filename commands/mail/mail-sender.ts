import { PERSON_STATUS } from '#domain/registration/person-status'
import { languageKeyOf, languageOf, type Language } from '#domain/kit/languages'
import { DONE, pauseAfter, type Backoff, type Job, type JobOutcome, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import type { Outside } from '../outside.ts'
import type { Tracer } from '#eventstore/tracer'
import type { PersonRecord } from '../identity/person.ts'
import type { BrandOf } from './brand.ts'
import { layOut } from './layout.ts'
import { MailRefused, MailUncertain, type Attachment, type Mailer } from './mailer.ts'
import { isolatedValues, type KeyPurpose, type MailTemplate, type Recipients } from './template.ts'

/** The server went away, or the process could not compose the mail. */
const AWAY: Backoff = { firstMs: 5000, longestMs: 300_000 }
/** The server refused the mail for now. */
const REFUSED: Backoff = { firstMs: 30_000, longestMs: 4 * 3_600_000 }
/** A mail that the server may have taken is sent once more after this, and then given up. */
const UNCERTAIN_MS = 3_600_000
/** Later tries are of no use: what the mail says is out of date. */
const GIVEN_UP_SECONDS = 3 * 86_400

/** The sender gives a mail up by its age. */
export const MAIL_POLICY: JobPolicy = { atOnce: 32, tries: null, backoff: AWAY, leaseSeconds: 120 }

/** A mail that was not sent. */
export type WaitingMail = {
  readonly id: string
  readonly whitelabel_id: string
  readonly person_id: string | null
  readonly address: string | null
  readonly template: string
  readonly data: Readonly<Record<string, string | number>>
  /** Whether the server may have taken it. */
  readonly uncertain: boolean
}

export type MailStore = {
  /** Null for a mail that was sent, or is gone. */
  readonly find: (id: string) => Promise<WaitingMail | null>
  readonly noteUncertain: (id: string) => Promise<void>
  /** Records that the server took a mail, and forgets its address. */
  readonly sent: (id: string, personId: string | null) => Promise<void>
  readonly drop: (id: string) => Promise<void>
}

type Recipient = Pick<
  PersonRecord,
  'email' | 'first_name' | 'last_name' | 'status_key' | 'suspended' | 'deactivated' | 'language_key'
> & {
  readonly id: string | null
}

export type MailSenderDeps = {
  readonly store: MailStore
  readonly mailer: Mailer
  readonly outside: Outside
  readonly tracer: Tracer
  /** Notes that the server refused the sender, with the reason; null once it takes mails. */
  readonly noteSender: (refusal: string | null) => void
  readonly keys: {
    readonly create: (personId: string, purpose: KeyPurpose) => Promise<string>
    /** Whether the person's keys ended after this mail was asked for. */
    readonly endedSince: (personId: string, mailId: string) => Promise<boolean>
  }
  /** Every mail of the product, by the name under which it is queued. */
  readonly templates: Readonly<Record<string, MailTemplate>>
  readonly links: { readonly originOf: (whitelabelId: string) => string }
  readonly brandOf: BrandOf
  readonly findPerson: (id: string) => Promise<PersonRecord | null>
  readonly findAddress: (whitelabelId: string, address: string) => Promise<PersonRecord | null>
  /** The document of this id as a file; null while it is not issued. */
  readonly issuedFile: (id: string, language: Language) => Promise<Attachment | null>
  /** The file that was queued with a mail; null where there is none. */
  readonly reportFile: (mailId: string) => Promise<Attachment | null>
  /** Address of the sender. */
  readonly from: string
}

/**
 * Sends mails, each at least once, with the same Message-ID in every try. A mail that the server accepted is not sent again. While the
 * server is away none is tried. Gives up after three days, or at once when the refusal is final. A try may take ten minutes (RFC 5321).
 */
export function createMailSender(deps: MailSenderDeps): JobRunner {
  const { outside, store } = deps

  async function run(job: Job): Promise<JobOutcome> {
    const mail = await store.find(job.key)
    if (mail === null) return DONE
    const template = deps.templates[mail.template]
    const recipient = (await recipientOf(mail)) ?? (template?.outsiders === true ? outsider(mail) : null)
    if (template === undefined) return { kind: 'dead', reason: 'this build has no such template' }
    if (recipient === null || !isFor(template.for, recipient)) return drop(mail)
    if (template.key === 'reset' && recipient.id !== null && (await deps.keys.endedSince(recipient.id, mail.id)))
      return drop(mail)
    const outgoing = await composed(mail, template, recipient)
    if (outgoing === null) return failed(mail, job, new MailRefused('its document is not issued', 'now'))
    try {
      // Not within `outside.run`, which gives up early: an acknowledgement that arrives later would be lost, and the mail sent twice.
      await deps.tracer.span({ name: `mail ${mail.template}`, kind: 'client', attributes: { 'placard.mail': mail.id } }, () =>
        deps.mailer.send(outgoing),
      )
    } catch (error) {
      return failed(mail, job, error)
    }
    deps.noteSender(null)
    await store.sent(mail.id, recipient.id)
    return DONE
  }

  async function recipientOf({ whitelabel_id, person_id, address }: WaitingMail): Promise<Recipient | null> {
    if (person_id !== null) return deps.findPerson(person_id)
    return address === null ? null : deps.findAddress(whitelabel_id, address)
  }

  async function composed(mail: WaitingMail, template: MailTemplate, recipient: Recipient) {
    const brand = await deps.brandOf(mail.whitelabel_id)
    const language: Language = languageOf(recipient.language_key)
    const origin = deps.links.originOf(mail.whitelabel_id)
    const key =
      template.key === undefined || recipient.id === null ? '' : `/${await deps.keys.create(recipient.id, template.key)}`
    // A stranger may have entered the name of someone whose registration was not approved.
    const isApproved = recipient.status_key === PERSON_STATUS.approved || recipient.status_key === PERSON_STATUS.active
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
      ...layOut(template.texts[language](isolatedValues(values)), brand, language),
      attachments: file === null ? [] : [file],
    }
  }

  async function failed(mail: WaitingMail, { age, tries }: Job, error: unknown): Promise<JobOutcome> {
    if (error instanceof MailUncertain) return uncertain(mail, error)
    const refusal = error instanceof MailRefused ? error : null
    if (refusal === null) await outside.run(() => Promise.reject(error)).catch(() => undefined)
    if (refusal?.scope === 'sender') deps.noteSender(refusal.message)
    const reason = refusal?.message ?? 'the mail server was away'
    if (age > GIVEN_UP_SECONDS || refusal?.scope === 'mail') return { kind: 'dead', reason }
    return { kind: 'retry', afterMs: pauseAfter(refusal === null ? AWAY : REFUSED, tries), reason }
  }

  /** It may have arrived, so it is sent once more only, much later. */
  async function uncertain(mail: WaitingMail, { message }: MailUncertain): Promise<JobOutcome> {
    if (mail.uncertain) return { kind: 'dead', reason: 'the server did not acknowledge it twice: it may have arrived' }
    await store.noteUncertain(mail.id)
    return { kind: 'retry', afterMs: UNCERTAIN_MS, reason: message }
  }

  /** A mail without a recipient, or for a state that is over. */
  async function drop({ id }: WaitingMail): Promise<JobOutcome> {
    await store.drop(id)
    return DONE
  }

  return { run, isPaused: outside.isAway }
}

/** A recipient of whom only the address is known; null for a mail to a person. */
const outsider = ({ address, data }: WaitingMail): Recipient | null =>
  address === null
    ? null
    : {
        id: null,
        email: address,
        first_name: '',
        last_name: '',
        status_key: PERSON_STATUS.active,
        suspended: false,
        deactivated: false,
        language_key: languageKeyOf(String(data['language'])),
      }

function isFor(recipients: Recipients, { status_key, suspended, deactivated }: Recipient): boolean {
  const isIn = !suspended && !deactivated
  switch (recipients) {
    case 'everyone':
      return true
    case 'active':
      return status_key === PERSON_STATUS.active && isIn
    case 'awaiting-completion':
      return status_key === PERSON_STATUS.approved && isIn
  }
}
