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
  /** @throws {MailRefused} when this mail cannot be sent, now or ever. Other errors mean that the server is away. */
  readonly send: (mail: OutgoingMail) => Promise<void>
  /** Asks for any answer; rejects while the server is away. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The server answered and did not take this mail. */
export class MailRefused extends Error {
  /** True when a later attempt will not help: the address does not exist, the mail is too large. */
  readonly isFinal: boolean
  constructor(reason: string, isFinal: boolean) {
    super(reason)
    this.name = 'MailRefused'
    this.isFinal = isFinal
  }
}
