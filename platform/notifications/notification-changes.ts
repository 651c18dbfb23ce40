import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** How often changes are polled, milliseconds. */
const EVERY_MS = 1000
/** How far each poll reaches back, seconds: a row has the time of its write, and commits later. What was reported is not reported again. */
const REACH_SECONDS = 10

type Listener = { readonly personId: string; readonly notify: () => void }

export type NotificationChanges = {
  /** Reports that notifications of this person changed, from now on, until the returned function is called. */
  readonly listen: (personId: string, notify: () => void) => () => void
  readonly stop: () => Promise<void>
}

/** Polls for changed notifications while there are listeners. One for each process: any process may write them, and PostgreSQL has all. */
export function createNotificationChanges(db: Kysely<Db>, onError: (error: unknown) => void): NotificationChanges {
  const listeners = new Set<Listener>()
  /** The last change that was reported, by person. */
  let reported = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  async function poll(): Promise<void> {
    try {
      const people = [...new Set([...listeners].map(({ personId }) => personId))]
      const { rows } = await sql<{ readonly person_id: string; readonly last: string }>`
        select person_id, max(changed_at)::text || ' ' || count(*) as last from app.notifications
        where changed_at > clock_timestamp() - make_interval(secs => ${REACH_SECONDS}) and person_id = any(${people})
        group by person_id`.execute(db)
      const fresh = rows.filter(({ person_id: id, last }) => isNewer(reported.get(id), last)).map(({ person_id: id }) => id)
      reported = new Map(rows.map(({ person_id: id, last }) => [id, last]))
      for (const { personId, notify } of listeners) if (fresh.includes(personId)) notify()
    } catch (error) {
      onError(error)
    }
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (listeners.size === 0) return
    timer = setTimeout(() => {
      polling = poll()
    }, EVERY_MS)
    timer.unref()
  }

  return {
    listen(personId, notify) {
      const listener = { personId, notify }
      listeners.add(listener)
      if (listeners.size === 1) void polling.then(schedule)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
    async stop() {
      listeners.clear()
      clearTimeout(timer)
      await polling
    },
  }
}

/** A row that left the reach changes the count alone: that is no change. */
const isNewer = (before: string | undefined, last: string): boolean => {
  if (before === undefined) return true
  const [at = '', count = '0'] = last.split(/ (?=\d+$)/)
  const [atBefore = '', countBefore = '0'] = before.split(/ (?=\d+$)/)
  return at !== atBefore || Number(count) > Number(countBefore)
}
