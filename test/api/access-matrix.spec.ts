import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { z } from '#contract/zod'
import { CALLS } from '../support/access-calls.ts'
import {
  each,
  keysIn,
  makeContent,
  REACHED,
  run,
  titleOf,
  type Cell,
  type Content,
  type Received,
} from '../support/access-runner.ts'
import { expected, PERSONAS, SPACES, type Expected, type Persona, type RoleName } from '../support/access-table.ts'
import type { Session } from '../support/product.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

/** Calls with an id that belong to no space. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'reports.changeSaved': "a user's own record: saved-reports.spec.ts",
  'reports.removeSaved': "a user's own record: saved-reports.spec.ts",
  'view.change': 'it needs a view for each cell: views.spec.ts asks as several roles',
  'view.remove': 'it needs a view for each cell: views.spec.ts asks as several roles',
  'view.restore': 'it needs a view for each cell: views.spec.ts asks as several roles',
  'label.apply': 'it answers each campaign by itself: labels.spec.ts asks as every role',
  'label.change': 'it needs a label for each cell: labels.spec.ts asks as every role',
  'label.remove': 'it needs a label for each cell: labels.spec.ts asks as every role',
  'events.pixel': 'the pixel is public, and its key names the account',
  'exchange.creatives': 'it names no account: it lists what waits in the white-label of the caller (exchanges.spec.ts)',
  'audit.feed': 'it names no account: it lists what is in reach (audit-feed.spec.ts, lists.spec.ts)',
  'webhook.list': 'it names no account: it lists the webhooks of a white-label (audit-webhooks.spec.ts)',
  'webhook.create': 'it names a white-label, and of another one it is not found (audit-webhooks.spec.ts)',
  'delivery.batch': 'bidders send batches, and no user may',
  'delivery.sample': 'bidders send samples, and no user may (rule-lab.spec.ts)',
  'schedule.change': 'it needs a change for each cell: schedule.spec.ts asks as every role',
  'schedule.cancel': 'it needs a change for each cell: schedule.spec.ts asks as every role',
  'approval.confirm': 'below: what waits is reached by its white-label alone',
  'approval.reject': 'below: what waits is reached by its white-label alone',
  'profile.save': 'it saves the record of the caller alone (profile.spec.ts)',
  'profile.endSession': 'it ends sessions of the caller alone (profile.spec.ts)',
  'profile.revokeApiKey': 'it revokes keys of the caller alone (profile.spec.ts)',
  'profile.rotateApiKey': 'it rotates keys of the caller alone (api-keys.spec.ts)',
  'profile.addPasskey': 'it adds a passkey of the caller alone, which names itself (passkeys.spec.ts)',
  'profile.renamePasskey': 'it renames passkeys of the caller alone (passkeys.spec.ts)',
  'profile.removePasskey': 'it removes passkeys of the caller alone (passkeys.spec.ts)',
  'profile.proveByPasskey': 'it proves the caller alone, and the passkey names itself (step-up.spec.ts)',
  'session.signInByPasskey': 'anyone may sign in, and the passkey names itself (passkeys.spec.ts)',
  'profile.picture': 'pictures have an id that cannot be guessed, and everyone who is signed in sees them',
  'registration.verify': 'the token in the link is the right',
  'account.add': 'it names a white-label, and of another one it is not found (registration.spec.ts)',
  'account.suspend':
    'it would sign out the users of the other cells: accounts.spec.ts has it, and account.restore is the same call',
  'account.staff': 'it names no account: it lists the staff of the white-label of the caller (accounts.spec.ts)',
  'team.resend': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'team.withdraw': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'team.roles': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'team.grantRight': 'it would change the users of the other cells: single-rights.spec.ts asks as every role',
  'team.takeRight': 'it would change the users of the other cells: single-rights.spec.ts asks as every role',
  'team.signOut': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'team.resetFactor': 'it needs a second factor, and asks alone: team.spec.ts asks as every role',
  'team.freeSignOn': 'it needs a person who is linked to a provider: second-person-keys.spec.ts asks as others',
  'team.deactivate': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'team.accept': 'it names an invitation of the caller: memberships.spec.ts asks as others',
  'team.decline': 'it names an invitation of the caller: memberships.spec.ts asks as others',
  'team.handOver': 'it would change the users of the other cells: team.spec.ts asks as every role',
  'dictionary.get': 'dictionaries are the same for everyone who is signed in',
  'file.cache': 'files are public under an id that cannot be guessed',
  'scim.tokens': 'a white-label is no space: scim.spec.ts asks for another one',
  'scim.createToken': 'a white-label is no space: scim.spec.ts asks for another one',
  'scim.withdrawToken': 'a white-label is no space: scim.spec.ts asks for another one',
  'scim.user': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.replaceUser': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.patchUser': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.deleteUser': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.group': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.replaceGroup': 'directories alone may: scim.spec.ts asks with every other credential',
  'scim.patchGroup': 'directories alone may: scim.spec.ts asks with every other credential',
  'signOn.get': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.addProvider': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.changeProvider': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.removeProvider': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.checkProvider': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.addDomain': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.verifyDomain': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.changeDomain': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'signOn.removeDomain': 'a white-label is no space: single-sign-on.spec.ts asks for another one',
  'session.startSignOn': 'anyone may begin a sign-in at a provider of the host (single-sign-on.spec.ts)',
  'whitelabel.get': 'a white-label is no space: white-label.spec.ts asks as every role',
  'whitelabel.save': 'a white-label is no space: white-label.spec.ts asks as every role',
  'whitelabel.previewInvoice': 'a white-label is no space: white-label.spec.ts asks as every role',
  'whitelabel.previewMail': 'a white-label is no space: white-label.spec.ts asks as every role',
  'whitelabel.create': 'system administrators alone create white-labels (white-label.spec.ts)',
  'whitelabel.suspend': 'system administrators alone suspend white-labels (white-label.spec.ts)',
  'whitelabel.restore': 'system administrators alone restore white-labels (white-label.spec.ts)',
  'chat.conversation': 'it is of a user, and no space: chat.spec.ts asks as every role',
  'chat.reply': 'it is of a user, and no space: chat.spec.ts asks as every role',
  'chat.seen': 'it is of a user, and no space: chat.spec.ts asks as every role',
  'invoice.create': 'it makes an invoice in each space that it reaches (invoices.spec.ts)',
  'invoice.line': 'it needs charges: invoices.spec.ts asks for lines of its own and of other accounts',
  'delivery.audienceMembers': 'bidders read members, and no user may (served-audiences.spec.ts)',
  'audience.requestResource': 'its id names an app or site, and the request is of the own account (audiences.spec.ts)',
  'card.add': 'it needs a card that the provider confirmed: payments.spec.ts asks as every role',
  'card.remove': 'cards have ids: payments.spec.ts asks as every role',
  'card.default': 'cards have ids: payments.spec.ts asks as every role',
  'refill.make': 'cards have ids: payments.spec.ts asks as every role',
  'refill.get': 'payments have ids: payments.spec.ts asks as every role',
  'refill.testConfirmation': 'payments have ids: payments.spec.ts asks as every role',
  'file.banner': 'so are the files of an HTML banner',
}

/** Fields that only owners write (campaigns.md §3, "Administration tab"), under their names in the API. */
const OWNER_FIELDS = {
  account_manager_id: 'manager',
  campaign_category_keys: ['IAB1'],
  exchange_id: ['google'],
  impression_url: 'https://pixel.example/i',
  deal_link: 'deal',
  cpx: 0.9,
  t: 3,
  margin: 11,
  fixed_cpm: 2,
  test_devices: ['device'],
  telco_model: 'telco',
  no_telco_model: 'none',
  dummy_models: 'dummy',
  slots: [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  slots_include_unknown: false,
  placard_verified: true,
  disregard_targeting: true,
  traffic_targeting: [{ id: 1, name: 'Bidding 1', multiplier: 2, rules: { condition: 'and', rules: [] } }],
  custom_html: '<b>ours</b>',
  bid_multipliers: [{ key: 'google', value: 2 }],
}
/** The date of the verification is read-only. */
const OWNER_KEYS = [...Object.keys(OWNER_FIELDS), 'placard_tag_date'].sort()
const READERS_OF_OWNER_FIELDS = ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'AUDITOR']

const ANONYMOUS: Persona = { name: 'anonymous', roles: [], home: 'A1' }
const SERVICE: Persona = { name: 'service', roles: [], home: 'A1' }

const cells: readonly Cell[] = PERSONAS.flatMap((persona) =>
  CALLS.flatMap((call) => SPACES.map((space) => ({ persona, call, space }))),
)

const DOWNLOADS = new Set(ENDPOINTS.filter(({ download }) => download === true).map(({ id }) => id))

const isAdvertiser = (role: RoleName) => role === 'USER_OWNER' || role === 'USER_VIEWER'

describe(`access matrix: ${cells.length} cells of ${PERSONAS.length} users, ${CALLS.length} calls, ${SPACES.length} spaces`, () => {
  let world: World
  let content: Content
  const checked = new Set<Cell>()
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
    content = await makeContent()
    for (const { name } of PERSONAS) ids[name] = (await as(name).call<{ readonly id: string }>('GET', '/v1/user/me')).data.id
  })
  afterAll(() => world.stop())

  const as = (name: string): Session => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no user ${name}`)
    return session
  }
  const isOneself = ({ persona, space }: Cell): boolean => ids[persona.name] === world.targets[space].userId
  const wanted = (cell: Cell): Expected => expected(cell.persona, cell.call, cell.space, isOneself(cell))
  const of = (persona: Persona, isAllowed: boolean): readonly Cell[] =>
    cells.filter((cell) => cell.persona === persona && (wanted(cell) === 'allowed') === isAllowed)
  const agrees = (want: Expected, { status, code }: Received): boolean =>
    want === 'allowed' ? REACHED.includes(code) : status === want.status && code === want.code

  async function mismatches(some: readonly Cell[]): Promise<readonly string[]> {
    // A user has four downloads at once.
    const [downloads, others] = [true, false].map((isDownload) =>
      some.filter(({ call }) => DOWNLOADS.has(call.endpoint) === isDownload),
    )
    const ask = async (cell: Cell) => ({ cell, answer: await run(world, content, cell) })
    const received = [...(await each(others ?? [], ask))]
    for (const cell of downloads ?? []) received.push(await ask(cell))
    for (const { cell } of received) checked.add(cell)
    return received
      .filter(({ cell, answer }) => !agrees(wanted(cell), answer))
      .map(({ cell, answer }) => `${titleOf(cell)}: ${JSON.stringify(wanted(cell))}, but ${answer.status} with ${answer.code}`)
  }

  it('contains every endpoint with an id', () => {
    const inMatrix = new Set(CALLS.map(({ endpoint }) => endpoint))
    const ID = /^(id|.*(campaign|space|user|file|account|person|whitelabel)[_-]?id|replicated_from)$/i
    const named = (schema: z.ZodMiniType): boolean =>
      keysIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).some((key) => ID.test(key))
    const withId = ENDPOINTS.filter(({ path, query, input }) => path.includes('/:') || named(query) || named(input))
    expect(withId.map(({ id }) => id).filter((id) => !inMatrix.has(id) && ELSEWHERE[id] === undefined)).toEqual([])
    expect(Object.keys(ELSEWHERE).filter((id) => !withId.some((endpoint) => endpoint.id === id))).toEqual([])
  })

  it.each([
    'SYSTEM_ADMIN', // covers CAM-ROLE-01
    'WL_OWNER', // covers CAM-ROLE-02
    'ACCOUNTANT', // covers CAM-ROLE-03
    'WHITELABEL_ACCOUNTANT', // covers CAM-ROLE-04
    'WL_MODERATOR', // covers CAM-ROLE-05
    'USER_OWNER', // covers CAM-ROLE-06
  ] as const)('a user holds the role %s and reads it', async (role) => {
    const { name } = PERSONAS.find(({ roles }) => roles.includes(role)) ?? { name: '' }
    expect((await as(name).call<{ readonly roles: readonly string[] }>('GET', '/v1/user/me')).data.roles).toContain(role)
  })

  it.each(PERSONAS)('returns the roles of $name', async ({ name, roles }) => {
    expect((await as(name).call<{ readonly roles: readonly string[] }>('GET', '/v1/user/me')).data.roles).toEqual(roles)
  })

  // covers ERR-29
  it.each(PERSONAS)('refuses $name what the table refuses, and stores nothing', async (persona) => {
    const before = await world.stored()
    expect(await mismatches(of(persona, false))).toEqual([])
    expect(await world.stored()).toEqual(before)
  })

  // covers FP-30
  it.each(PERSONAS)('allows $name what the table allows', async (persona) => {
    expect(await mismatches(of(persona, true))).toEqual([])
  })

  it('every cell of the access matrix was checked', () => {
    expect(checked.size).toBe(cells.length)
  })

  it.each(PERSONAS)('shows owner fields to $name as the table says', async (persona) => {
    const { campaignId } = world.targets.A1
    const answer = await as(persona.name).call<Record<string, unknown>>('GET', `/v1/campaign/${campaignId}`)
    const shown = OWNER_KEYS.filter((key) => key in (answer.data ?? {}))
    const isReader = persona.roles.some((role) => READERS_OF_OWNER_FIELDS.includes(role))
    expect(shown).toEqual(isReader ? OWNER_KEYS : [])
    expect(answer.code).toBe(persona.roles.some(isAdvertiser) || isReader ? 0 : 3)
  })

  it('ignores owner fields from an advertiser and stores those from an owner', async () => {
    const id = world.targets.A1.campaignId
    const seen = async () => (await as('WL_OWNER').call<Record<string, unknown>>('GET', `/v1/campaign/${id}`)).data
    const before = await seen()
    const stored = await world.stored()
    expect((await as('USER_OWNER').call('PUT', '/v1/campaign', { id, ...OWNER_FIELDS })).code).toBe(0)
    expect(await world.stored()).toEqual(stored)
    expect(await seen()).toEqual(before)
    // A margin and a fixed CPM exclude each other.
    const { fixed_cpm, ...others } = OWNER_FIELDS
    expect((await as('WL_OWNER').call('PUT', '/v1/campaign', { id, ...others })).code).toBe(0)
    const after = await seen()
    expect(OWNER_KEYS.filter((key) => JSON.stringify(after[key]) === JSON.stringify(before[key]))).toEqual(['fixed_cpm'])
    expect((await as('WL_OWNER').call('PUT', '/v1/campaign', { id, margin: null, fixed_cpm })).code).toBe(0)
    expect(await seen()).toMatchObject({ fixed_cpm })
  })

  const advertisers = PERSONAS.filter(({ roles }) => roles.some(isAdvertiser))
  // covers FP-28
  it.each(advertisers)('shows no owner field to the advertiser $name in any answer', async (advertiser) => {
    const mine = cells.filter((cell) => cell.persona === advertiser && cell.space === 'A1' && wanted(cell) === 'allowed')
    const met = await each(mine, async (cell) => ({ cell, keys: keysIn((await run(world, content, cell)).body) }))
    expect(met.filter(({ keys }) => keys.some((key) => OWNER_KEYS.includes(key))).map(({ cell }) => titleOf(cell))).toEqual([])
  })

  it('refuses a file of another account with 132', async () => {
    for (const space of ['A2', 'B1', 'B2'] as const) {
      const banners = [{ width: 300, height: 250, file_id: world.targets[space].fileId, creative_name: 'not_ours' }]
      const body = { id: world.targets.A1.campaignId, visuals: { banners } }
      const answer = await as('USER_OWNER').call('PUT', '/v1/campaign?dry_run=true', body)
      expect([space, answer.status, answer.code]).toEqual([space, 404, 132])
    }
  })

  it('answers 401 without a token, and 403 with the service token except for exchange decisions and events', async () => {
    const answers = await each(CALLS, async (call) => {
      const received = async (persona: Persona) => (await run(world, content, { persona, call, space: 'A1' })).code
      return [call.endpoint, await received(ANONYMOUS), await received(SERVICE)]
    })
    expect(answers).toEqual(
      CALLS.map(({ endpoint }) => [endpoint, 401, ['exchange.decisions', 'events.send'].includes(endpoint) ? 0 : 3]),
    )
  })

  it('records the user and the account of a decision that a user takes for an exchange', async () => {
    const { campaignId, spaceId } = world.targets.A2
    const refusal = { status: 'disapproved' }
    const verdict = { dealsPolicyCompliance: refusal, networkPolicyCompliance: refusal, platformPolicyCompliance: refusal }
    const body = { decisions: [{ campaign_id: campaignId, ...verdict }] }
    expect((await as('WL_OWNER').call('POST', '/v1/exchange/verve/decisions', body)).code).toBe(0)
    type Event = { readonly type: string; readonly metadata: string }
    const events = (await as('AUDITOR').call<readonly Event[]>('GET', `/v1/campaign/${campaignId}/events?limit=1000`)).data
    const newest = events.filter(({ type }) => type === 'ExchangeDecided').at(-1)
    const { actor, on_behalf_of } = JSON.parse(newest?.metadata ?? '{}')
    expect([actor, on_behalf_of]).toEqual([ids.WL_OWNER, spaceId])
  })

  it('money by hand that waits is reached by owners of its white-label alone', async () => {
    const { pool } = world.product.database
    const { spaceId } = world.targets.B1
    const { rows } = await pool.query<{ whitelabel_id: string }>('select whitelabel_id from rm_accounts where space_id = $1', [
      spaceId,
    ])
    await pool.query(
      `insert into app.second_person (id, whitelabel_id, space_id, kind, user_id, day, counted, state, command)
       values ('waiting-b1', $1, $2, 'credit', (
         select id from identity.people where whitelabel_id = $1 and 'WL_OWNER' = any(roles) limit 1), '', 0, 'pending', '{"kind": "credit", "amount": 5000000, "comment": "x"}')`,
      [rows[0]?.whitelabel_id, spaceId],
    )
    type Waiting = { readonly approvals: readonly { readonly id: string }[] }
    const idsFor = async (name: string) =>
      (await as(name).call<Waiting>('GET', '/v1/approvals')).data.approvals.map(({ id }) => id)
    expect([await idsFor('WL_OWNER'), await idsFor('SYSTEM_ADMIN')]).toEqual([[], ['waiting-b1']])
    for (const step of ['confirm', 'reject'])
      expect((await as('WL_OWNER').call('POST', `/v1/approvals/waiting-b1/${step}`, {})).code).toBe(131)
    expect((await as('SYSTEM_ADMIN').call('POST', '/v1/approvals/waiting-b1/confirm', {})).code).toBe(0)
  })

  // covers CAM-ROLE-07
  it('lets an owner replicate a campaign into another account', async () => {
    const { A1, A2 } = world.targets
    const body = { replicated_from: A1.campaignId, space_id: A2.spaceId, name: 'From one to two' }
    const { code, data } = await as('WL_OWNER').call('POST', '/v1/campaign', body)
    expect(code).toBe(0)
    const found = await as('WL_OWNER').call<{ readonly space_id: string }>('GET', `/v1/campaign/${data.id}`)
    expect(found.data.space_id).toBe(A2.spaceId)
  })

  // covers ROLE-01 ROLE-07
  it('lets a moderator approve and an owner reject', async () => {
    const { A1, A2 } = world.targets
    const verdict = { campaign_id: A1.campaignId, moderation_start_at: A1.moderationStartAt }
    expect((await as('WL_MODERATOR').call('POST', '/v1/whitelabel/admin/campaign/approve', verdict)).code).toBe(0)
    const other = { campaign_id: A2.campaignId, moderation_start_at: A2.moderationStartAt, comment: 'No' }
    expect((await as('WL_OWNER').call('POST', '/v1/whitelabel/admin/campaign/reject', other)).code).toBe(0)
  })

  // covers CAM-ROLE-08
  it('lets an advertiser create and manage campaigns of the own account only', async () => {
    const advertiser = as('USER_OWNER')
    const { data } = await advertiser.call('POST', '/v1/campaign', {
      name: 'Of my own',
      country: 'EG',
      bidding_strategy: { type: 'awareness' },
    })
    expect((await advertiser.call('PUT', '/v1/campaign', { id: data.id, budget: 12 })).data.budget).toBe(12)
    const switches = ['pause', 'run', 'archive/toggle', 'archive/toggle'].map((name) => `/v1/campaign/${name}`)
    for (const path of switches) {
      expect([path, (await advertiser.call('POST', path, world.targets.A1.campaignId)).code]).toEqual([path, 0])
      expect([path, (await advertiser.call('POST', path, world.targets.A2.campaignId)).code]).toEqual([path, 130])
    }
  })
})
