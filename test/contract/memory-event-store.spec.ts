import { createMemoryEventStore } from '../../eventstore/memory/memory-event-store.ts'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('memory', async () => ({ store: createMemoryEventStore(), dispose: async () => {} }))
