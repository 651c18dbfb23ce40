import { systemContext } from '#domain/kit/event-metadata'
import type { AccountCommands } from '#commands/account/account-commands'
import type { CampaignCommands, CampaignOutcome, Issue } from '#commands/campaign/campaign-commands'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { CampaignPatch, Loose } from '#domain/campaign/content/shape'
import type { Banner } from '#domain/campaign/content/content'
import { pendingVerdicts } from '#projections/campaign/list/apply'
import type { ServingDecision } from '#domain/campaign/status/status'
import { DEMO_PEOPLE, DEMO_SPACES, DEMO_WHITELABEL, type DemoPerson } from './people.ts'

/** Commands of the product that the seed needs, under a clock that the seed sets. */
export type DemoDeps = {
  readonly campaigns: CampaignCommands
  readonly accounts: AccountCommands
  /** Sets the clock of the commands above, ISO 8601 UTC. */
  readonly setClock: (instant: string) => void
  readonly now: () => string
  /** A stable id for the same parts, so that an interrupted seed can continue. */
  readonly id: (...parts: readonly string[]) => string
  readonly createPerson: (
    person: DemoPerson & { readonly id: string; readonly spaceId: string; readonly whitelabelId: string },
  ) => Promise<void>
  readonly storeBanner: (banner: {
    readonly spaceId: string
    readonly ownerId: string
    readonly width: number
    readonly height: number
    readonly seed: number
  }) => Promise<{ readonly file_id: string; readonly url: string }>
  /** Waits until the read models that commands read have caught up. */
  readonly settled: () => Promise<void>
}

const DAY = 86_400_000
const HOUR = 3_600_000

/** Creates the demo white-label by real commands; existing data is left unchanged. */
export async function seedDemo(deps: DemoDeps): Promise<void> {
  const start = Date.parse(deps.now()) - 95 * DAY
  const at = (time: number) => deps.setClock(new Date(time).toISOString())
  const space = (key: string) => deps.id('space', key)
  const person = (email: string) => deps.id('person', email)

  at(start)
  for (const { key, name, currency, house, balance } of DEMO_SPACES) {
    const context = system(deps.id('open', key))
    await deps.accounts.execute(space(key), context, {
      type: 'OpenAccount',
      spaceId: space(key),
      whitelabelId: DEMO_WHITELABEL,
      name,
      currency,
      house,
    })
    if (balance > 0)
      await deps.accounts.execute(space(key), system(deps.id('credit', key)), {
        type: 'CreditFunds',
        amount: balance * 1_000_000,
        reason: 'demo',
      })
  }
  for (const one of DEMO_PEOPLE)
    await deps.createPerson({ ...one, id: person(one.email), spaceId: space(one.space), whitelabelId: DEMO_WHITELABEL })
  await deps.settled()

  for (const [n, plan] of CAMPAIGNS.entries()) {
    const spaceId = space(plan.space)
    const ownerId = person(plan.space === 'nile' ? 'ada@nile.example' : 'bola@lagos.example')
    const campaignId = deps.id('campaign', plan.name)
    // An existing campaign has its pictures already; all commands below are repeats then.
    const there = (await deps.campaigns.load(campaignId)).revision > 0
    const banners: Loose<readonly Banner[]> = await Promise.all(
      (there ? [] : plan.sizes).map(async ([width, height], i) => ({
        ...(await deps.storeBanner({ spaceId, ownerId, width, height, seed: n + i })),
        width,
        height,
        creative_name: `${plan.name.replaceAll(/[^A-Za-z0-9]+/g, '_')}_${width}x${height}`,
      })),
    )
    let time = Date.parse(deps.now()) - plan.daysAgo * DAY + n * HOUR * 0.4
    const as = (email: string, role: string, step: string): Issue => {
      at(time)
      time += 2 * HOUR + n * 60_000
      const actor = person(email)
      const home = DEMO_PEOPLE.find((one) => one.email === email)?.space
      const context: CommandContext = {
        ...system(deps.id('campaign', plan.name, step)),
        actor,
        role,
        source: 'ui',
        on_behalf_of: home === plan.space ? null : spaceId,
      }
      return { context, mayWriteOwnerFields: role === 'WL_OWNER' }
    }
    const advertiser = (step: string) => as(plan.space === 'nile' ? 'ada@nile.example' : 'bola@lagos.example', 'USER_OWNER', step)
    const moderator = (step: string) => as('moderator@dsp.example', 'WL_MODERATOR', step)
    const newIds = Array.from({ length: 8 }, (_, i) => deps.id('creative', plan.name, String(i)))
    const patch: CampaignPatch = {
      name: plan.name,
      country: plan.country,
      product_url: plan.url,
      budget: plan.budget * 1_000_000,
      ...(plan.total === true ? { budget_type_key: 1 } : {}),
      bidding_strategy: { type: plan.type },
      visuals: { banners },
      ...(plan.start === undefined
        ? {}
        : { campaign_start_at: new Date(Date.parse(deps.now()) + plan.start * DAY).toISOString().slice(0, 10) }),
      ...(plan.end === undefined
        ? {}
        : { campaign_end_at: new Date(Date.parse(deps.now()) + plan.end * DAY).toISOString().slice(0, 10) }),
    }
    const create = { id: campaignId, spaceId, whitelabelId: DEMO_WHITELABEL, patch, newIds, publish: false, source: null }
    expectDone(await deps.campaigns.create(advertiser('create'), create), plan.name)
    for (const step of plan.steps) await take(step)

    async function take(step: Step): Promise<void> {
      const state = await deps.campaigns.load(campaignId)
      const moderationStartAt = state.moderation_start_at
      switch (step) {
        case 'rename':
          return expectDone(
            await deps.campaigns.update(campaignId, advertiser(step), {
              patch: { budget: (plan.budget + 10) * 1_000_000 },
              newIds: [],
              expected: null,
            }),
            plan.name,
          )
        case 'publish':
          return expectDone(
            await deps.campaigns.publish(campaignId, advertiser(step), { patch: {}, newIds: [], expected: null }),
            plan.name,
          )
        case 'approve':
          return expectDone(
            await deps.campaigns.approve(campaignId, moderator(step), {
              moderationStartAt,
              categoryKeys: ['IAB20'],
              exchangeId: ['google', 'verve'],
            }),
            plan.name,
          )
        case 'reject':
          return expectDone(
            await deps.campaigns.reject(campaignId, moderator(step), {
              moderationStartAt,
              comment: 'The landing page does not show the offer of the banner.',
            }),
            plan.name,
          )
        case 'exchanges':
        case 'disapprove': {
          const decision = step === 'exchanges' ? CLEARED : DISAPPROVED
          const issue: Issue = {
            mayWriteOwnerFields: false,
            context: { ...moderator(step).context, actor: 'system:exchange-built-in', role: 'SYSTEM', source: 'policy' },
          }
          const verdicts = pendingVerdicts(state).map((pending) => ({ ...pending, contentVersion: null, decision }))
          return expectDone(await deps.campaigns.decideExchange(campaignId, issue, () => verdicts), plan.name)
        }
        case 'fund':
        case 'run out': {
          at(time)
          time += 2 * HOUR
          const amount = (step === 'fund' ? 1 : -1) * plan.budget * 3_000_000
          const reason = step === 'fund' ? 'First deposit by bank transfer' : 'Unused balance paid back'
          await deps.accounts.execute(spaceId, system(deps.id(step, plan.name)), { type: 'CreditFunds', amount, reason })
          await deps.settled()
          if (step === 'fund') return
          // Two days later: the campaign has run in between.
          return expectDone(
            await deps.campaigns.keepFunding(campaignId, {
              mayWriteOwnerFields: false,
              context: { ...system(deps.id('funding', plan.name)), actor: 'system:funding', source: 'policy' },
            }),
            plan.name,
          )
        }
        case 'wait':
          time += 2 * DAY
          return
        case 'pause':
          return expectDone(await deps.campaigns.pause(campaignId, advertiser(step)), plan.name)
        case 'run':
          return expectDone(await deps.campaigns.run(campaignId, advertiser(step)), plan.name)
        case 'archive':
          return expectDone(await deps.campaigns.toggleArchive(campaignId, advertiser(step)), plan.name)
        case 'new headline':
          return expectDone(
            await deps.campaigns.publish(campaignId, advertiser(step), {
              patch: { product_url: `${plan.url}/spring` },
              newIds: [],
              expected: null,
            }),
            plan.name,
          )
      }
    }
  }
}

type Step =
  | 'rename'
  | 'publish'
  | 'approve'
  | 'reject'
  | 'exchanges'
  | 'disapprove'
  | 'pause'
  | 'run'
  | 'archive'
  | 'fund'
  | 'wait'
  | 'run out'
  | 'new headline'
type Plan = {
  readonly name: string
  readonly space: 'nile' | 'lagos'
  readonly country: string
  readonly type: 'awareness' | 'consideration'
  readonly url: string
  /** Daily, in currency units. */
  readonly budget: number
  /** True where the budget is for the whole campaign instead. */
  readonly total?: true
  readonly sizes: readonly (readonly [number, number])[]
  readonly daysAgo: number
  /** Days from now. */
  readonly start?: number
  readonly end?: number
  readonly steps: readonly Step[]
}

const OF_NILE = { space: 'nile', country: 'EG' } as const

/** Campaigns in every status. Two of them come with delivery: a day budget that is reached, and a total budget that is spent. */
const CAMPAIGNS: readonly Plan[] = [
  {
    name: 'Cairo city breaks',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/cairo',
    budget: 120,
    sizes: [
      [300, 250],
      [728, 90],
    ],
    daysAgo: 92,
    steps: ['rename', 'publish', 'approve', 'exchanges', 'pause', 'run'],
  },
  {
    name: 'Luxor by river',
    ...OF_NILE,
    type: 'consideration',
    url: 'https://nile.example/luxor',
    budget: 80,
    sizes: [
      [300, 600],
      [300, 250],
    ],
    daysAgo: 30,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Red Sea diving',
    space: 'nile',
    country: 'AE',
    type: 'awareness',
    url: 'https://nile.example/red-sea',
    budget: 60,
    sizes: [[970, 90]],
    daysAgo: 25,
    steps: ['publish', 'reject'],
  },
  {
    name: 'Aswan winter sun',
    space: 'nile',
    country: 'GB',
    type: 'consideration',
    url: 'https://nile.example/aswan',
    budget: 200,
    sizes: [[300, 250]],
    daysAgo: 12,
    start: 21,
    end: 90,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Desert safari weekend',
    space: 'nile',
    country: 'US',
    type: 'awareness',
    url: 'https://nile.example/safari',
    budget: 90,
    sizes: [
      [320, 50],
      [300, 250],
    ],
    daysAgo: 20,
    steps: ['publish', 'approve', 'exchanges', 'pause'],
  },
  {
    name: 'Summer early booking',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/summer',
    budget: 150,
    sizes: [[728, 90]],
    daysAgo: 85,
    end: -6,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Alexandria old town',
    ...OF_NILE,
    type: 'consideration',
    url: 'https://nile.example/alexandria',
    budget: 40,
    sizes: [[250, 250]],
    daysAgo: 2,
    steps: ['publish'],
  },
  {
    name: 'Sinai retreat',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/sinai',
    budget: 70,
    sizes: [[160, 600]],
    daysAgo: 15,
    steps: ['publish', 'approve', 'disapprove'],
  },
  {
    name: 'Nile dinner cruise',
    ...OF_NILE,
    type: 'consideration',
    url: 'https://nile.example/dinner',
    budget: 55,
    sizes: [[300, 250]],
    daysAgo: 9,
    steps: ['publish', 'approve', 'exchanges', 'new headline'],
  },
  {
    name: 'Pyramids at night',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/pyramids',
    budget: 30,
    sizes: [[300, 100]],
    daysAgo: 35,
    steps: ['publish', 'approve', 'exchanges', 'archive'],
  },
  {
    name: 'Oasis escape',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/oasis',
    budget: 45,
    sizes: [[240, 400]],
    daysAgo: 1,
    steps: [],
  },
  {
    name: 'Nubian evenings',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/nubia',
    budget: 12,
    sizes: [[320, 50]],
    daysAgo: 6,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Karnak launch offer',
    ...OF_NILE,
    type: 'awareness',
    url: 'https://nile.example/karnak',
    budget: 300,
    total: true,
    sizes: [[300, 250]],
    daysAgo: 18,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Palm wine tasting',
    space: 'lagos',
    country: 'NG',
    type: 'awareness',
    url: 'https://lagos.example/palm-wine',
    budget: 20_000,
    sizes: [[300, 250]],
    daysAgo: 19,
    steps: ['fund', 'publish', 'approve', 'exchanges', 'wait', 'run out'],
  },
  {
    name: 'Jollof season',
    space: 'lagos',
    country: 'NG',
    type: 'awareness',
    url: 'https://lagos.example/jollof',
    budget: 25_000,
    sizes: [
      [300, 250],
      [320, 480],
    ],
    daysAgo: 8,
    steps: ['publish', 'approve', 'exchanges'],
  },
  {
    name: 'Suya Friday',
    space: 'lagos',
    country: 'NG',
    type: 'consideration',
    url: 'https://lagos.example/suya',
    budget: 18_000,
    sizes: [[320, 50]],
    daysAgo: 3,
    steps: ['publish'],
  },
]

const verdict = (status: 'approved' | 'disapproved', topics: readonly { readonly policyTopic: string }[]): ServingDecision => ({
  dealsPolicyCompliance: { status, topics },
  networkPolicyCompliance: { status, topics },
  platformPolicyCompliance: { status, topics },
})
const CLEARED = verdict('approved', [])
const DISAPPROVED = verdict('disapproved', [{ policyTopic: 'Misleading content' }])

function expectDone(outcome: CampaignOutcome, name: string): void {
  if (outcome.kind === 'rejected')
    throw new Error(
      `the demo's "${name}" was refused with ${outcome.rejection.code}: ${JSON.stringify(outcome.rejection.faults)}`,
    )
}

const system = (commandId: string) => systemContext('demo', commandId, { source: 'import', correlation: commandId })
