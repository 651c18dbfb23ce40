import { describe, test } from 'vitest'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { startStandIn } from '../support/kurrent/stand-in.ts'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('KurrentDB stand-in', { exact: false, networked: true }, async () => {
  const server = await startStandIn()
  return {
    store: createKurrentEventStore(server.url),
    faults: {
      loseAnswer: () => server.nextAppend('answer lost'),
      cut: server.cut,
      down: server.kill,
      up: server.revive,
    },
    dispose: () => server.stop(),
  }
})

const real = process.env['TEST_KURRENTDB_URL']
if (real === undefined)
  describe('KurrentDB on a real server', () => {
    test.skip('KurrentDB on a real server is tested when TEST_KURRENTDB_URL is set', () => {})
  })
else
  eventStoreContract('KurrentDB on a real server', { exact: false, networked: false }, async () => ({
    store: createKurrentEventStore(real),
    dispose: async () => {},
  }))
