import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { MailRefused, MailUncertain, type Mailer, type RefusalScope } from '#commands/mail/mailer'
import { messageOf } from './mime.ts'

/** RFC 5321, 4.5.3.2: servers may greet and answer late on purpose, and take their time to check a mail that they have, milliseconds. */
const GREET_MS = 300_000
const ANSWER_MS = 600_000
const DNS_MS = 10_000
/** A question whether the server is there: nothing is lost when it is asked again. */
const PING_MS = 30_000

/** Sends mails to the server of an smtp:// or smtps:// address. */
export function createSmtpMailer(url: string): Mailer {
  // No pool: mails are rare, and a connection that stays open is closed by the server at the wrong moment.
  const transportOf = (setUpMs: number, silentMs: number) =>
    createTransport({
      url,
      // From the look-up of the name to the end of STARTTLS.
      connectionTimeout: setUpMs,
      greetingTimeout: setUpMs,
      socketTimeout: silentMs,
      dnsTimeout: DNS_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  const transport = transportOf(GREET_MS, ANSWER_MS)
  const asking = transportOf(PING_MS, PING_MS)
  return {
    async send(mail) {
      const message = new MailComposer(messageOf(mail)).compile()
      // Reads the mail alone, so that its end says that the server has all of it.
      const content = Readable.from([await message.build()])
      let isHandedOver = false
      content.once('end', () => {
        isHandedOver = true
      })
      try {
        await transport.sendMail({ envelope: message.getEnvelope(), raw: content })
      } catch (error) {
        throw refusalOf(error) ?? (isHandedOver ? new MailUncertain({ cause: error }) : named(error))
      }
    },
    async ping() {
      await asking.verify().catch((error: unknown) => {
        throw named(error)
      })
    },
    async close() {
      transport.close()
      asking.close()
    },
  }
}

type SmtpError = Error & {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/**
 * A refusal, by the server's answer: 4xx asks for a later attempt, 5xx about the recipient or the content is final. Null when the server
 * is away. What it says about the sender, a missing sign-in or relaying is no fault of the mail: the set-up has to change.
 */
function refusalOf(error: unknown): MailRefused | null {
  if (!(error instanceof Error)) return null
  const { code, command, response = '', responseCode } = error as SmtpError
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return null
  // The answer may repeat the address, which is personal data: the number says enough.
  if (responseCode === undefined) return new MailRefused('refused before it was sent', 'mail')
  return new MailRefused(`refused with ${responseCode}`, scopeOf(responseCode, command ?? '', response))
}

/** Servers wait with their answer to the sender until the recipient is named: then only its text tells. */
const OF_SET_UP = /\b5\.7\.\d|\bsender\b|\brelay|\bauthenticat|\blog ?in\b|\bsign.?in\b/i

function scopeOf(responseCode: number, command: string, response: string): RefusalScope {
  if (responseCode < 500) return 'now'
  if (command === 'MAIL FROM' || responseCode === 530 || responseCode === 535) return 'sender'
  return command === 'RCPT TO' && OF_SET_UP.test(response) ? 'sender' : 'mail'
}

/** An error whose code tells an operator what to change: certificates are not named by the transport. */
function named(error: unknown): unknown {
  const { originalCode, code } = error instanceof Error ? (error as SmtpError) : {}
  if (!/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(originalCode ?? '')) return error
  return Object.assign(new Error(`certificate: ${originalCode}`, { cause: error }), {
    code: `certificate: ${originalCode}`,
    was: code,
  })
}
