import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createTeam } from '#commands/identity/team'
import type { TeamStore } from '#commands/identity/team-port'
import { Refused } from '#commands/refused'
import { systemContext } from '#domain/kit/event-metadata'
import type { Role } from '#domain/kit/access'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createKysely } from '#platform/database/pool'
import { createTeamStore } from '#platform/identity/team-store'
import { derivedId, newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testClock } from '../support/test-clock.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Step = 'added' | 'recorded' | 'inLine'

/** An account of a white-label of its own; `inviter` invites through a store of which each step can be held. */
async function account() {
  const db = createKysely(database.pool)
  const spaceId = newId()
  const place = { spaceId, whitelabelId: newId(), name: 'Nile' }
  const handle = createHandler({
    store: createMemoryEventStore(),
    now: testClock.at,
    eventId: (command, n) => derivedId('event', command, String(n)),
  })
  const accounts = createAccountCommands(handle)
  await accounts.execute(spaceId, systemContext('test', newId()), {
    type: 'OpenAccount',
    ...place,
    currency: 'USD',
    house: false,
  })
  const inviter = (after: (step: Step) => Promise<void> | void) => {
    const kept = createTeamStore(db)
    const store: TeamStore = {
      ...kept,
      async addInvited(...asked) {
        const added = await kept.addInvited(...asked)
        await after('added')
        return added
      },
      async apply(...asked) {
        await after('recorded')
        await kept.apply(...asked)
        await after('inLine')
      },
    }
    const team = createTeam({ accounts, store, newId, derivedId, now: testClock.at })
    const asker = () => ({ context: { ...systemContext('test', newId()), actor: 'owner' }, byAdministrator: false })
    return (email: string, roles: readonly Role[] = ['USER_VIEWER']) =>
      team.invite(place, asker(), { email, first_name: 'Amina', last_name: 'Said', roles })
  }
  const recordsOf = async (email: string) => {
    const { rows } = await database.pool.query<{ id: string; deactivated: boolean }>(
      `select id, deactivated from identity.people where whitelabel_id = $1 and email = $2`,
      [place.whitelabelId, email],
    )
    return rows
  }
  return { inviter, recordsOf, place }
}

const gate = () => {
  let open = () => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}
const refusalOf = (inviting: Promise<unknown>): Promise<number> =>
  inviting.then(
    () => 0,
    (error: unknown) => {
      if (error instanceof Refused) return error.rejection.code
      throw error
    },
  )

it('an invitation that is refused since another of its address was recorded leaves the record of the other', async () => {
  const { inviter, recordsOf } = await account()
  const [added, recorded, refused] = [gate(), gate(), gate()]
  const first = inviter((step) => {
    if (step !== 'added') return
    added.open()
    return recorded.passed
  })('many@nile.example')
  await added.passed
  const second = inviter((step) => {
    if (step !== 'recorded') return
    recorded.open()
    return refused.passed
  })('many@nile.example')
  expect(await refusalOf(first)).toBe(1400)
  refused.open()
  const { personId } = await second
  expect(await recordsOf('many@nile.example')).toEqual([{ id: personId, deactivated: false }])
})

it('an invitation that is refused for its roles leaves the record that another, about to be recorded, has found', async () => {
  const { inviter, recordsOf } = await account()
  const [added, found, refused] = [gate(), gate(), gate()]
  const first = inviter((step) => {
    if (step !== 'added') return
    added.open()
    return found.passed
  })('many@nile.example', ['WL_MODERATOR'])
  await added.passed
  const second = inviter((step) => {
    if (step !== 'added') return
    found.open()
    return refused.passed
  })('many@nile.example')
  expect(await refusalOf(first)).toBe(2)
  refused.open()
  const { personId } = await second
  expect(await recordsOf('many@nile.example')).toEqual([{ id: personId, deactivated: false }])
})

it('an invitation whose record is removed between being found and being used makes it again', async () => {
  const { inviter, recordsOf, place } = await account()
  await database.pool.query(
    `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, status_key, deactivated)
     values ('refused', $1, $2, '{USER_VIEWER}', '', '', 'again@nile.example', 2, true)`,
    [place.whitelabelId, place.spaceId],
  )
  const remover = await database.pool.connect()
  await remover.query(`begin`)
  await remover.query(`select 1 from identity.people where id = 'refused' for update`)
  const inviting = inviter(() => undefined)('again@nile.example')
  const waits = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await database.pool.query<{ n: number }>(waits)).rows[0]?.n).toBe(1)
  await remover.query(`delete from identity.people where id = 'refused'`)
  await remover.query(`commit`)
  remover.release()
  const { personId } = await inviting
  expect(personId).not.toBe('refused')
  expect(await recordsOf('again@nile.example')).toEqual([{ id: personId, deactivated: false }])
})

it('invitations that are refused leave no record behind, also of two at once', async () => {
  const { inviter, recordsOf, place } = await account()
  const invite = inviter(() => undefined)
  expect(await refusalOf(invite('none@nile.example', ['WL_MODERATOR']))).toBe(2)
  const both = Array.from({ length: 2 }, () => refusalOf(invite('none@nile.example', ['WL_MODERATOR'])))
  expect(await Promise.all(both)).toEqual([2, 2])
  expect(await recordsOf('none@nile.example')).toEqual([])

  await database.pool.query(
    `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, status_key)
     values ('guest', $1, 'another account', '{USER_OWNER}', '', '', 'guest@x.example', 5)`,
    [place.whitelabelId],
  )
  expect(await refusalOf(invite('guest@x.example', ['WL_MODERATOR']))).toBe(1400)
  expect(await refusalOf(invite('guest@x.example', []))).toBe(2)
  const { rows } = await database.pool.query(`select 1 from identity.memberships where person_id = 'guest'`)
  expect(rows).toEqual([])
})
