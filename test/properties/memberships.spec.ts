import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createTeam } from '#commands/identity/team'
import { createTokens } from '#commands/identity/tokens'
import { Refused } from '#commands/refused'
import { accountStream } from '#domain/account/account'
import { systemContext } from '#domain/kit/event-metadata'
import type { Role } from '#domain/kit/access'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createKysely } from '#platform/database/pool'
import { accessOf } from '#platform/identity/account-access'
import { createPeople } from '#platform/identity/people'
import { createSessions } from '#platform/identity/sessions'
import { givenKeys } from '#platform/identity/signing-keys'
import { createTeamStore } from '#platform/identity/team-store'
import { derivedId, newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { expectSame, limit, runs } from '../support/properties.ts'

/** Each person by name, with the account that is their home. */
const HOMES = { ada: 'a', ann: 'a', bea: 'b', ben: 'b' } as const
type Name = keyof typeof HOMES
type Space = 'a' | 'b'
const NAMES = Object.keys(HOMES) as Name[]
const SPACES: readonly Space[] = ['a', 'b']
const ROLES: readonly Role[] = ['USER_OWNER', 'USER_VIEWER', 'ACCOUNTANT']

const step: fc.Arbitrary<Step> = fc.record({
  space: fc.constantFrom(...SPACES),
  by: fc.constantFrom(...NAMES),
  who: fc.constantFrom(...NAMES),
  act: fc.constantFrom(
    'invite',
    'join',
    'admit',
    'admit',
    'withdraw',
    'roles',
    'deactivate',
    'deactivate',
    'reactivate',
    'handOver',
  ),
  role: fc.constantFrom(...ROLES),
})
type Step = {
  readonly space: Space
  readonly by: Name
  readonly who: Name
  /** admit: an invitation that is accepted at once. */
  readonly act: 'invite' | 'admit' | 'roles' | keyof typeof ACTS
  readonly role: Role
}
const ACTS = {
  join: 'JoinTeam',
  withdraw: 'WithdrawInvitation',
  deactivate: 'DeactivatePerson',
  reactivate: 'ReactivatePerson',
  handOver: 'HandOver',
} as const

const rolesAtFirst = (id: string): Role[] => [/^(ada|bea) /.test(id) ? 'USER_OWNER' : 'ACCOUNTANT']

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Two accounts with two people each, and everything that decides on who may act where. */
async function world() {
  const db = createKysely(database.pool)
  const run = newId()
  const store = createMemoryEventStore()
  const now = () => new Date().toISOString()
  const handle = createHandler({ store, now, eventId: (command, n) => derivedId('event', command, String(n)) })
  const accounts = createAccountCommands(handle)
  const people = createPeople(db, { demo: false })
  const sessions = createSessions({
    db,
    tokens: createTokens(givenKeys([Buffer.alloc(32, 7)]), Date.now),
    now,
    newId,
    demo: false,
    recordEnd: async () => undefined,
    idleLimitOf: () => null,
    isOutside: () => false,
  })
  const team = createTeam({ accounts, store: createTeamStore(db), newId, derivedId, now })
  const idOf = (name: Name) => `${name} ${run}`
  const spaceOf = (space: Space) => `${space} ${run}`
  for (const space of SPACES)
    await accounts.execute(spaceOf(space), systemContext('test', newId()), {
      type: 'OpenAccount',
      spaceId: spaceOf(space),
      whitelabelId: run,
      name: space,
      currency: 'USD',
      house: false,
    })
  for (const name of NAMES)
    await database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email) values ($1, $2, $3, $4, '', '', $5)`,
      [idOf(name), run, spaceOf(HOMES[name]), rolesAtFirst(idOf(name)), `${name}@x.example`],
    )
  return { db, run, store, accounts, people, sessions, team, idOf, spaceOf }
}
type World = Awaited<ReturnType<typeof world>>

/** Does a step, unless it is refused. */
async function attempt(here: World, { space, by, who, act, role }: Step): Promise<void> {
  const { team, run, idOf, spaceOf } = here
  const actor = idOf(act === 'join' ? who : by)
  const asker = { context: { ...systemContext('test', newId()), actor }, byAdministrator: false }
  const place = { spaceId: spaceOf(space), whitelabelId: run, name: space }
  const invitee = { email: `${who}@x.example`, first_name: '', last_name: '', roles: [role] }
  try {
    if (act === 'admit') {
      await team.invite(place, asker, invitee)
      await attempt(here, { space, by, who, act: 'join', role })
    } else if (act === 'invite') await team.invite(place, asker, invitee)
    else if (act === 'roles') await team.change(place.spaceId, asker, { type: 'ChangeRoles', personId: idOf(who), roles: [role] })
    else await team.change(place.spaceId, asker, { type: ACTS[act], personId: idOf(who) })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}

/** People in an account with their roles, by the events of its stream alone. */
async function told({ store, idOf, spaceOf }: World, space: Space): Promise<Map<string, readonly Role[]>> {
  const home = NAMES.filter((name) => HOMES[name] === space).map(idOf)
  const inside = new Set<string>(home)
  const roles = new Map<string, readonly Role[]>(home.map((id) => [id, rolesAtFirst(id)]))
  for (const { type, data } of await store.readStream(accountStream(spaceOf(space)))) {
    const event: { person_id: string; roles: readonly Role[]; to: readonly Role[] } = JSON.parse(data)
    if (type === 'PersonInvited') roles.set(event.person_id, event.roles)
    if (type === 'PersonRolesChanged') roles.set(event.person_id, event.to)
    if (type === 'PersonJoined' || type === 'PersonReactivated') inside.add(event.person_id)
    if (type === 'PersonDeactivated') inside.delete(event.person_id)
  }
  return new Map([...inside].map((id) => [id, roles.get(id) ?? []]))
}

const familyIn = (token: string): string => String(JSON.parse(atob(token.split('.')[1] ?? '')).sid)

it(
  'no order of invitations, removals and hand-overs leaves an account without an owner or a removed person with a way in',
  async () => {
    const reached = { inBoth: 0, homeless: 0, moved: 0, lost: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
        const here = await world()
        const { db, people, sessions, idOf, spaceOf } = here
        /** Sessions by id, and whose they are. */
        const begun = new Map<string, string>()
        for (const one of steps) {
          await attempt(here, one)
          const inside = { a: await told(here, 'a'), b: await told(here, 'b') }
          for (const space of SPACES)
            expect([...inside[space].values()].flat().includes('USER_OWNER'), `an owner of ${space}`).toBe(true)
          const expected = (id: string) =>
            new Map(SPACES.flatMap((space) => (inside[space].has(id) ? [[spaceOf(space), inside[space].get(id)] as const] : [])))
          for (const name of NAMES) {
            const own = await accessOf(db, idOf(name))
            expectSame(new Map(own.map(({ space_id, roles }) => [space_id, roles])), expected(idOf(name)))
            expectSame((await people.entering(idOf(name))) === null, own.length === 0)
            if (own.length === 2) reached.inBoth++
            if (own[0]?.home === false) reached.homeless++
          }
          // No session acts where its user is none of the people, or with other roles than theirs.
          const living = await sessions.living([...begun.keys()])
          for (const [id, { account, roles }] of living) expectSame(expected(begun.get(id) ?? '').get(account), roles)
          if (living.size < begun.size) reached.lost++
          const person = await people.entering(idOf(one.who))
          if (person === null) continue
          const signed = await sessions.signIn(person, undefined, { spaceId: spaceOf(one.space) })
          if (signed.space_id !== person.home_space_id) reached.moved++
          begun.set(familyIn(signed.access_token), person.id)
        }
      }),
      { endOnFailure: true, numRuns: runs(25) },
    )
    // Otherwise the steps would not lead anywhere.
    for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(20)
  },
  limit(),
)
