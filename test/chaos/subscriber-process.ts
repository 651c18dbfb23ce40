/**
 * A process that follows the log and writes down every event it is given. Arguments: url, its name, its history file, the
 * subscriber it is a life of, the checkpoint to go on after. Prints `ready`, and `reached` for an order `reach <position>`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createPool } from '../../platform/database/pool.ts'
import { mixedUpIn, now, openHistory } from './history.ts'
import { report, takeOrders } from './orders.ts'

const [url = '', name = '', file = '', subscriber = '', after = ''] = process.argv.slice(2)
const history = openHistory(file)
const pool = createPool(url, { max: 2, applicationName: 'placard-chaos' })
const store = createPostgresEventStore({ pool, url })
let checkpoint = BigInt(after)
let goal: bigint | null = null

const look = (): void => {
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
    // Between the two lines a kill makes the next life see these events again.
    await delay(1)
    history.write({ kind: 'checkpoint', process: name, position: Number(upTo) })
    checkpoint = upTo
    look()
  },
  onError: (error) => {
    throw error
  },
})
takeOrders(
  {
    reach: (position) => {
      goal = BigInt(position)
      look()
    },
  },
  () => void store.close().then(() => pool.end()),
)
report('ready')
