import type { Rule } from './access-table.ts'
import { KEPT_LIST, type Target } from './two-white-labels.ts'
import { testClock } from './test-clock.ts'

/** The request for a target; `mark` is different for every request. */
export type Sent = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly form?: { readonly name?: string; readonly file: FileName }
}

/** One variant of a call to an endpoint for an object of a space. */
export type MatrixCall = Rule & {
  readonly endpoint: string
  /** Distinguishes two variants of one endpoint. */
  readonly way?: string
  readonly send: (on: Target, mark: string, home: Target) => Sent
  /** The campaign or space list that must exist before the call, or be removed after it. */
  readonly list?: 'uploaded' | 'removed'
  readonly of?: 'space' | 'campaign'
  /** Needs a credential of the white-label of the space; its id is the mark. */
  readonly credential?: true
  /** Needs a webhook of the white-label of the space; its id is the mark. */
  readonly webhook?: true
}

/** A file for each kind of upload. */
export type FileName = 'banner' | 'square' | 'track' | 'film' | 'list'

const DRY = { dry_run: 'true' }
const CAMPAIGN = 130
const SPACE = 110
const PERSON = 6
/** A user in a call of the administration (decisions G-176). */
const ADMINISTERED = 7
const NAMED_SPACE = 1420

const byId = ({ campaignId }: Target): Sent => ({ params: { id: campaignId } })
const textId = ({ campaignId }: Target): Sent => ({ query: DRY, text: campaignId })
const inSpace = ({ spaceId }: Target): Sent => ({ json: { space_id: spaceId } })
const read = (endpoint: string, send: MatrixCall['send'] = byId): MatrixCall => ({
  endpoint,
  action: 'read campaigns',
  missing: CAMPAIGN,
  send,
})
const manage = (endpoint: string, send: MatrixCall['send'], way?: string): MatrixCall => ({
  endpoint,
  action: 'manage campaigns',
  missing: CAMPAIGN,
  send,
  ...(way === undefined ? {} : { way }),
})
const saveOf = ({ campaignId }: Target): Sent => ({ query: DRY, json: { id: campaignId, budget: 61 } })
const newIn = ({ spaceId }: Target, mark: string): Sent => ({
  query: DRY,
  json: { space_id: spaceId, name: `New ${mark}`, country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } },
})
const PERIOD = { from_date: '2026-01-01', to_date: '2026-01-03' }
const period = ({ campaignId }: Target): Sent => ({ json: { id: campaignId, ...PERIOD } })

const CAMPAIGNS: readonly MatrixCall[] = [
  { ...manage('campaign.create', newIn), missing: NAMED_SPACE },
  { ...manage('campaign.update', newIn, 'a new one'), missing: NAMED_SPACE },
  { ...manage('campaign.publish', newIn, 'a new one'), missing: NAMED_SPACE },
  manage(
    'campaign.create',
    ({ campaignId }, mark) => ({ query: DRY, json: { replicated_from: campaignId, name: `Copy ${mark}` } }),
    'a replicate of it',
  ),
  {
    ...manage(
      'campaign.create',
      ({ spaceId }, mark, { campaignId }) => ({
        query: DRY,
        json: { replicated_from: campaignId, space_id: spaceId, name: `Copy ${mark}` },
      }),
      'a replicate into it',
    ),
    missing: NAMED_SPACE,
  },
  manage('campaign.update', saveOf),
  manage('campaign.publish', saveOf),
  manage('campaign.run', textId),
  manage('campaign.pause', textId),
  manage('campaign.archive', textId),
  manage('campaign.restore', (on) => ({ ...byId(on), query: DRY, json: { revision: 1 } })),
  manage('campaign.undo', (on) => ({ ...byId(on), query: DRY, json: { revision: 2 } })),
  manage('app.requestResource', ({ campaignId }) => ({ json: { name: 'news.example', campaign_id: campaignId } })),
  manage('schedule.create', ({ campaignId }) => ({
    params: { id: campaignId },
    query: DRY,
    json: { changes: [{ act: 'pause', due_at: testClock.at(3_600_000) }] },
  })),
  { ...read('schedule.list', ({ campaignId }) => ({ query: { campaign_id: campaignId } })), way: 'of a campaign' },
  {
    ...read('schedule.list', ({ spaceId }) => ({ query: { space_id: spaceId } })),
    way: 'of a space',
    missing: NAMED_SPACE,
  },
  read('label.ofCampaign'),
  { ...read('label.list', ({ spaceId }) => ({ query: { space_id: spaceId } })), missing: NAMED_SPACE },
  {
    ...manage('label.add', ({ spaceId }, mark) => ({ json: { space_id: spaceId, name: mark.slice(-40), color: 'red' } })),
    missing: NAMED_SPACE,
  },
  read('campaign.get'),
  read('campaign.authors', (on) => ({ ...byId(on), query: { after: '0' } })),
  read('campaign.statusHistory'),
  { ...read('campaign.list', inSpace), missing: NAMED_SPACE },
  { ...read('campaign.count', ({ spaceId }) => ({ params: { spaceId } })), missing: SPACE },
  { ...read('campaign.adminList', inSpace), action: 'read campaigns as staff', missing: NAMED_SPACE },
  {
    ...read('campaign.adminList', ({ spaceId }) => ({ json: { space_ids: [spaceId] } })),
    action: 'read campaigns as staff',
    way: 'of chosen accounts',
    missing: NAMED_SPACE,
  },
  {
    ...read('report.accountCsv', ({ spaceId }, _, home) => ({ json: { space_id: home.spaceId, space_ids: [spaceId] } })),
    way: 'of chosen accounts',
    missing: NAMED_SPACE,
  },
  {
    endpoint: 'campaign.maxMargin',
    action: 'read the highest margin',
    missing: PERSON,
    send: ({ userId }) => ({ query: { 'user-id': userId } }),
  },
]

/** Reports of an account name a campaign or a space. */
const accountReport = (endpoint: string, more: Readonly<Record<string, unknown>> = {}): readonly MatrixCall[] => [
  { ...read(endpoint, ({ campaignId }) => ({ json: { id: campaignId, ...PERIOD, ...more } })), way: 'of a campaign' },
  {
    ...read(endpoint, ({ spaceId }) => ({ json: { space_id: spaceId, ...PERIOD, ...more } })),
    way: 'of a space',
    missing: NAMED_SPACE,
  },
]

const savedBody = (mark: string, of: Readonly<Record<string, string>>): Sent => ({
  json: { name: `Report ${mark}`, report: { ...of, grouping: 'day', range: 'last7' }, schedule: 'none', format: 'csv' },
})
const savedReport: readonly MatrixCall[] = [
  { ...read('reports.save', ({ campaignId }, mark) => savedBody(mark, { id: campaignId })), way: 'of a campaign' },
  {
    ...read('reports.save', ({ spaceId }, mark) => savedBody(mark, { space_id: spaceId })),
    way: 'of a space',
    missing: NAMED_SPACE,
  },
]

const REPORTS: readonly MatrixCall[] = [
  read('campaign.total'),
  read('report.campaign', period),
  read('report.list'),
  { ...read('report.admin', (on) => ({ ...byId(on), json: {} })), action: 'read campaigns as staff' },
  { ...read('report.accountCsv', inSpace), missing: NAMED_SPACE },
  read('report.campaignCsv', period),
  read('report.trafficSourceCsv', period),
  ...['total', 'dashboard', 'platforms', 'publishers', 'banners'].flatMap((name) => accountReport(`reports.${name}`)),
  ...accountReport('reports.dimension', { dimension: 'country' }),
  ...accountReport('reports.table', { grouping: 'country' }),
  ...accountReport('reports.tableFile', { grouping: 'country', format: 'csv' }),
  read('campaign.overDelivery'),
  ...savedReport,
  ...accountReport('reports.changes').map((call) => ({ ...call, action: 'read the change log' as const })),
  read('estimate.audience', ({ campaignId }) => ({ json: { campaign_id: campaignId } })),
  read('estimate.spots', ({ campaignId }) => ({
    query: { campaign_id: campaignId, cpm_multiplier: '1', daily_budget: '50' },
  })),
]

const log = (endpoint: string, query: Readonly<Record<string, string>> = {}): MatrixCall => ({
  ...read(endpoint, (on) => ({ ...byId(on), query })),
  action: 'read the change log',
})
const cleared = { status: 'approved' }
const CLEARED = { dealsPolicyCompliance: cleared, networkPolicyCompliance: cleared, platformPolicyCompliance: cleared }

const webhook = (endpoint: string, json?: unknown): MatrixCall => ({
  endpoint,
  action: 'manage webhooks',
  missing: 131,
  webhook: true,
  send: (_on, mark) => ({ params: { id: mark }, ...(json === undefined ? {} : { json }) }),
})

const STAFF: readonly MatrixCall[] = [
  webhook('webhook.change', { url: 'https://hooks.example/', enabled: false }),
  webhook('webhook.delete'),
  webhook('webhook.rotate', {}),
  webhook('webhook.replay', { after: '0' }),
  webhook('webhook.test', {}),
  { ...read('moderation.queue', inSpace), action: 'moderate', missing: NAMED_SPACE },
  log('campaign.revisions'),
  log('campaign.revisionIndex'),
  log('campaign.revisionCount'),
  log('audit.at', { revision: '1' }),
  log('audit.diff', { from: '1', to: '2' }),
  log('audit.blame'),
  { ...read('audit.events'), action: 'verify' },
  { ...read('audit.verify'), action: 'verify' },
  { ...read('bidding.replay', (on) => ({ ...byId(on), json: {} })), action: 'read owner fields' },
  { ...read('bidding.explain', (on) => ({ ...byId(on), json: { imp: [{ id: '1' }] } })), action: 'read owner fields' },
  { ...read('admin.details'), action: 'read owner fields' },
  {
    ...read('admin.save', (on) => ({ ...byId(on), query: DRY, json: { margin: 7, comment: 'Seen' } })),
    action: 'write owner fields',
  },
  {
    ...read('moderation.approve', ({ campaignId: campaign_id, moderationStartAt: moderation_start_at }) => ({
      query: DRY,
      json: { campaign_id, moderation_start_at },
    })),
    action: 'moderate',
    proviso: 'never at home',
  },
  {
    ...read('moderation.reject', ({ campaignId: campaign_id, moderationStartAt: moderation_start_at }) => ({
      query: DRY,
      json: { campaign_id, moderation_start_at, comment: 'No' },
    })),
    action: 'moderate',
    proviso: 'never at home',
  },
  { ...read('moderation.guidelines'), action: 'moderate', proviso: 'never at home' },
  { ...read('moderation.findings'), action: 'moderate', proviso: 'never at home' },
  {
    ...read('moderation.hold', ({ campaignId: campaign_id }) => ({ json: { campaign_id } })),
    action: 'moderate',
    proviso: 'never at home',
  },
  {
    ...read('moderation.release', ({ campaignId: campaign_id }) => ({ json: { campaign_id } })),
    action: 'moderate',
    proviso: 'never at home',
  },
  {
    ...read('moderation.assign', ({ campaignId: campaign_id }) => ({ json: { campaign_id, moderator_id: null } })),
    action: 'assign reviews',
    proviso: 'never at home',
  },
  {
    ...read('moderation.takeSecondLook', ({ campaignId: campaign_id }) => ({
      json: { campaign_id, approval: 1, agrees: true },
    })),
    action: 'moderate',
    proviso: 'never at home',
  },
  {
    ...read('exchange.decisions', ({ campaignId: campaign_id }) => ({
      params: { exchange: 'google' },
      json: { decisions: [{ campaign_id, ...CLEARED }] },
    })),
    action: 'decide for exchanges',
  },
]

const ACCOUNTS: readonly MatrixCall[] = [
  {
    endpoint: 'user.get',
    action: 'read accounts',
    missing: PERSON,
    proviso: 'oneself',
    send: ({ userId }) => ({ params: { id: userId } }),
  },
  {
    endpoint: 'user.switch',
    action: 'switch accounts',
    missing: PERSON,
    proviso: 'always home',
    send: ({ spaceId }) => ({ params: { id: spaceId } }),
  },
  {
    endpoint: 'space.ledger',
    action: 'read balances',
    missing: SPACE,
    send: ({ spaceId }) => ({ params: { id: spaceId }, json: {} }),
  },
  {
    endpoint: 'space.ledgerCsv',
    action: 'read balances',
    missing: SPACE,
    send: ({ spaceId }) => ({ params: { id: spaceId }, json: {} }),
  },
  {
    endpoint: 'space.credit',
    action: 'credit accounts',
    missing: SPACE,
    send: ({ spaceId }, mark) => ({ params: { id: spaceId }, json: { amount: 1, comment: `Credit ${mark}` } }),
  },
  {
    endpoint: 'space.balance',
    action: 'read balances',
    missing: SPACE,
    send: ({ spaceId }) => ({ params: { id: spaceId } }),
  },
]

const querySpace = ({ spaceId }: Target): Sent => ({ query: { space_id: spaceId } })
const AUTO_REFILL = { enabled: false, threshold: 5000, amount: 5000, monthly_limit: 9000 }
const PAYMENTS: readonly MatrixCall[] = [
  { endpoint: 'card.list', action: 'read cards', missing: NAMED_SPACE, send: querySpace },
  {
    endpoint: 'card.list',
    way: 'of a user',
    action: 'read cards',
    missing: PERSON,
    send: ({ userId }) => ({ query: { 'user-id': userId } }),
  },
  { endpoint: 'card.setup', action: 'write cards', missing: NAMED_SPACE, send: querySpace },
  { endpoint: 'card.clientToken', action: 'write cards', missing: NAMED_SPACE, send: querySpace },
  { endpoint: 'refill.history', action: 'read balances', missing: NAMED_SPACE, send: querySpace },
  { endpoint: 'autoRefill.get', action: 'read cards', missing: NAMED_SPACE, send: querySpace },
  {
    endpoint: 'autoRefill.save',
    action: 'write cards',
    missing: NAMED_SPACE,
    send: ({ spaceId }) => ({ json: { ...AUTO_REFILL, space_id: spaceId } }),
  },
]

const bySpace = ({ spaceId }: Target): Sent => ({ params: { id: spaceId } })
const ADMINISTRATION: readonly MatrixCall[] = [
  ...['account.get', 'account.people'].map((endpoint): MatrixCall => ({
    endpoint,
    action: 'read accounts',
    missing: SPACE,
    send: bySpace,
  })),
  ...['space.get', 'space.account'].map((endpoint): MatrixCall => ({
    endpoint,
    action: 'read an account',
    missing: SPACE,
    send: bySpace,
  })),
  { endpoint: 'team.get', action: 'read the people of accounts', missing: SPACE, send: bySpace },
  {
    endpoint: 'team.invite',
    action: 'manage the people of accounts',
    missing: SPACE,
    send: (on, mark) => ({
      ...bySpace(on),
      json: {
        email: `${mark.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@invited.example`,
        first_name: 'Nadia',
        last_name: 'Saleh',
        roles: [on.space === 'A house' ? 'AUDITOR' : 'ACCOUNTANT'],
      },
    }),
  },
  {
    endpoint: 'team.reactivate',
    action: 'manage the people of accounts',
    missing: SPACE,
    send: ({ spaceId: id, userId: person }) => ({ params: { id, person } }),
  },
  { endpoint: 'account.history', action: 'read the history of accounts', missing: SPACE, send: bySpace },
  {
    endpoint: 'account.user',
    action: 'read accounts',
    missing: ADMINISTERED,
    send: ({ userId }) => ({ params: { id: userId } }),
  },
  {
    endpoint: 'account.settings',
    action: 'manage accounts',
    missing: SPACE,
    send: (on, mark) => ({ ...bySpace(on), json: { niche: mark } }),
  },
  {
    endpoint: 'account.rename',
    action: 'rename accounts',
    missing: SPACE,
    send: (on, mark) => ({ ...bySpace(on), json: { name: mark } }),
  },
  {
    endpoint: 'account.creditLimit',
    action: 'manage accounts',
    missing: SPACE,
    send: (on) => ({ ...bySpace(on), json: { credit_limit: 100 } }),
  },
  {
    endpoint: 'account.restore',
    action: 'manage accounts',
    missing: SPACE,
    send: (on) => ({ ...bySpace(on), json: { reason: 'Paid' } }),
  },
  {
    endpoint: 'account.legal',
    action: 'manage accounts',
    missing: ADMINISTERED,
    send: ({ userId: user_id }, mark) => ({ json: { user_id, legal_entity_name: `Entity ${mark}`, tin_number: '1' } }),
  },
]

const file = (endpoint: string, name: FileName, size: Readonly<Record<string, string>> = {}): MatrixCall => ({
  endpoint,
  action: 'manage campaigns',
  missing: NAMED_SPACE,
  send: ({ spaceId }) => ({ query: { ...size, space_id: spaceId }, form: { file: name } }),
})
const UPLOADS: readonly MatrixCall[] = [
  { ...read('file.library', ({ spaceId }) => ({ query: { space_id: spaceId } })), missing: NAMED_SPACE },
  file('file.upload2', 'banner', { width: '300', height: '250' }),
  file('file.upload3', 'banner'),
  file('file.native', 'square'),
  file('file.audio', 'track'),
  file('file.video', 'film'),
]

const lists = (of: 'space' | 'campaign'): readonly MatrixCall[] => {
  const missing = of === 'space' ? SPACE : CAMPAIGN
  const owner = ({ spaceId, campaignId }: Target): Readonly<Record<string, string>> =>
    of === 'space' ? { spaceId } : { campaignId }
  const reads = { action: 'read whitelists', missing } as const
  const writes = { action: 'write whitelists', missing, of } as const
  return [
    { ...reads, endpoint: `whitelist.${of}.list`, send: (on) => ({ params: owner(on) }) },
    { ...reads, endpoint: `whitelist.${of}.download`, send: (on) => ({ params: { ...owner(on), name: KEPT_LIST } }) },
    {
      ...writes,
      endpoint: `whitelist.${of}.upload`,
      list: 'uploaded',
      send: (on, mark) => ({ params: owner(on), form: { name: mark, file: 'list' } }),
    },
    {
      ...writes,
      endpoint: `whitelist.${of}.remove`,
      list: 'removed',
      send: (on, mark) => ({ params: { ...owner(on), name: mark } }),
    },
  ]
}

const EVENTS: readonly MatrixCall[] = [
  { endpoint: 'events.list', action: 'read events', missing: NAMED_SPACE, send: inSpace },
  ...['events.names', 'events.pixelKey'].map((endpoint): MatrixCall => ({
    endpoint,
    action: 'read events',
    missing: NAMED_SPACE,
    send: ({ spaceId }) => ({ query: { space_id: spaceId } }),
  })),
  {
    endpoint: 'events.savePixel',
    action: 'write events',
    missing: NAMED_SPACE,
    send: ({ spaceId }) => ({ json: { space_id: spaceId, enabled: true } }),
  },
  {
    endpoint: 'events.send',
    action: 'write events',
    missing: NAMED_SPACE,
    send: ({ spaceId }, mark) => ({ json: { space_id: spaceId, events: [{ name: 'purchase', id: mark }] } }),
  },
]

const INVOICE = 131
const byInvoice = ({ invoiceId }: Target): Sent => ({ params: { id: invoiceId } })
const byPayment = ({ paymentId }: Target): Sent => ({ params: { id: paymentId }, json: {} })
const withBody =
  (json: object) =>
  (on: Target): Sent => ({ ...byInvoice(on), json })
const MONEY = { amount: 1, comment: 'By hand' }
const invoiceStep = (endpoint: string, send: MatrixCall['send']): MatrixCall => ({
  endpoint,
  action: 'write invoices',
  missing: INVOICE,
  send,
})
const INVOICES: readonly MatrixCall[] = [
  { endpoint: 'invoice.list', action: 'read invoices', missing: NAMED_SPACE, send: inSpace },
  ...['invoice.get', 'invoice.transactions', 'invoice.pdf', 'invoice.csv', 'invoice.xlsx', 'invoice.ubl'].map(
    (endpoint): MatrixCall => ({
      endpoint,
      action: 'read invoices',
      missing: INVOICE,
      send: byInvoice,
    }),
  ),
  {
    endpoint: 'invoice.userTransactions',
    action: 'read invoices',
    missing: INVOICE,
    send: ({ userId }) => ({ params: { id: userId } }),
  },
  invoiceStep('invoice.save', withBody({ note: 'Thanks' })),
  invoiceStep('invoice.delete', byInvoice),
  invoiceStep('invoice.send', withBody({})),
  invoiceStep('invoice.logPayment', withBody(MONEY)),
  invoiceStep('invoice.payManually', withBody(MONEY)),
  invoiceStep('invoice.void', withBody({ comment: 'Wrong' })),
  invoiceStep('invoice.credit', withBody(MONEY)),
  { ...invoiceStep('invoice.confirmPayment', byPayment), action: 'credit accounts' },
  { ...invoiceStep('invoice.rejectPayment', byPayment), action: 'credit accounts' },
]

const RULES = { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 2 }] }
const ofAudience = ({ audienceId }: Target): Sent => ({ params: { id: audienceId, version: '1' } })
const AUDIENCES: readonly MatrixCall[] = [
  { endpoint: 'audience.list', action: 'read audiences', missing: NAMED_SPACE, send: inSpace },
  {
    endpoint: 'audience.preview',
    action: 'read audiences',
    missing: NAMED_SPACE,
    send: ({ spaceId }) => ({ json: { space_id: spaceId, rules: RULES } }),
  },
  ...['audience.get', 'audience.overlap', 'audience.rejected'].map((endpoint): MatrixCall => ({
    endpoint,
    action: 'read audiences',
    missing: 180,
    send: ofAudience,
  })),
  {
    endpoint: 'audience.createDynamic',
    action: 'write audiences',
    missing: NAMED_SPACE,
    send: ({ spaceId }, mark) => ({ json: { space_id: spaceId, name: `Audience ${mark}`, rules: RULES } }),
  },
  {
    endpoint: 'audience.saveDynamic',
    action: 'write audiences',
    missing: 180,
    send: ({ audienceId: id, space }) => ({ json: { id, name: `Of ${space}`, rules: RULES } }),
  },
  // A campaign uses it: its deletion is refused with 184.
  { endpoint: 'audience.delete', action: 'write audiences', missing: 180, send: ofAudience },
]

const ofRegistrant = ({ registrantId }: Target): Sent => ({ json: { id: registrantId } })
const REGISTRATIONS: readonly MatrixCall[] = [
  {
    endpoint: 'registration.get',
    action: 'screen registrants',
    missing: 161,
    send: ({ registrantId }) => ({ params: { id: registrantId } }),
  },
  { endpoint: 'registration.approve', action: 'screen registrants', missing: 161, send: ofRegistrant },
  { endpoint: 'registration.reject', action: 'screen registrants', missing: 161, send: ofRegistrant },
  { endpoint: 'registration.resend', action: 'add accounts', missing: 7, send: ofRegistrant },
]

/** Every call for an object of a space. */
export const CALLS: readonly MatrixCall[] = [
  ...CAMPAIGNS,
  ...REPORTS,
  ...STAFF,
  ...ACCOUNTS,
  ...PAYMENTS,
  ...ADMINISTRATION,
  ...UPLOADS,
  ...EVENTS,
  ...INVOICES,
  ...AUDIENCES,
  ...REGISTRATIONS,
  ...lists('space'),
  ...lists('campaign'),
  {
    endpoint: 'credential.revoke',
    action: 'manage credentials',
    missing: 131,
    credential: true,
    send: (_on, mark) => ({ params: { id: mark } }),
  },
  {
    endpoint: 'credential.rotate',
    action: 'manage credentials',
    missing: 131,
    credential: true,
    send: (_on, mark) => ({ params: { id: mark } }),
  },
]
