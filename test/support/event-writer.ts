/**
 * A process that appends to its streams as fast as it can and prints a line per acknowledged event: stream, version, id. Ends
 * only when it is killed.
 */
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { someEvents, someStream } from './events.ts'

const url = process.argv[2] ?? ''
const store = createPostgresEventStore({ pool: createPool(url, { max: 4, applicationName: 'placard-test' }), url })

async function write(size: number): Promise<void> {
  const stream = someStream()
  for (let expected = 0; ; expected += size) {
    const events = someEvents(size)
    const result = await store.append({ stream, expected, events })
    if (result.kind !== 'appended') throw new Error(`conflict on ${stream}, which has one writer`)
    process.stdout.write(events.map((event, index) => `${stream} ${expected + index + 1} ${event.id}\n`).join(''))
  }
}

await Promise.all(Array.from({ length: 16 }, (_, index) => write(1 + (index % 3))))
