import type { Outside } from '../outside.ts'

/** A mail with its final texts. */
export type OutgoingMail = {
  /** The same for every attempt: receivers and servers recognise a repeat by it. `<id@domain>`. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments?: readonly Attachment[]
}
export type Attachment = {
  readonly filename: string
  readonly content: Uint8Array
  readonly contentType: string
}
export type Mailbox = { readonly name: string; readonly address: string }

/** Sends mails. Resolves once the mail is accepted; every other outcome rejects. */
export type Mailer = {
  /**
   * @throws {MailRefused} when the server answered and did not take this mail, and {MailUncertain} when it may have taken it. Other
   * errors mean that the server is away.
   */
  readonly send: (mail: OutgoingMail) => Promise<void>
  /** Asks for any answer; rejects while the server is away. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Subject of a refusal: `now` may pass, `mail` is final (the address does not exist, the mail is too large), and `sender` is the
 * set-up, whatever the mail: the address of the sender, a missing sign-in, a server that relays nothing for us.
 */
export type RefusalScope = 'now' | 'mail' | 'sender'

/** The server answered and did not take this mail. */
export class MailRefused extends Error {
  readonly scope: RefusalScope
  constructor(reason: string, scope: RefusalScope) {
    super(reason)
    this.name = 'MailRefused'
    this.scope = scope
  }
}

/** The server has the whole mail and did not say whether it took it: a repeat may be a copy. */
export class MailUncertain extends Error {
  constructor(options?: ErrorOptions) {
    super('the server did not acknowledge the mail', options)
    this.name = 'MailUncertain'
  }
}

/** The mail server as the queue sees it, and as health and metrics do. */
export type WatchedMail = {
  readonly outside: Outside
  /** Also away while the server is there and refuses the sender: mails wait in both cases. */
  readonly health: Pick<Outside, 'name' | 'isAway'>
  /** Notes that the server refused the sender, with the reason; null once it takes mails. */
  readonly noteSender: (refusal: string | null) => void
}
