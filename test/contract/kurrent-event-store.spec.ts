import { describe, test } from 'vitest'
import { createKurrentEventStore } from '../../eventstore/kurrentdb/kurrent-event-store.ts'
import { startStandIn } from '../support/kurrent/stand-in.ts'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('KurrentDB, in place of a server', { exact: false, networked: true }, async () => {
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
  describe('KurrentDB, a real server', () => {
    test.skip('runs when TEST_KURRENTDB_URL names one', () => {})
  })
else
  eventStoreContract('KurrentDB, a real server', { exact: false, networked: false }, async () => ({
    store: createKurrentEventStore(real),
    dispose: async () => {},
  }))
