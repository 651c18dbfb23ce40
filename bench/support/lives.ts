import { createCampaignCommands, type CampaignCommands, type Issue } from '#commands/campaign/campaign-commands'
import { createHandler } from '#commands/handle'
import type { StateCache } from '#commands/state-cache'
import type { CampaignPort } from '#commands/campaign/campaign-port'
import { streamOf } from '#domain/campaign/state'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId } from '#platform/ids'
import { port as obliging } from '#test/support/campaign-commands'

/** The port of campaign commands in a bench. */
export const port: CampaignPort = {
  ...obliging,
  // The end of an id is the size of its picture.
  files: async (ids) =>
    new Map(
      ids.map((id) => {
        const [width = 0, height = 0] = (id.split('_').at(-1) ?? '').split('x').map(Number)
        return [id, { contentType: 'image/png', size: 20_000, width, height, seconds: null }]
      }),
    ),
}

export const issue = (commandId: string): Issue => ({
  mayWriteOwnerFields: true,
  context: {
    actor: '0198a000-0000-7000-8000-000000000001',
    role: 'USER_OWNER',
    on_behalf_of: null,
    source: 'api',
    command_id: commandId,
    body_hash: null,
    correlation: commandId,
    causation: null,
  },
})

/** Commands over a store with the real handler, under the real clock. */
export function commandsOver(store: EventStore, cache?: StateCache): CampaignCommands {
  const handle = createHandler({
    store,
    now: () => new Date().toISOString(),
    eventId: (commandId, n) => derivedId('event', commandId, String(n)),
    ...(cache === undefined ? {} : { cache }),
  })
  return createCampaignCommands({ handle, store, port })
}

const FILE = '0198a000-0000-7000-8000-00000000f11e'
/** A typical campaign: three banners, a flight, some targeting. */
export const body = (name: string) => ({
  name,
  country: 'NG',
  budget: 50_000_000,
  product_url: 'https://nile.example/summer-sale?ref=placard',
  bidding_strategy: { type: 'awareness' },
  visuals: {
    banners: [
      [300, 250],
      [728, 90],
      [160, 600],
    ].map(([width, height], n) => ({
      id: `0198a000-0000-7000-8000-0000000000b${n}`,
      width: width ?? 0,
      height: height ?? 0,
      file_id: `${FILE}_${width}x${height}`,
      url: `/v1/file/cache/${FILE}_${width}x${height}`,
      creative_name: `summer_sale_${width}x${height}`,
    })),
  },
})

export const TEMPLATE_CAMPAIGN = '0198a000-0000-7000-8000-00000000ca3e'
export const TEMPLATE_SPACE = '0198a000-0000-7000-8000-000000005ace'
export const TEMPLATE_NAME = 'Summer sale'

/** One recorded life of ten commits, made by the real commands: the template of fact sets. */
export async function recordLife(whitelabelId = 'bench'): Promise<readonly StoredEvent[]> {
  const store = createMemoryEventStore()
  const commands = commandsOver(store)
  let n = 0
  const next = () => issue(derivedId('bench', String((n += 1))))
  const id = TEMPLATE_CAMPAIGN
  const save = (patch: object) => ({ patch, newIds: [], expected: null })
  const done = (outcome: { readonly kind: string }) => {
    if (outcome.kind !== 'done') throw new Error(`a bench command was refused: ${JSON.stringify(outcome)}`)
  }
  done(
    await commands.create(next(), {
      id,
      spaceId: TEMPLATE_SPACE,
      whitelabelId,
      publish: false,
      source: null,
      newIds: [],
      patch: body(TEMPLATE_NAME),
    }),
  )
  done(await commands.update(id, next(), save({ budget: 75_000_000 })))
  done(await commands.publish(id, next(), save({})))
  const { moderation_start_at: moderationStartAt } = await commands.load(id)
  done(await commands.approve(id, next(), { moderationStartAt, categoryKeys: null, exchangeId: ['google'] }))
  const approved = { status: 'approved', topics: [] } as const
  const decision = { dealsPolicyCompliance: approved, networkPolicyCompliance: approved, platformPolicyCompliance: approved }
  const { head } = await commands.load(id)
  const verdicts = head.visuals.banners.map((banner) => ({
    exchange: 'google',
    creativeId: banner.id,
    contentVersion: null,
    decision,
  }))
  done(await commands.decideExchange(id, next(), () => verdicts))
  done(await commands.update(id, next(), save({ budget: 90_000_000, frequency_cap: { '1': 3, '2': 9, '3': null } })))
  done(await commands.pause(id, next()))
  done(await commands.update(id, next(), save({ name: `${TEMPLATE_NAME}, second wave` })))
  done(await commands.run(id, next()))
  done(await commands.update(id, next(), save({ budget: 120_000_000 })))
  const events = await store.readStream(streamOf(id))
  await store.close()
  return events
}
