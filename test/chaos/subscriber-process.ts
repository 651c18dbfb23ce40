/**
 * A process that follows the log and records every delivered event. Arguments: url, its name, its history file, the name of the
 * subscriber, the checkpoint to continue after. Prints `ready`, and `reached` for an order `reach <position>`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { mixedUpIn, now, openHistory } from './history.ts'
import { report, takeOrders } from './orders.ts'

const [url = '', name = '', file = '', subscriber = '', after = ''] = process.argv.slice(2)
const history = openHistory(file)
const pool = createPool(url, { max: 2, applicationName: 'placard-chaos' })
const store = createPostgresEventStore({ pool, url })
let checkpoint = BigInt(after)
let goal: bigint | null = null

const reportGoal = (): void => {
  if (goal === null || checkpoint < goal) return
  goal = null
  report('reached')
}

history.write({ kind: 'follow', process: name, at: now(), subscriber, after: Number(after) })
store.subscribe({
  after: checkpoint,
  onPage: async ({ events, upTo }) => {
    history.write(
      ...events.map((event) => ({
        kind: 'deliver' as const,
        process: name,
        position: Number(event.position),
        stream: event.stream,
        version: event.version,
        id: event.id,
        ...mixedUpIn(event),
      })),
    )
    // After a kill between these two lines, the next life receives the events again.
    await delay(1)
    history.write({ kind: 'checkpoint', process: name, position: Number(upTo) })
    checkpoint = upTo
    reportGoal()
  },
  onError: (error) => {
    throw error
  },
})
takeOrders(
  {
    reach: (position) => {
      goal = BigInt(position)
      reportGoal()
    },
  },
  () => void store.close().then(() => pool.end()),
)
report('ready')
