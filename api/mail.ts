import { MailRefused, type Mailer } from './kit/mail/mailer.ts'
import type { Config } from './config.ts'
import type { Kit } from './kit/kit.ts'
import { watchOutside, type Outside } from './kit/outside.ts'

/** A connection a second would be a nuisance to a mail server: mails that fail report its absence sooner. */
const ASK_EVERY_MS = 10_000

type WatchDeps = Pick<Kit, 'logger' | 'stops'> & { readonly mailer: Mailer }

/** Watches the mailer. A server that is away never stops the start: it is a line in the log. */
export function watchMail({ mail }: Pick<Config, 'mail'>, { mailer, logger, stops }: WatchDeps): Outside {
  stops.add(() => mailer.close())
  const outside = watchOutside({
    name: 'mail',
    ping: mailer.ping,
    isAbsence: (error) => !(error instanceof MailRefused),
    isBusy: () => false,
    askEveryMs: ASK_EVERY_MS,
    whileAway: 'Mails wait in the queue until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  // Not awaited: a frozen server would delay the start.
  if (mail.kind === 'smtp')
    mailer.ping().catch((error: unknown) => {
      logger.warn(`SMTP_URL: the mail server cannot be used (${codeOf(error)}). Mails wait until it can`)
      void outside.run(() => Promise.reject(error)).catch(() => undefined)
    })
  return outside
}

/** A code such as ECONNREFUSED or EAUTH: messages may repeat the address or the user. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
