import { createCampaignCommands, type CampaignOutcome, type Issue } from '#commands/campaign/campaign-commands'
import { createHandler } from '#commands/handle'
import type { StateCache } from '#commands/state-cache'
import type { CampaignPort } from '#commands/campaign/campaign-port'
import { statusOf } from '#domain/campaign/status/status'
import type { EventStore } from '#eventstore/event-store'
import { derivedId } from '#platform/ids'

/** A port that accepts every command: one account with enough money in every space, all names free, every file present. */
export const port: CampaignPort = {
  account: async (spaceId) => ({
    space_id: spaceId,
    whitelabel_id: 'w',
    name: 'Space',
    currency: 'USD',
    house: false,
    available: 1e12,
    suspended: false,
    baseBid: null,
    maxMargin: null,
  }),
  ownApproval: async () => true,
  claimFiles: async () => true,
  reviewFiles: async () => undefined,
  spendOf: async () => ({ today: 0, total: 0, billedUntil: null }),
  reserveName: async () => true,
  countryOffset: () => 3600,
  files: async (ids) =>
    new Map(ids.map((id) => [id, { contentType: 'image/png', size: 1000, width: 300, height: 250, seconds: null }])),
  unknownTargets: async () => new Set(),
  smallAudiences: async () => false,
  claimAudiences: async () => true,
  releaseAudiences: async () => undefined,
  appKnown: () => true,
  baseBid: () => 100_000,
  maxMargin: 50,
}

export type Ask = {
  readonly do: 'budget' | 'url' | 'publish' | 'approve' | 'reject' | 'run' | 'pause' | 'toggle' | 'restore'
  readonly n: number
}

/** A clock that advances with each read. */
export const clock = (from = '2026-06-01') => {
  let tick = Date.parse(from)
  return () => new Date((tick += 1000)).toISOString()
}

/** The real handler and commands over a store, with a clock that advances with each read. */
export function product(store: EventStore, cache?: StateCache, now = clock()) {
  const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
  const handle = createHandler({ store, now, eventId, ...(cache === undefined ? {} : { cache }) })
  const commands = createCampaignCommands({ handle, store, port })
  const issue = (commandId: string, bodyHash: string | null = null): Issue => ({
    mayWriteOwnerFields: true,
    context: {
      actor: 'ada',
      role: 'USER_OWNER',
      on_behalf_of: null,
      source: 'api',
      command_id: commandId,
      body_hash: bodyHash,
      correlation: commandId,
      causation: null,
    },
  })
  const create = (id: string) =>
    commands.create(issue(derivedId('create', id)), {
      id,
      spaceId: 's',
      whitelabelId: 'w',
      publish: false,
      source: null,
      newIds: ['n1', 'n2', 'n3', 'n4'],
      patch: {
        name: 'One',
        country: 'NG',
        budget: 50_000_000,
        product_url: 'https://a.example',
        bidding_strategy: { type: 'awareness' },
        visuals: { banners: [{ id: 'b1', width: 300, height: 250, file_id: 'f', creative_name: 'x' }] },
      },
    })
  const save = (patch: object) => ({ patch, newIds: [], expected: null })
  async function run(id: string, { do: what, n }: Ask, by: Issue): Promise<CampaignOutcome | null> {
    const state = await commands.load(id)
    switch (what) {
      case 'budget':
        return commands.update(id, by, save({ budget: n * 10_000_000 }))
      case 'url':
        return commands.update(id, by, save({ product_url: `https://${n}.example` }))
      case 'publish':
        return commands.publish(id, by, save({}))
      case 'approve':
        return commands.approve(id, by, { moderationStartAt: state.moderation_start_at, categoryKeys: null, exchangeId: null })
      case 'reject':
        return commands.reject(id, by, { moderationStartAt: state.moderation_start_at, comment: 'no' })
      case 'run':
        return commands.run(id, by)
      case 'pause':
        return commands.pause(id, by)
      case 'toggle':
        return commands.toggleArchive(id, by)
      case 'restore':
        return commands.restore(id, n, by)
    }
  }
  return { commands, issue, create, run }
}

/** The part of an outcome that a caller can observe. */
export const summary = (outcome: CampaignOutcome | null) =>
  outcome === null
    ? null
    : outcome.kind === 'rejected'
      ? outcome.rejection.code
      : { revision: outcome.revision, status: statusOf(outcome.state) }
