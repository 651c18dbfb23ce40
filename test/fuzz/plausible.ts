import fc from 'fast-check'
import { EXCHANGES, GOALS_BY_TYPE } from '#domain/campaign/content/options'
import { METRICS } from '#domain/reports/figures'
import { PASSWORD } from '../support/product.ts'
import { LIST_NAMES } from './files.ts'
import type { World } from './world.ts'

/** Evaluated when a value is generated: known ids change during a run. */
export type CurrentWorld = () => World

/** One element of the current list, or an unknown name when the list is empty. */
export const pick = <T>(list: () => readonly T[]): fc.Arbitrary<T | 'none'> =>
  fc.nat({ max: 9999 }).map((n) => {
    const all = list()
    return all[n % Math.max(1, all.length)] ?? 'none'
  })

const days = fc
  .integer({ min: -40, max: 400 })
  .map((n) => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10))
const urls = fc.constantFrom(
  'https://nile.example/landing',
  'https://lagos.example/?a=b',
  'http://nile.example',
  'https://nile.example/é',
)
/** A valid expiry of a credential. */
export const soon = new Date(Date.now() + 86_400_000).toISOString()
const small = fc.integer({ min: 1, max: 4 })

/** Ids that a call accepts under the name `id`. */
const IDS: Readonly<Record<string, 'spaces' | 'users' | 'credentials' | 'webhooks'>> = {
  'webhook.change': 'webhooks',
  'webhook.delete': 'webhooks',
  'webhook.replay': 'webhooks',
  'webhook.rotate': 'webhooks',
  'webhook.test': 'webhooks',
  'credential.revoke': 'credentials',
  'credential.rotate': 'credentials',
  'account.get': 'spaces',
  'account.people': 'spaces',
  'team.get': 'spaces',
  'account.history': 'spaces',
  'account.settings': 'spaces',
  'account.rename': 'spaces',
  'account.creditLimit': 'spaces',
  // Not account.suspend: it would sign the users of the run out.
  'account.restore': 'spaces',
  'account.user': 'users',
  'space.get': 'spaces',
  'space.account': 'spaces',
  'user.get': 'users',
  'profile.save': 'users',
  'registration.approve': 'users',
  'registration.reject': 'users',
  'registration.resend': 'users',
  'registration.get': 'users',
  'user.switch': 'spaces',
  'space.balance': 'spaces',
  'space.ledger': 'spaces',
  'space.ledgerCsv': 'spaces',
  'space.credit': 'spaces',
  'invoice.userTransactions': 'spaces',
}

const byName: Readonly<Record<string, (current: CurrentWorld) => fc.Arbitrary<unknown>>> = {
  campaign_id: (current) => pick(() => current().campaigns.map(({ id }) => id)),
  campaignId: (current) => pick(() => current().campaigns.map(({ id }) => id)),
  replicated_from: (current) => pick(() => current().campaigns.map(({ id }) => id)),
  space_id: (current) => pick(() => current().spaces),
  spaceId: (current) =>
    fc.oneof(
      pick(() => current().spaces),
      pick(() => [current().home]),
    ),
  user_id: (current) => pick(() => current().users),
  manager_id: (current) => pick(() => current().users),
  'user-id': (current) => pick(() => current().users),
  account_manager_id: (current) => pick(() => current().users),
  file_id: (current) => pick(() => current().files.map(({ file_id }) => file_id)),
  fileId: (current) => pick(() => current().files.map(({ file_id }) => file_id)),
  country: (current) => pick(() => current().countries),
  bundle_id: (current) => pick(() => current().apps),
  moderation_start_at: (current) => pick(() => current().pending.map((one) => one.moderation_start_at)),
  after: (current) => pick(() => ['0', current().position]),
  whitelabel_id: () => fc.constantFrom('dsp', 'dsp', 'ng'),
  refresh_token: (current) => pick(() => [current().refreshToken]),
  exchange: () => fc.constantFrom(...EXCHANGES),
  exchange_id: () => fc.subarray([...EXCHANGES]),
  threshold: () => fc.constantFrom(0, 500, 99.99),
  monthly_limit: () => fc.constantFrom(5000, 100_000),
  enabled: () => fc.constant(false),
  provider_method_id: () => fc.constantFrom('pm_card_visa', 'pm_card_chargeDeclined'),
  outcome: () => fc.constantFrom('complete', 'fail'),
  goal: () => fc.constantFrom(...Object.values(GOALS_BY_TYPE).flat()),
  type: () => fc.constantFrom(...Object.keys(GOALS_BY_TYPE)),
  budget: () => fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(10.01, 99.999999, 1e7)),
  budget_type_key: () => fc.constantFrom(1, 2),
  revision: () => small,
  from: () => small,
  to: () => small,
  content_version: () => small,
  time: () => fc.constantFrom('2026-01-01', '2099-01-01T00:00:00Z', new Date(Date.UTC(2030, 1, 1)).toISOString()),
  from_date: () => days,
  to_date: () => days.map((day) => `2027${day.slice(4)}`),
  campaign_start_at: () => days.map((day) => `2090${day.slice(4)}`),
  campaign_end_at: () => days.map((day) => `2091${day.slice(4)}`),
  product_url: () => urls,
  url: () => urls,
  click_url: () => urls,
  impression_url: () => urls,
  width: () => fc.constantFrom(300, 1200, 600, 128),
  height: () => fc.constantFrom(250, 627, 600, 128),
  'page-num': () => small,
  'page-size': () => small,
  page: () => fc.integer({ min: 0, max: 3 }),
  pageSize: () => small,
  page_size: () => small,
  expires_at: () => fc.constantFrom(soon, soon, soon, '2020-01-01', '2099-01-01'),
  due_at: () => fc.constantFrom(soon, soon, soon, '2020-01-01T00:00:00Z'),
  locale: () => fc.constantFrom('en_US', 'ru_RU'),
  x: () => fc.nat({ max: 20 }),
  y: () => fc.nat({ max: 20 }),
  size: () => fc.constantFrom(50, 100),
  phone: () => fc.constantFrom('+234 803 123 4567', '12345'),
  language_key: () => fc.constantFrom(1, 2),
  user_type_key: () => fc.constantFrom(1, 2),
  first_name: () => fc.constantFrom('Ada', 'Zoë', 'حملة'),
  last_name: () => fc.constantFrom('Hassan', 'Ибрагимова'),
  tax_mode: () => fc.constantFrom('none', 'inclusive', 'exclusive'),
  tax_rate: () => fc.constantFrom(0, 1900, 20_000),
  invoice_email: () => fc.constantFrom('billing@nile.example', 'none'),
  grant_type: () => fc.constant('password'),
  username: () => fc.constantFrom('ada@nile.example', 'Bola@Lagos.example', 'unknown@nowhere.example'),
  password: () => fc.constantFrom(PASSWORD, PASSWORD, PASSWORD, 'wrong'),
  color: () => fc.constantFrom('red', 'teal', 'blue'),
  status_filter: () => fc.constantFrom('all', 50, 0, 3, 'paused', [0, 41], 'running'),
  order_field: () => fc.constantFrom('name', 'status', 'clicks', 'spent', 'beauty'),
  included_metrics: () => fc.subarray([...METRICS]),
  granularity_type_key: () => fc.constantFrom(1, 2),
  device_type_key: () => fc.constantFrom(2, 3, 5),
  visual_size_key: () => fc.constantFrom(1, null),
  tz_offset_seconds: () => fc.constant(0),
  cpm_multiplier: () => fc.constantFrom(1, 2, 0.5),
  daily_budget: () => fc.constantFrom(10, 100, 1000),
  dry_run: () => fc.constantFrom('true', 'false', '1', 'no'),
  charge_from_date: () => days,
  charge_to_date: () => days.map((day) => `2027${day.slice(4)}`),
  due_date: () => fc.constantFrom(null, '2027-03-01'),
  paid_at: () => days,
  method: () => fc.constantFrom('bank_transfer', 'cash', 'card', 'barter'),
  reference: () => fc.constantFrom('W-1', ''),
  emails: () => fc.constantFrom([], ['books@nile.example']),
  from_balance: () => fc.constant(true),
  amount: () => fc.constantFrom(1, -2.5, 10.000001, 5000),
  comment: () => fc.constantFrom('by hand', 'corrected'),
  batch_id: () => fc.nat({ max: 1e9 }).map((n) => `batch-${n}`),
  rows: (look) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      fc.array(
        pick(() => look().campaigns.map(({ id }) => id)).map((campaign_id) => ({
          hour: '2026-01-01T00:00:00Z',
          campaign_id,
          spent: 0.5,
        })),
        { maxLength: 2 },
      ),
    ),
  dimension: () => fc.constantFrom('country', 'hour', 'exchange', 'nothing'),
  grouping: () => fc.constantFrom('campaign', 'creative', 'app_or_site', 'day', 'date_hour', 'country', 'nothing'),
  device_type_keys: () => fc.constantFrom([], [2, 3], [7]),
  format: () => fc.constantFrom('csv', 'xlsx'),
  schedule: () => fc.constantFrom('none', 'daily', 'weekly', 'monthly'),
  schedule_day: () => fc.constantFrom(null, 1, 7, 28),
  range: () => fc.constantFrom('last7', 'thisMonth'),
  days_of: () => fc.constantFrom('utc', 'account'),
  timezone_offset_seconds: () => fc.constantFrom(0, 3600, -12_600),
  primary_color: () => fc.constantFrom('#1f7a4d', '#FFEE00', null),
  secondary_color: () => fc.constantFrom('#0a84ff', null),
  warning_color: () => fc.constantFrom('#aa5500', null),
  gauge_color: () => fc.constantFrom('#334455', null),
  term_of_service_url: () => urls,
  help_url: () => urls,
  creative_name: () => fc.constantFrom('main_banner', 'second_banner'),
}

/** A value that the call `id` accepts under this name. */
export function plausible(current: CurrentWorld, id: string, name: string): fc.Arbitrary<unknown> | undefined {
  if (name === 'id') {
    if (id === 'file.cache') return pick(() => [...current().files.map(({ file_id }) => file_id), ...current().archives])
    if (id === 'file.banner') return pick(() => current().archives)
    if (id.startsWith('audience.') || id === 'delivery.audienceMembers') return pick(() => current().audiences)
    if (id.startsWith('chat.')) return pick(() => current().chats)
    if (id === 'whitelabel.create') return fc.nat({ max: 1e9 }).map((n) => `label${n}`)
    // The default one cannot be suspended, and the others have no people who would be locked out.
    if (id === 'whitelabel.suspend' || id === 'whitelabel.restore') return fc.constantFrom('ng', 'ng', 'dsp')
    if (/^(whitelabel|signOn|scim)\./.test(id)) return fc.constantFrom('dsp', 'dsp', 'ng')
    const list = IDS[id]
    return list === undefined
      ? byName['campaign_id']?.(current)
      : pick(() => [...current()[list], ...(list === 'users' ? ['me'] : [])])
  }
  if (name === 'rules')
    return fc.constantFrom(
      { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 1 }] },
      { condition: 'or', rules: [] },
    )
  if (name === 'version' && /^(audience|delivery)\./.test(id)) return fc.constantFrom('1', '1', '2', 'x')
  if (name === 'ids' && id === 'campaign.trends')
    return fc.array(
      pick(() => current().campaigns.map((campaign) => campaign.id)),
      { minLength: 1, maxLength: 4 },
    )
  if (name === 'after' && id === 'file.library') return fc.constant('2026-06-01T00:00:00.000Z_0b1c')
  if (name === 'type' && id === 'audience.list') return fc.constantFrom('static', 'dynamic', null)
  if (name === 'status' && id === 'audience.list') return fc.constantFrom(1, 2, 3, null)
  // A view is saved as its list would show it.
  if (name === 'statuses' && id.startsWith('view.')) return fc.constantFrom([], [3], [0, 41])
  if (name === 'accounts' && id.startsWith('view.')) return pick(() => [[], [current().home]])
  if (name === 'path') return fc.constantFrom('index.html', 'picture.svg')
  // A policy carries a sign-up out later, which would count as stored by another request.
  if (name === 'agree_with_tos' && id === 'registration.submit') return fc.constant(false)
  if (name === 'type' && id.startsWith('space.ledger')) return fc.constantFrom('credit', 'spend')
  if (name === 'type' && id === 'app.categories') return fc.constantFrom('app', 'game')
  if (name === 'name') {
    if (id === 'dictionary.get') return fc.constantFrom('device_types', 'languages', 'interests', 'iab_categories')
    if (id.startsWith('whitelist')) return fc.constantFrom(LIST_NAMES[0], ...LIST_NAMES)
    return fc.oneof(
      fc.nat({ max: 1e9 }).map((n) => `Fuzz ${n}`),
      fc.constantFrom('Nile', 'a', 'Über größe', 'حملة'),
    )
  }
  return byName[name]?.(current)
}
