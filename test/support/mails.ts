import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser, type ParsedMail } from 'mailparser'
import { eventually } from './product.ts'

/** Mails in the outbox of a product, the oldest first. */
export async function outboxOf(dataDir: string): Promise<readonly ParsedMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(names.map(async (name) => simpleParser(await readFile(join(folder, name)))))
}

export const recipientOf = (mail: ParsedMail): string => [mail.to].flat()[0]?.value[0]?.address ?? ''

/** Waits for the n-th mail to an address, counted from one, of those whose subject contains a text. */
export async function mailTo(dataDir: string, address: string, n = 1, subject = ''): Promise<ParsedMail> {
  const found = await eventually(
    async () =>
      (await outboxOf(dataDir)).filter((mail) => recipientOf(mail) === address && (mail.subject ?? '').includes(subject)),
    (mails) => mails.length >= n,
  )
  const mail = found[n - 1]
  if (mail === undefined) throw new Error(`no mail ${n} to ${address}`)
  return mail
}

/** The first address of the application in a mail's text. */
export const linkIn = (mail: ParsedMail): URL => new URL(/https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? '')
export const keyIn = (mail: ParsedMail): string => linkIn(mail).pathname.split('/').at(-1) ?? ''
