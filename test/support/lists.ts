import type { ActionName } from './access-table.ts'
import { testClock } from './test-clock.ts'

/** Content of an answer about each space: the id of an object, or the space's share of the figures. */
export type Shown =
  | 'account'
  | 'audience'
  | 'autoRefill'
  | 'campaign'
  | 'campaignName'
  | 'card'
  /** Not for advertisers. */
  | 'draft'
  | 'event'
  | 'invoice'
  /** A person who registered and has no account yet. */
  | 'newcomer'
  | 'payment'
  | 'registrant'
  | 'user'
export type OfWhiteLabel = 'credential' | 'webhook' | 'staff' | 'security event' | 'money by hand'

/** A call that lists what the caller can reach, when it names no space. */
export type ListCall = {
  readonly action: ActionName
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Must appear for each space in reach. */
  readonly shows?: readonly Shown[]
  /** The impressions of the answer must be those of the spaces in reach. */
  readonly figures?: true
  /** Must appear for each white-label in reach. */
  readonly ofWhiteLabel?: OfWhiteLabel
  /** The call reads the own space of the caller where it names none. */
  readonly home?: true
}

const PAGE = { page_size: 150 }
/** Facts of the lists are of these days. */
export const PERIOD = { from_date: '2026-06-01', to_date: '2026-06-03' }
/** Campaigns change while the test runs. */
const lately = () => ({ from_date: testClock.now() - 86_400_000, to_date: testClock.now() + 86_400_000 })
const lateDays = () => ({
  from: testClock.day(-7),
  to: testClock.day(),
})
const report: ListCall = { action: 'read campaigns', body: PERIOD, figures: true }

/** Every call of the contract that lists without a space. */
export const LISTS: Readonly<Record<string, ListCall>> = {
  'account.excel': { action: 'read accounts', body: {}, shows: ['account'] },
  'account.list': { action: 'read accounts', body: PAGE, shows: ['account', 'newcomer'] },
  'account.staff': { action: 'manage accounts', ofWhiteLabel: 'staff' },
  'approval.list': { action: 'confirm money by hand', ofWhiteLabel: 'money by hand' },
  'audience.list': { action: 'read audiences', body: PAGE, shows: ['audience'] },
  'audit.feed': { action: 'verify', query: { limit: '1000', order: 'desc' }, shows: ['account', 'campaign'] },
  'audit.security': { action: 'read security events', query: { limit: '1000' }, ofWhiteLabel: 'security event' },
  'autoRefill.get': { action: 'read cards', home: true, shows: ['autoRefill'] },
  'campaign.adminAccounts': { action: 'read campaigns as staff', body: {}, shows: ['account'] },
  'campaign.adminList': { action: 'read campaigns as staff', body: PAGE, shows: ['campaign'] },
  'campaign.list': { action: 'read campaigns', body: PAGE, shows: ['campaign'] },
  'card.list': { action: 'read cards', home: true, shows: ['card'] },
  'chat.inbox': { action: 'answer chats', body: {}, shows: ['user'] },
  'credential.list': { action: 'manage credentials', ofWhiteLabel: 'credential' },
  'events.list': { action: 'read events', body: PAGE, shows: ['event'] },
  'events.names': { action: 'read events', shows: ['event'] },
  'exchange.creatives': { action: 'decide for exchanges', params: { exchange: 'google' }, shows: ['campaign'] },
  'invoice.list': { action: 'read invoices', body: PAGE, shows: ['invoice', 'draft'] },
  'invoice.users': { action: 'read invoices', body: {}, shows: ['account'] },
  'moderation.moderators': { action: 'assign reviews', ofWhiteLabel: 'staff' },
  'moderation.statistics': {
    action: 'read review statistics',
    get query() {
      return lateDays()
    },
  },
  'moderation.statisticsCsv': {
    action: 'read review statistics',
    get query() {
      return lateDays()
    },
  },
  'moderation.queue': { action: 'moderate', body: PAGE, shows: ['campaign', 'registrant'] },
  'moderation.secondLooks': { action: 'moderate', body: PAGE },
  'refill.history': { action: 'read balances', home: true, shows: ['payment'] },
  'report.accountCsv': { action: 'read campaigns', body: PERIOD, shows: ['campaignName'] },
  'reports.banners': report,
  'reports.changes': {
    action: 'read the change log',
    get body() {
      return lately()
    },
    shows: ['campaign'],
  },
  'reports.dashboard': report,
  'reports.dimension': { ...report, body: { ...PERIOD, dimension: 'advertiser' }, shows: ['account'] },
  'reports.platforms': report,
  'reports.publishers': report,
  'reports.table': { action: 'read campaigns', body: { ...PERIOD, grouping: 'advertiser' }, shows: ['account'] },
  'reports.tableFile': {
    action: 'read campaigns',
    body: { ...PERIOD, grouping: 'advertiser', format: 'csv' },
    shows: ['account'],
  },
  'reports.total': report,
  'schedule.list': { action: 'read campaigns', query: { page_size: '100' }, shows: ['campaign'] },
  'search.accounts': { action: 'read accounts', body: {}, shows: ['account'] },
  'search.all': { action: 'search', body: {}, shows: ['account'] },
  'webhook.list': { action: 'verify', ofWhiteLabel: 'webhook' },
}

const PUBLIC_DATA = 'its answer is the same for every account'
const OWN_RECORD = 'it answers from the record of the caller alone (profile.spec.ts)'
const COUNTED = 'its answer is a number, which "counts" compares with the rows in reach'
const BIDDERS = 'credentials-matrix.spec.ts calls it with credentials of two white-labels'
const DIRECTORIES = 'scim.spec.ts calls it with tokens of two white-labels'
const WHITE_LABEL = 'it answers about white-labels: white-label.spec.ts calls it with every role'
const OPERATIONS = 'it answers about the whole installation: operations.spec.ts calls it with every role'
const VIEWS = 'views are checked for several roles and two white-labels in views.spec.ts'
const NAMED = 'it names a campaign, a person or rules: the access matrix calls it'

/** Reads without an id in their path that list no data of accounts. */
export const NO_LISTS: Readonly<Record<string, string>> = {
  'team.invitations': 'invitations of the caller alone: memberships.spec.ts',
  'account.totals': COUNTED,
  'app.categories': PUBLIC_DATA,
  'app.promotion': PUBLIC_DATA,
  'attention.get': 'its answer is checked for two white-labels in attention.spec.ts',
  'audience.preview': NAMED,
  'audience.resources': PUBLIC_DATA,
  'audit.export': 'log-export.spec.ts compares its events with the white-label in reach',
  'audit.head': 'the newest head of the whole log: a root hash and its witnesses',
  'audit.proof': 'hashes alone, and no content of an account (fine print 23)',
  'audit.sign': 'a head of the whole log: a root hash and its signatures',
  'campaign.maxMargin': NAMED,
  'campaign.trends': 'it answers about the campaigns that it names: trends.spec.ts asks for those of two white-labels',
  'file.library': 'it answers from one account: library.spec.ts compares those of two accounts',
  'card.clientToken': 'its answer is a token for a form',
  'card.setup': 'its answer is a token for a form',
  'chat.own': OWN_RECORD,
  'chat.waiting': COUNTED,
  'delivery.audienceKeys': BIDDERS,
  'delivery.batch': BIDDERS,
  'delivery.campaigns': BIDDERS,
  'delivery.changes': BIDDERS,
  'delivery.sample': BIDDERS,
  'estimate.audience': NAMED,
  'estimate.placements': PUBLIC_DATA,
  'estimate.spots': NAMED,
  'events.pixelKey': 'its answer is the key of the own account (events.spec.ts)',
  'events.send': BIDDERS,
  'geo.cities': PUBLIC_DATA,
  'guide.get': 'its answer is which steps the caller has done',
  'label.list': 'labels are checked for several accounts and two white-labels in labels.spec.ts',
  'live.changes': 'the stream: the last test of lists.spec.ts follows it',
  'notifications.choices': OWN_RECORD,
  'notifications.list': 'it answers from the record of the caller alone (notifications.spec.ts)',
  'operations.discardJob': OPERATIONS,
  'operations.errors': OPERATIONS,
  'operations.jobs': OPERATIONS,
  'operations.licences': OPERATIONS,
  'operations.settings': OPERATIONS,
  'operations.processes': OPERATIONS,
  'operations.queues': OPERATIONS,
  'operations.readModels': OPERATIONS,
  'operations.retryJob': OPERATIONS,
  'operations.retryParked': OPERATIONS,
  'profile.apiKeys': OWN_RECORD,
  'profile.ownData': 'a copy of what is stored about the caller alone (own-data.spec.ts)',
  'profile.passkeys': OWN_RECORD,
  'profile.secondFactor': OWN_RECORD,
  'profile.sessions': OWN_RECORD,
  'profile.signIns': OWN_RECORD,
  'report.campaign': NAMED,
  'report.campaignCsv': NAMED,
  'report.placementSizes': PUBLIC_DATA,
  'report.placements': PUBLIC_DATA,
  'report.trafficSourceCsv': NAMED,
  'reports.saved': OWN_RECORD,
  'view.list': VIEWS,
  'scim.config': DIRECTORIES,
  'scim.groups': DIRECTORIES,
  'scim.resourceTypes': DIRECTORIES,
  'scim.schemas': DIRECTORIES,
  'scim.users': DIRECTORIES,
  'whitelabel.list': WHITE_LABEL,
  'whitelabel.settings': WHITE_LABEL,
}
