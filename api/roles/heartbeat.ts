import type { Outside } from '#commands/outside'
import { unlessAway } from '#commands/outside'
import { beat, endProcess, type AwayService } from '#platform/operations/processes'
import { storeErrors } from '#platform/operations/server-errors'
import type { Wired } from '../areas/services.ts'
import { repeat } from '../process/repeat.ts'
import { HOST } from '../process/this-process.ts'
import { VERSION } from '../version.ts'

const BEAT_MS = 5000

/** Shows this process to operators: its signs of life, the services that it cannot reach, and its errors (fine print 98). */
export function startHeartbeat(
  kit: Wired,
  { postgres, outside }: { readonly postgres: Outside; readonly outside: readonly Pick<Outside, 'name' | 'isAway'>[] },
): void {
  const { config, db, errors, newId, stops } = kit
  const self = { id: newId(), host: HOST, pid: process.pid, role: config.role, version: VERSION }
  let away: readonly AwayService[] = []
  stops.add(() => endProcess(db, self.id).catch(() => undefined))
  repeat(kit, BEAT_MS, 'storing a sign of life', async () => {
    const before = new Map(away.map((one) => [one.name, one.since]))
    const now = new Date().toISOString()
    away = outside
      .filter(({ name, isAway }) => name !== postgres.name && isAway())
      .map(({ name }) => ({ name, since: before.get(name) ?? now }))
    await unlessAway(postgres, async () => {
      await beat(db, self, away)
      await errors.storeBy((some) => storeErrors(db, self, some))
      return []
    })
  })
}
