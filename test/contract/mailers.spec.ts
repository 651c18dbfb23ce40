import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MailRefused, MailUncertain } from '#commands/mail/mailer'
import { createOutboxMailer } from '#platform/mail/outbox-mailer'
import { createSmtpMailer } from '#platform/mail/smtp-mailer'
import { startSmtp } from '../support/smtp.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'
import { mailerContract, mailOf } from './mailer.contract.ts'

mailerContract('the SMTP mailer', async () => {
  const smtp = await startSmtp()
  const mailer = createSmtpMailer(smtp.url)
  return {
    mailer,
    arrived: async () => smtp.mails,
    close: async () => {
      await mailer.close()
      await smtp.stop()
    },
  }
})

const emlIn = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()

mailerContract('the outbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'placard-outbox-'))
  const mailer = createOutboxMailer(join(folder, 'outbox'))
  return {
    mailer,
    arrived: async () =>
      Promise.all(
        (await emlIn(join(folder, 'outbox'))).map(async (name) => simpleParser(await readFile(join(folder, 'outbox', name)))),
      ),
    close: async () => {
      await mailer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})

describe('the outbox', () => {
  // covers FP-57
  it('writes one file for a mail that is sent twice, named by time and id, and leaves no partial file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'placard-outbox-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const mailer = createOutboxMailer(folder)
    const mail = mailOf({ messageId: '<0193-abc@placard.example>' })
    await mailer.send(mail)
    await mailer.send(mail)
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d-]+Z-0193-abc\.eml$/)])
  })

  it('keeps every file in its folder, whatever the message id holds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'placard-outbox-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await createOutboxMailer(folder).send(mailOf({ messageId: '<../../elsewhere@x>' }))
    expect(await readdir(folder)).toHaveLength(1)
  })
})

describe('the SMTP mailer', () => {
  async function opened() {
    const smtp = await startSmtp()
    const mailer = createSmtpMailer(smtp.url)
    onTestFinished(async () => {
      await mailer.close()
      await smtp.stop()
    })
    return { smtp, mailer }
  }

  it.each([
    [451, 'now'],
    [550, 'mail'],
  ])('reports a refusal with %s as one of this scope: %s', async (code, scope) => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'refuses', code })
    const error = await mailer.send(mailOf()).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(MailRefused)
    expect(error).toMatchObject({ scope, message: `refused with ${code}` })
  })

  it.each([
    [553, 'sender', 'Sender address rejected'],
    [530, 'sender', '5.7.0 Authentication required'],
    [553, 'recipient', '5.7.1 <ads@placard.example>: Sender address rejected: not owned by user'],
    [554, 'recipient', '5.7.1 Relay access denied'],
  ] as const)('reports %s to the %s, "%s", as a fault of the set-up', async (code, at, text) => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'refuses-sender', code, at, text })
    const error = await mailer.send(mailOf()).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ name: 'MailRefused', scope: 'sender' })
  })

  it('does not know about a mail that a server took without an answer', async () => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'swallows' })
    await expect(mailer.send(mailOf())).rejects.toBeInstanceOf(MailUncertain)
    expect(smtp.mails).toHaveLength(1)
  })

  it('names the untrusted certificate of a server', async () => {
    const server = new SMTPServer({ secure: true, ...UNTRUSTED })
    server.on('error', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    const mailer = createSmtpMailer(`smtps://127.0.0.1:${port}`)
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    await expect(mailer.ping()).rejects.toMatchObject({ code: expect.stringMatching(/^certificate: /) })
  })

  it('counts a lost connection as an absence', async () => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'drops' })
    const error = await mailer.send(mailOf()).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  it('refuses an impossible address for ever', async () => {
    const { mailer } = await opened()
    const error = await mailer.send(mailOf({ to: { name: '', address: 'nobody' } })).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(Error)
  })
})
