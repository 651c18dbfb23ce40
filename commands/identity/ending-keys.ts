import type { Kysely } from 'kysely'
import type { QueueMail } from '../mail/mail-queue.ts'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'
import { DAY_MS, NOTICE_DAYS } from '#domain/kit/key-life'
import type { Db } from '#migrations/db'

/** A working key that ends soon. */
export type EndingKey = {
  readonly id: string
  readonly whitelabel_id: string
  /** Ids of the persons who get the mail. */
  readonly mailed: readonly string[]
  /** Values by which the mail names it. */
  readonly data: Readonly<Record<string, string>>
  readonly expires_at: string
}

/** Keys of one kind; see `platform/identity/ending-keys.ts`. */
export type EndingKeys = {
  readonly sweep: 'ending-api-keys' | 'ending-credentials'
  readonly template: 'api-key-ending' | 'credential-ending'
  /** Ids of keys that end at or before `until` and of which no mail said so, at most `most`. */
  readonly due: (
    span: { readonly now: string; readonly until: string; readonly except: readonly string[] },
    most: number,
  ) => Promise<readonly string[]>
  /** Takes a due key, once over all processes; null when it was taken, revoked or replaced meanwhile. */
  readonly take: (tx: Kysely<Db>, id: string, now: string) => Promise<EndingKey | null>
}

export type EndingKeysDeps = {
  readonly db: Kysely<Db>
  readonly keys: EndingKeys
  readonly queueMail: QueueMail
  readonly derivedId: (...parts: string[]) => string
  readonly now: () => string
}

/** How often ends of keys are scanned, milliseconds. */
const EVERY_MS = 60_000

/** Mails those whom a key concerns seven days before it ends, once for each key (fine print 86). */
export function mailEndingKeys({ db, keys, queueMail, derivedId, now }: EndingKeysDeps): Sweep {
  const mail = (id: string) =>
    // One commit: a process that stops between the two leaves the key due.
    db.transaction().execute(async (tx) => {
      const key = await keys.take(tx, id, now())
      if (key === null) return
      for (const personId of key.mailed)
        await queueMail(tx, {
          id: derivedId('end of key', id, personId),
          whitelabelId: key.whitelabel_id,
          to: { personId },
          template: keys.template,
          data: { ...key.data, until: key.expires_at },
        })
    })
  return {
    name: keys.sweep,
    basis: async () => String(Math.floor(Date.parse(now()) / EVERY_MS)),
    scan: async (except) => {
      const time = now()
      const until = new Date(Date.parse(time) + NOTICE_DAYS * DAY_MS).toISOString()
      return due(await keys.due({ now: time, until, except }, FULL_SCAN), String, mail)
    },
  }
}
