import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createTokens } from '#commands/identity/tokens'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { createPeople } from '#platform/identity/people'
import { createSessions } from '#platform/identity/sessions'
import { createDataKey } from '#platform/identity/data-key'
import { storedKeys } from '#platform/identity/signing-keys'
import { derivedId, newId } from '#platform/ids'
import { WHITELABEL } from './product.ts'

/** An account with funds and one user. */
export type Advertiser = { readonly spaceId: string; readonly token: string }

/**
 * Opens accounts beside that of the demo and signs in a user of each: calls of one account wait for each other, so that the capacity
 * of the product is that of many accounts. The product runs on this database.
 */
export async function openAdvertisers(url: string, count: number): Promise<readonly Advertiser[]> {
  const pool = createPool(url, { max: 4, applicationName: 'placard-bench', mayNest: true })
  const db = createKysely(pool)
  const store = createPostgresEventStore({ pool, url })
  const now = () => new Date().toISOString()
  const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
  const accounts = createAccountCommands(createHandler({ store, now, eventId }))
  const people = createPeople(db, { demo: true })
  const keys = await storedKeys({ db, dataKey: createDataKey([]) }, () => undefined)
  const tokens = createTokens(keys, Date.now)
  const sessions = createSessions({
    db,
    tokens,
    now,
    newId,
    demo: true,
    recordEnd: async () => {},
    idleLimitOf: () => null,
    isOutside: () => false,
  })
  const context = () => ({
    actor: 'system:bench',
    role: 'SYSTEM',
    on_behalf_of: null,
    source: 'import' as const,
    command_id: newId(),
    body_hash: null,
    correlation: newId(),
    causation: null,
  })

  async function open(n: number): Promise<Advertiser> {
    const [spaceId, id] = [newId(), newId()]
    const account = { spaceId, whitelabelId: WHITELABEL, name: `Advertiser ${n}`, currency: 'USD', house: false } as const
    await accounts.execute(spaceId, context(), { type: 'OpenAccount', ...account })
    await accounts.execute(spaceId, context(), { type: 'CreditFunds', amount: 5_000_000_000_000, reason: 'bench' })
    const names = { first_name: 'Bench', last_name: `${n}`, phone: null, email: `${id}@bench.example` }
    await people.create({ id, whitelabel_id: WHITELABEL, home_space_id: spaceId, roles: ['USER_OWNER'], ...names })
    const person = await people.find(id)
    if (person === null) throw new Error('the advertiser was not added')
    return { spaceId, token: (await sessions.signIn(person)).access_token }
  }

  const opened: Advertiser[] = []
  for (let n = 0; n < count; n++) opened.push(await open(n))
  keys.stop()
  await store.close()
  await pool.end()
  return opened
}
