import type { Wired } from '../areas/services.ts'
import { MailRefused, MailUncertain, type Mailer, type WatchedMail } from '#commands/mail/mailer'
import type { Config } from '../config.ts'
import { watchOutside, type Outside } from '#commands/outside'

/** A connection a second would be a nuisance to a mail server: mails that fail report its absence sooner. */
const ASK_EVERY_MS = 10_000
/** A server that greets at once is away after two seconds of silence. Many let every client wait: theirs is twice the last greeting. */
const QUICK_MS = 1900
const SLOWEST_MS = 30_000
/** How often the log repeats that the server refuses the sender. */
const REPEATED_AFTER_MS = 3_600_000

type WatchDeps = Pick<Wired, 'logger' | 'stops'> & { readonly mailer: Mailer }

/** Watches the mailer. A server that is away never stops the start: it is a line in the log. */
export function watchMail({ mail }: Pick<Config, 'mail'>, { mailer, logger, stops }: WatchDeps): WatchedMail {
  stops.add(() => mailer.close())
  let greeted: number | null = null
  async function ping(): Promise<void> {
    const start = Date.now()
    await mailer.ping()
    greeted = Date.now() - start
  }
  const outside: Outside = watchOutside({
    name: 'mail',
    ping,
    isAbsence: (error) => !(error instanceof MailRefused) && !(error instanceof MailUncertain),
    isBusy: () => false,
    askEveryMs: ASK_EVERY_MS,
    answerWithinMs: () =>
      greeted === null || outside.isAway() ? SLOWEST_MS : Math.min(SLOWEST_MS, Math.max(QUICK_MS, 2 * greeted)),
    whileAway: 'Mails wait in the queue until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  // Not awaited: a frozen server would delay the start.
  if (mail.kind === 'smtp')
    ping().catch((error: unknown) => {
      logger.warn(`SMTP_URL: the mail server cannot be used (${codeOf(error)}). Mails wait until it can`)
      void outside.run(() => Promise.reject(error)).catch(() => undefined)
    })
  let refusedAt: number | null = null
  return {
    outside,
    health: { name: outside.name, isAway: () => outside.isAway() || refusedAt !== null },
    noteSender(refusal) {
      if (refusal === null) {
        if (refusedAt !== null) logger.warn('mail: the server takes mails again')
        refusedAt = null
      } else if (refusedAt === null || Date.now() - refusedAt > REPEATED_AFTER_MS) {
        refusedAt = Date.now()
        logger.error(
          `SMTP_URL: the mail server refuses the sender ${mail.from} or the sign-in (${refusal}). Mails wait; check "from", user and password, and whom the server relays for`,
        )
      }
    },
  }
}

/** A code such as ECONNREFUSED or EAUTH: messages may repeat the address or the user. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
