import { due, type Sweep } from '#commands/sweep'
import { fromMicros } from '#domain/kit/money'
import { overdueSince } from '#projections/invoice/queries'
import type { Needs } from '#api/areas/services'
import type { Notifications } from '#platform/notifications/notifications'

/** How often digests and due days are looked at, milliseconds. */
const EVERY_MS = 60_000
/** People whose digests are made together. */
const TOGETHER = 200
/** Notifications that a digest lists; it counts the others. */
const MOST_LISTED = 30
/** An invoice that was overdue for longer when the product was started is no news. Milliseconds. */
const OVERDUE_WITHIN_MS = 7 * 86_400_000

type PolicyKit = Needs<'accounts' | 'caughtUp' | 'db' | 'derivedId' | 'notify' | 'now' | 'queueMail'>

const minuteOf = (now: string): string => String(Math.floor(Date.parse(now) / EVERY_MS))

/** Mails the notifications of a day to those who chose that, at 08:00. What was read in the application is left out. */
export function digests({ db, derivedId, now, queueMail }: PolicyKit, notifications: Notifications): Sweep {
  const make = (personId: string) =>
    db.transaction().execute(async (tx) => {
      const taken = await notifications.takeDigest(tx, personId, now())
      const fresh = taken.filter(({ read, late }) => !read && !late)
      const [newest] = fresh
      if (newest === undefined) return
      await queueMail(tx, {
        id: derivedId('notification digest', personId, newest.id),
        whitelabelId: newest.whitelabel_id,
        to: { personId },
        template: 'notification-digest',
        data: {
          count: fresh.length,
          items: JSON.stringify(fresh.slice(0, MOST_LISTED).map(({ kind, data }) => ({ kind, data }))),
        },
      })
    })
  return {
    name: 'notification-digests',
    basis: async () => minuteOf(now()),
    scan: async (except) => due(await notifications.peopleWithDigest(now(), TOGETHER, except), String, make),
  }
}

/** Notifies of invoices whose due day is over, once each. */
export function overdueInvoices(kit: PolicyKit): Sweep {
  const { caughtUp, db, notify, now } = kit
  /** Due instants by id, of this process: others find that their recipients are notified. */
  const handled = new Map<string, string>()
  return {
    name: 'overdue-invoices',
    basis: async () => minuteOf(now()),
    scan: async (except) => {
      await caughtUp(['invoices'])
      const instant = now()
      const since = new Date(Date.parse(instant) - OVERDUE_WITHIN_MS).toISOString()
      for (const [id, at] of handled) if (at < since) handled.delete(id)
      const found = await overdueSince(db, { since, now: instant, except: [...handled.keys(), ...except] })
      return due(
        found,
        ({ id }) => id,
        async ({ id, space_id: spaceId, whitelabel_id: whitelabelId, number, due: at, left, currency }) => {
          await db.transaction().execute((tx) =>
            notify(tx, {
              kind: 'invoice-overdue',
              cause: `overdue ${id}`,
              whitelabelId,
              spaceId,
              at,
              data: { id, number, amount: fromMicros(left), currency, due: at },
            }),
          )
          handled.set(id, at)
        },
      )
    },
  }
}
