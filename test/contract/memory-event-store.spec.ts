import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('memory', { exact: true, networked: false }, async () => ({
  store: createMemoryEventStore(),
  dispose: async () => {},
}))
