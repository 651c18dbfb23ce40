import { readFile } from 'node:fs/promises'
import { createWhitelists, type Whitelists } from '#platform/whitelists/whitelists'
import { createScheduledChanges } from '#platform/schedule/scheduled-changes'
import { createServiceCredentials } from '#platform/identity/service-credentials'
import { createPeople } from '#platform/identity/people'
import { createSessions } from '#platform/identity/sessions'
import { createDataKey } from '#platform/identity/data-key'
import { storedKeys } from '#platform/identity/signing-keys'
import { createTokens } from '#commands/identity/tokens'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createRegistrationCommands } from '#commands/registration/registration-commands'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { PERSONAS, SPACES, type RoleName, type SpaceKey } from './access-table.ts'
import { PASSWORD, publishable, sessionOf, startTestProduct, type Session, type TestProduct } from './product.ts'
import { voidInvoice } from './void-invoice.ts'
import { testClock } from './test-clock.ts'

/** The objects of one space. */
export type Target = {
  readonly space: SpaceKey
  readonly spaceId: string
  /** A campaign that was approved once and waits for a second approval. */
  readonly campaignId: string
  readonly moderationStartAt: string
  readonly fileId: string
  /** An audience that the campaign uses. */
  readonly audienceId: string
  /** A user whose home is this space. */
  readonly userId: string
  /** A person who registered for this space and waits for a decision. */
  readonly registrantId: string
  /** A void invoice of this space, and a payment that was recorded on it. */
  readonly invoiceId: string
  readonly paymentId: string
}

/** The product with the demo as white-label A, and an unrelated white-label B. */
export type World = {
  readonly product: TestProduct
  /** By the name of a persona; users of B and the owners of A2 under `B WL_OWNER`, `B1 USER_OWNER` and so on. */
  readonly sessions: Readonly<Record<string, Session>>
  readonly targets: Readonly<Record<SpaceKey, Target>>
  readonly whitelists: Whitelists
  /** Creates a webhook of the white-label of a target, which is switched off; returns its id. */
  readonly newWebhook: (target: Target) => Promise<string>
  /** Creates a credential of the white-label of a target; returns its id. */
  readonly newCredential: (target: Target) => Promise<string>
  /** The number of events and files that callers created; writes of policies do not count. */
  readonly stored: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** The name of a whitelist in every space and every campaign. */
export const KEPT_LIST = 'partners'

const DEMO: Readonly<Record<string, string>> = {
  SYSTEM_ADMIN: 'admin@dsp.example',
  WL_OWNER: 'owner@dsp.example',
  WL_MODERATOR: 'moderator@dsp.example',
  WHITELABEL_ACCOUNTANT: 'accountant@dsp.example',
  ACCOUNTANT: 'clerk@nile.example',
  USER_OWNER: 'ada@nile.example',
  AUDITOR: 'auditor@dsp.example',
}

type NewPerson = { readonly label: string; readonly spaceId: string; readonly email: string; readonly roles: readonly RoleName[] }

export async function startTwoWhiteLabels(): Promise<World> {
  const product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
  const { pool, url } = product.database
  const db = createKysely(pool)
  const people = createPeople(db, { demo: true })
  const whitelists = createWhitelists(db)
  const store = createPostgresEventStore({ pool, url })
  const handle = createHandler({
    store,
    now: testClock.at,
    eventId: (commandId, n) => derivedId('event', commandId, String(n)),
  })
  const accounts = createAccountCommands(handle)
  const registrations = createRegistrationCommands(handle)
  const keys = await storedKeys({ db, dataKey: createDataKey([]) }, () => undefined)
  const tokens = createTokens(keys, testClock.now)
  const now = testClock.at
  /** The matrix may take longer than a proof holds (fine print 83). */
  const tomorrow = testClock.at(86_400_000)
  const credentials = createServiceCredentials(db, now, newId)
  const unlimited = { recordEnd: async () => undefined, idleLimitOf: () => null, isOutside: () => false }
  const sessions = createSessions({ db, tokens, now, newId, demo: true, ...unlimited })

  const context = (command_id: string) => ({
    actor: 'system:test',
    role: 'SYSTEM',
    on_behalf_of: null,
    source: 'import' as const,
    command_id,
    body_hash: null,
    correlation: command_id,
    causation: null,
  })

  /** A registration for a space that waits. */
  async function registrant(space: SpaceKey, space_id: string): Promise<string> {
    const id = newId()
    const whitelabel_id = space.startsWith('A') ? 'dsp' : 'other'
    const email = `${id}@registrants.example`
    const roles: readonly RoleName[] = ['USER_OWNER']
    const names = { first_name: 'Test', last_name: 'Registrant', phone: null, status_key: 1 }
    await people.create({ id, whitelabel_id, home_space_id: space_id, roles, email, ...names })
    const submission = { whitelabel_id, space_id, country: 'NG', currency: 'USD', by: 'registrant' } as const
    await registrations.execute(id, context(newId()), { type: 'Submit', submission })
    return id
  }

  async function open(name: string, house: boolean): Promise<string> {
    const spaceId = newId()
    const opened = { type: 'OpenAccount', spaceId, whitelabelId: 'other', name, currency: 'USD', house } as const
    await accounts.execute(spaceId, context(newId()), opened)
    if (!house) await accounts.execute(spaceId, context(newId()), { type: 'CreditFunds', amount: 5_000_000_000, reason: 'test' })
    return spaceId
  }

  async function add({ label, spaceId, email, roles }: NewPerson): Promise<string> {
    const id = newId()
    const names = { first_name: 'Test', last_name: 'Person', phone: null, password: PASSWORD }
    await people.create({ id, whitelabel_id: label, home_space_id: spaceId, roles, email, ...names })
    return id
  }

  /** Users of B cannot sign in through the host of A, so they get their tokens directly. */
  async function enter(person: Omit<NewPerson, 'label'>): Promise<{ readonly id: string; readonly session: Session }> {
    const id = await add({ ...person, label: 'other' })
    const record = await people.find(id)
    if (record === null) throw new Error('the person was not added')
    return {
      id,
      session: sessionOf(product.base, (await sessions.signIn(record, undefined, { provedAt: tomorrow })).access_token),
    }
  }

  const me = async (session: Session) =>
    (await session.call<{ readonly id: string; readonly space_id: string }>('GET', '/v1/user/me')).data

  const entries = await Promise.all(Object.entries(DEMO).map(async ([name, email]) => [name, await product.as(email)] as const))
  const demo = Object.fromEntries(entries)
  const of = (name: string): Session => demo[name] ?? sessionOf(product.base, '')
  const bola = await product.as('bola@lagos.example')
  const [ada, lagos, marek] = await Promise.all([me(of('USER_OWNER')), me(bola), me(of('WL_MODERATOR'))])

  /** People that the demo lacks. */
  const guests = PERSONAS.filter(({ name }) => DEMO[name] === undefined)
  const guestAt = (n: number) => `guest-${n}@nile.example`
  for (const [n, { roles }] of guests.entries()) await add({ label: 'dsp', spaceId: ada.space_id, email: guestAt(n), roles })

  const [b1, b2, houseB] = await Promise.all([open('B one', false), open('B two', false), open('B house', true)])
  const [bea, ben, moderatorB] = await Promise.all([
    enter({ spaceId: b1, email: 'bea@b.example', roles: ['USER_OWNER'] }),
    enter({ spaceId: b2, email: 'ben@b.example', roles: ['USER_OWNER'] }),
    enter({ spaceId: houseB, email: 'moderator@b.example', roles: ['WL_MODERATOR'] }),
  ])
  const staffB = await eachRole(enter, houseB)

  const moderator = of('WL_MODERATOR')
  const homes: Readonly<Record<SpaceKey, Inhabited>> = {
    A1: { spaceId: ada.space_id, userId: ada.id, by: of('USER_OWNER'), moderator },
    A2: { spaceId: lagos.space_id, userId: lagos.id, by: bola, moderator },
    'A house': { spaceId: marek.space_id, userId: marek.id, by: of('WL_OWNER'), moderator: await secondModerator() },
    B1: { spaceId: b1, userId: bea.id, by: bea.session, moderator: moderatorB.session },
    B2: { spaceId: b2, userId: ben.id, by: ben.session, moderator: moderatorB.session },
  }

  /** A user of the white-label's own space may not moderate its campaigns. */
  async function secondModerator(): Promise<Session> {
    await add({ label: 'dsp', spaceId: lagos.space_id, email: 'judge@lagos.example', roles: ['WL_MODERATOR'] })
    return product.as('judge@lagos.example')
  }

  const made = await Promise.all(
    SPACES.map(async (space) => {
      const registrantId = await registrant(space, homes[space].spaceId)
      const place = { spaceId: homes[space].spaceId, whitelabelId: space.startsWith('A') ? 'dsp' : 'other' }
      const invoice = await voidInvoice(handle, place, context)
      return [space, { ...(await furnish(product, space, homes[space])), registrantId, ...invoice }] as const
    }),
  )
  const scheduled = createScheduledChanges(db, now)
  for (const [space, { spaceId, campaignId, userId }] of made) {
    await scheduled.add({
      personId: userId,
      spaceId,
      whitelabelId: space.startsWith('A') ? 'dsp' : 'other',
      campaignId,
      groupId: null,
      note: '',
      changes: [{ id: newId(), act: { kind: 'pause' }, dueAt: tomorrow }],
    })
    await whitelists.add({ kind: 'space', id: spaceId, spaceId }, KEPT_LIST, Buffer.from('news.example\n'), userId)
    await whitelists.add({ kind: 'campaign', id: campaignId, spaceId }, KEPT_LIST, Buffer.from('news.example\n'), userId)
  }
  // Later calls find all of it in the read models.
  await of('SYSTEM_ADMIN').call('GET', '/v1/user/me', undefined, { 'x-position': String(await store.head()) })

  const service = (await readFile(`${product.dataDir}/service-token`, 'utf8')).trim()
  return {
    product,
    sessions: {
      ...demo,
      ...staffB,
      'B WL_MODERATOR': moderatorB.session,
      'A2 USER_OWNER': bola,
      'B1 USER_OWNER': bea.session,
      'B2 USER_OWNER': ben.session,
      service: sessionOf(product.base, service),
      ...Object.fromEntries(await Promise.all(guests.map(async ({ name }, n) => [name, await product.as(guestAt(n))] as const))),
    },
    targets: Object.fromEntries(made) as Record<SpaceKey, Target>,
    whitelists,
    newWebhook: async ({ space }) => {
      const id = newId()
      const whitelabelId = space.startsWith('A') ? 'dsp' : 'other'
      await pool.query(
        `insert into app.audit_webhooks (id, whitelabel_id, url, description, filter, enabled, position, created_by)
         values ($1, $2, 'https://127.0.0.1/', '', '{"types": null, "fields": null}', false, 0, 'test')`,
        [id, whitelabelId],
      )
      return id
    },
    newCredential: async ({ space }) => {
      const whitelabelId = space.startsWith('A') ? 'dsp' : 'other'
      const expires_at = testClock.at(86_400_000)
      const kind = 'bidder'
      return (await credentials.create({ whitelabelId, name: 'Test', kind, exchange: null, created_by: 'test', expires_at })).id
    },
    stored: async () => {
      const { rows } = await pool.query(
        `select (select count(*)::int from es.events where metadata->>'source' <> 'policy') as events,
                (select count(*)::int from app.files) as files, (select count(*)::int from app.whitelists) as whitelists`,
      )
      return rows[0]
    },
    stop: async () => {
      keys.stop()
      await store.close()
      await product.stop()
    },
  }
}

type Inhabited = { readonly spaceId: string; readonly userId: string; readonly by: Session; readonly moderator: Session }

/** B has the same users as A. */
async function eachRole(
  enter: (person: Omit<NewPerson, 'label'>) => Promise<{ readonly session: Session }>,
  spaceId: string,
): Promise<Readonly<Record<string, Session>>> {
  const roles: readonly RoleName[] = ['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'AUDITOR']
  const entered = roles.map(async (role) => {
    const { session } = await enter({ spaceId, email: `${role.toLowerCase()}@b.example`, roles: [role] })
    return [`B ${role}`, session] as const
  })
  return Object.fromEntries(await Promise.all(entered))
}

/** A campaign with history: saved, published, approved, changed and published again. */
async function furnish(
  product: TestProduct,
  space: SpaceKey,
  { spaceId, userId, by, moderator }: Inhabited,
): Promise<Omit<Target, 'registrantId' | 'invoiceId' | 'paymentId'>> {
  const body = await publishable(product.base, by, { name: `Of ${space}` })
  const steps = async () => {
    const { id } = good(await by.call('POST', '/v1/campaign', body))
    good(await by.call('PUT', '/v1/campaign', { id, budget: 60 }))
    const first = good(await by.call('POST', '/v1/campaign/saveAndPublish', { id }))
    const approval = { campaign_id: id, moderation_start_at: first.moderation_start_at }
    good(await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', approval))
    const product_url = 'https://nile.example/spring'
    return good(await by.call('POST', '/v1/campaign/saveAndPublish', { id, product_url }))
  }
  const { id, moderation_start_at } = await steps()
  const rules = { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 2 }] }
  const audience = good(await by.call('POST', '/v1/segment-audience/dynamic', { space_id: spaceId, name: `Of ${space}`, rules }))
  const segment_audiences = { includeAny: [], include: [audience.id], exclude: [] }
  good(await by.call('PUT', '/v1/campaign', { id, targeting: { segment_audiences } }))
  const fileId = body.visuals.banners[0]?.file_id ?? ''
  return { space, spaceId, userId, campaignId: id, moderationStartAt: moderation_start_at, fileId, audienceId: audience.id }
}

function good<T>({ code, message, data }: { readonly code: number; readonly message: string; readonly data: T }): T {
  if (code !== 0) throw new Error(`the world could not be made: ${code} ${message} ${JSON.stringify(data)}`)
  return data
}
