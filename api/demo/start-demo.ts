import { createDemoBidSamples } from './demo-bid-samples.ts'
import { createDemoDelivery } from './demo-delivery.ts'
import { createDemoEvents } from './demo-events.ts'
import type { Wired } from '../areas/services.ts'
import { seedAudiences } from './demo-audiences.ts'
import { landscape } from './artwork.ts'
import { fileAddress } from '#domain/campaign/content/file-addresses'
import { DEMO_PASSWORD } from './people.ts'
import { seedDemo } from './seed.ts'
import { createUploads } from '../areas/files/uploads.ts'
import { createSettled } from './settled.ts'
import type { BidSamples } from '#platform/delivery/bid-samples'

type DemoDeps = {
  /** Commands that run at another time. */
  readonly commandsAt: (now: () => string) => Wired['commands']
  readonly bidSamples: BidSamples
  /** Whether the database holds the whole demo already. */
  readonly filled: boolean
  /** How many events the read models are behind the log, all together. */
  readonly behind: () => Promise<bigint>
  /** Whether this process leads the policies. */
  readonly leads: () => Promise<boolean>
  /** Runs the work while no other process fills the demo: each would upload the same audiences. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly signal: AbortSignal
}

/** Fills an empty installation with the demo, and goes on delivering to it after `start`. */
export async function openDemo(wired: Wired, deps: DemoDeps) {
  const { commandsAt, filled, leads, signal } = deps
  const bidSamples = createDemoBidSamples(wired, deps.bidSamples)
  if (!filled) {
    await deps.alone(async () => {
      await fill(wired, deps)
      await bidSamples.renew()
    })
  }
  if (!wired.config.demoDelivery) return { start() {} }
  const delivery = createDemoDelivery(wired, { commandsAt, leads })
  const events = createDemoEvents(wired, { leads })
  // One process that does everything is ready once the demo is whole; beside other processes, its delivery follows.
  if (wired.config.role === 'all') {
    // Its clicks confirm the events that follow them.
    await delivery.complete()
    await events.complete()
    signal.throwIfAborted()
  }
  return {
    start() {
      delivery.start()
      events.start()
      bidSamples.start(leads)
    },
  }
}

async function fill(kit: Wired, { commandsAt, behind, signal }: DemoDeps): Promise<void> {
  const { caughtUp, derivedId, files, logger, media, now, people } = kit
  const uploads = createUploads({ media, files })
  let clock = now()
  const past = commandsAt(() => clock)
  const setClock = (instant: string) => {
    clock = instant
  }
  await seedDemo({
    ...past,
    setClock,
    now,
    id: (...parts) => derivedId('demo', ...parts),
    createPerson: ({ id, spaceId, whitelabelId, email, firstName, lastName, role }) =>
      people.create({
        id,
        whitelabel_id: whitelabelId,
        home_space_id: spaceId,
        roles: [role],
        first_name: firstName,
        last_name: lastName,
        email,
        phone: null,
        password: DEMO_PASSWORD,
        demo: true,
      }),
    storeBanner: async ({ spaceId, ownerId, width, height, seed }) => {
      const bytes = await media.images.draw(landscape(width, height, seed))
      const incoming = { bytes, name: `banner-${width}x${height}.png`, cut: false }
      const file = await uploads.banner(incoming, { width, height }, { spaceId, userId: ownerId })
      return { file_id: file.id, url: fileAddress(file.id) }
    },
    settled: createSettled({ caughtUp, behind, warn: (message) => logger.warn(message), signal }),
  })
  await seedAudiences(kit, { commands: past, setClock })
}
