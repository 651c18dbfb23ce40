import { createTransport } from 'nodemailer'
import { MailRefused, type Mailer } from '../../api/kit/mail/mailer.ts'
import { messageOf } from './mime.ts'

/** A server that accepts the connection and then says nothing is away, milliseconds. */
const CONNECT_MS = 3000
const GREET_MS = 3000
const SILENT_MS = 6000

/** Sends mails to the server of an smtp:// or smtps:// address. */
export function createSmtpMailer(url: string): Mailer {
  // No pool: mails are rare, and a connection that stays open is closed by the server at the wrong moment.
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREET_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      try {
        await transport.sendMail(messageOf(mail))
      } catch (error) {
        throw refusalOf(error) ?? error
      }
    },
    async ping() {
      await transport.verify()
    },
    async close() {
      transport.close()
    },
  }
}

/**
 * A refusal of the mail itself, by the server's answer: 5xx to a recipient or the content is final, 4xx is not. Null when the server
 * is away, or refuses everyone (authentication).
 */
function refusalOf(error: unknown): MailRefused | null {
  if (!(error instanceof Error)) return null
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return null
  // The answer may repeat the address, which is personal data: the number says enough.
  return new MailRefused(
    responseCode === undefined ? 'refused before it was sent' : `refused with ${responseCode}`,
    final(responseCode),
  )
}

/** 421 ends the connection and 4xx asks for a later attempt. Without a number nodemailer itself refused, e.g. an impossible address. */
const final = (responseCode: number | undefined): boolean => responseCode === undefined || responseCode >= 500
