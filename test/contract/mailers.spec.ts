import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MailRefused } from '../../api/kit/mail/mailer.ts'
import { createOutboxMailer } from '../../platform/mail/outbox-mailer.ts'
import { createSmtpMailer } from '../../platform/mail/smtp-mailer.ts'
import { startSmtp } from '../support/smtp.ts'
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
    [451, false],
    [550, true],
  ])('reports a refusal with %s, final: %s', async (code, isFinal) => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'refuses', code })
    const error = await mailer.send(mailOf()).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(MailRefused)
    expect(error).toMatchObject({ isFinal, message: `refused with ${code}` })
  })

  it('counts a server that accepts the connection and stays silent as away within four seconds', async () => {
    const { smtp, mailer } = await opened()
    smtp.behave({ kind: 'frozen' })
    const start = performance.now()
    const error = await mailer.send(mailOf()).catch((failure: unknown) => failure)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(performance.now() - start).toBeLessThan(4000)
    await expect(mailer.ping()).rejects.toThrow()
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
