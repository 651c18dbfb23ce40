import { createHash } from 'node:crypto'
import { access, mkdir, open, readdir, rename } from 'node:fs/promises'
import { constants } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from '#commands/mail/mailer'
import { messageOf } from './mime.ts'

/**
 * Writes each mail to a file `<time>-<id>.eml` of the folder (fine print 57). A file appears when it is whole and on disk. A mail
 * that is there already is not written again.
 */
export function createOutboxMailer(folder: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const prepared = mkdir(folder, { recursive: true, mode: 0o700 })
  prepared.catch(() => undefined)

  return {
    async send(mail) {
      await prepared
      const id = idOf(mail.messageId)
      if ((await readdir(folder)).some((name) => name.endsWith(`-${id}.eml`))) return
      const { message } = await transport.sendMail(messageOf(mail))
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const name = `${time}-${id}.eml`
      const partial = join(folder, `.${name}.partial`)
      const file = await open(partial, 'w', 0o600)
      try {
        await file.writeFile(message as Buffer)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partial, join(folder, name))
    },
    async ping() {
      await prepared
      await access(folder, constants.W_OK)
    },
    async close() {
      transport.close()
    },
  }
}

/** The part of a message id that names the mail, or its hash where that cannot be a file name. */
function idOf(messageId: string): string {
  const [, id = ''] = /^<?([^@>]*)/.exec(messageId) ?? []
  return /^[\w-]{1,80}$/.test(id) ? id : createHash('sha256').update(messageId).digest('hex').slice(0, 32)
}
