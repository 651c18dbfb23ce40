import type { ParsedMail } from 'mailparser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mailer, OutgoingMail } from '#commands/mail/mailer'

export type MailerUnderTest = {
  readonly mailer: Mailer
  /** Everything that arrived, the oldest first. */
  readonly arrived: () => Promise<readonly ParsedMail[]>
  readonly close: () => Promise<void>
}

let made = 0
export const mailOf = (over: Partial<OutgoingMail> = {}): OutgoingMail => {
  made += 1
  return {
    messageId: `<mail-${made}@placard.example>`,
    from: { name: 'Placard', address: 'no-reply@placard.example' },
    to: { name: 'Ada Hassan', address: `ada${made}@nile.example` },
    subject: `Mail ${made}`,
    html: '<p>Hello <b>Ada</b></p>',
    text: 'Hello Ada',
    ...over,
  }
}

/** Tests every adapter of the port. */
export function mailerContract(name: string, open: () => Promise<MailerUnderTest>): void {
  describe(name, () => {
    let opened: MailerUnderTest
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())

    async function sent(mail: OutgoingMail): Promise<ParsedMail> {
      await opened.mailer.send(mail)
      const found = (await opened.arrived()).filter(({ messageId }) => messageId === mail.messageId)
      expect(found).toHaveLength(1)
      return found[0] as ParsedMail
    }

    it('delivers HTML and text with the sender, the recipient and the message id', async () => {
      const mail = mailOf()
      const arrived = await sent(mail)
      expect(arrived.from?.value).toEqual([{ name: 'Placard', address: 'no-reply@placard.example' }])
      expect([arrived.to].flat()[0]?.value).toEqual([{ name: 'Ada Hassan', address: mail.to.address }])
      expect(arrived).toMatchObject({ subject: mail.subject, html: mail.html })
      expect(arrived.text?.trim()).toBe('Hello Ada')
    })

    it('delivers text of every script', async () => {
      const arrived = await sent(
        mailOf({
          subject: 'Привет, мир – ₦ ֏',
          text: 'Здравствуйте!',
          to: { name: 'Анна Петрова', address: 'anna@nile.example' },
        }),
      )
      expect(arrived).toMatchObject({ subject: 'Привет, мир – ₦ ֏' })
      expect(arrived.text?.trim()).toBe('Здравствуйте!')
      expect([arrived.to].flat()[0]?.value[0]?.name).toBe('Анна Петрова')
    })

    it('adds no header and no recipient that a name or a subject contains', async () => {
      const hostile = 'Ada\r\nBcc: thief@evil.example\r\n\r\n<b>body</b>'
      const arrived = await sent(
        mailOf({ subject: hostile, to: { name: `${hostile}", <thief@evil.example>`, address: 'ada@nile.example' } }),
      )
      expect(arrived.headers.has('bcc')).toBe(false)
      expect([arrived.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual(['ada@nile.example'])
      expect(arrived.subject).toBe('Ada Bcc: thief@evil.example <b>body</b>')
    })

    it('reads no file and no address that a text names', async () => {
      const arrived = await sent(mailOf({ html: '<img src="file:///etc/passwd">', text: 'file:///etc/passwd' }))
      expect(arrived.attachments).toEqual([])
      expect(arrived.text?.trim()).toBe('file:///etc/passwd')
    })

    it('delivers attachments', async () => {
      const attachments = [{ filename: 'invoice.txt', content: Buffer.from('one'), contentType: 'text/plain' }]
      const arrived = await sent(mailOf({ attachments }))
      expect(arrived.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([['invoice.txt', 'one']])
    })

    it('answers a ping', () => expect(opened.mailer.ping()).resolves.toBeUndefined())
  })
}
