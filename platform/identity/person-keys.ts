import { randomBytes } from 'node:crypto'
import type { PersonKeys } from '#commands/identity/personal-data'
import type { Kysely } from 'kysely'
import { createBatchedReads } from '#eventstore/batched-reads'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { ROWS, type DataKey } from './data-key.ts'

/** Keys of persons in PostgreSQL, shared by every process at once: nothing is kept in memory. */
export function createPersonKeys({ db, dataKey }: { readonly db: Kysely<Db>; readonly dataKey: DataKey }): PersonKeys {
  // Every save of a user's test devices requests the same key: concurrent requests share one read.
  const keyOf = createBatchedReads<string, Uint8Array | null>({
    lanes: 2,
    most: 256,
    load: async (people) => {
      const rows = await db
        .selectFrom('identity.person_keys')
        .select(['person_id', 'key'])
        .where('person_id', '=', anyOf(new Set(people)))
        .execute()
      const found = new Map(
        rows.map(({ person_id, key }) => [person_id, key === null ? null : dataKey.open(key, ROWS.person(person_id))]),
      )
      return people.map((person) => found.get(person) ?? null)
    },
  })

  async function keysOf(people: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = await Promise.all(people.map(async (person) => [person, await keyOf(person)] as const))
    return new Map(keys.flatMap(([person, key]) => (key === null ? [] : [[person, key] as const])))
  }

  return {
    keysOf,

    async keyFor(person) {
      const known = (await keysOf([person])).get(person)
      if (known !== undefined) return known
      // One of two processes that make the first key at once waits here for the other, writes nothing and reads the other's
      // ("keys of users are created once when two processes create the first key concurrently"). The row of an erased person
      // blocks a new key permanently.
      await db
        .insertInto('identity.person_keys')
        .values({ person_id: person, key: dataKey.seal(randomBytes(32), ROWS.person(person)) })
        .onConflict((conflict) => conflict.column('person_id').doNothing())
        .execute()
      return (await keysOf([person])).get(person) ?? null
    },
  }
}
