import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Fact } from '#domain/delivery/batch'
import type { Db } from '#migrations/db'

/** Numbers that a process remembers of each kind, some tens of megabytes at most. */
const REMEMBERED = 200_000
const DIGEST_BYTES = 16

type Owner = Pick<Fact, 'campaign_id' | 'space_id' | 'whitelabel_id'>

export const digestOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, DIGEST_BYTES)

/** Numbers of texts and of owners, given once and kept for ever. */
export function createNumbers(db: Kysely<Db>) {
  const names = new Map<string, number>()
  const owners = new Map<string, number>()
  const keyOf = ({ campaign_id, space_id, whitelabel_id }: Owner) => `${campaign_id}\0${space_id}\0${whitelabel_id}`

  async function learnNames(missing: readonly string[]): Promise<void> {
    const byDigest = new Map(missing.map((name) => [digestOf(name).toString('hex'), name]))
    // In one order everywhere, so that processes that meet new names at once cannot deadlock.
    const digests = [...byDigest.keys()].toSorted()
    const find = async () => {
      const { rows } = await sql<{ readonly id: number; readonly digest: string }>`
        select id, encode(digest, 'hex') as digest from facts.names
        where digest in (select decode(d, 'hex') from unnest(${digests}::text[]) as d)`.execute(db)
      return rows
    }
    let found = await find()
    if (found.length < digests.length) {
      const known = new Set(found.map(({ digest }) => digest))
      const fresh = digests.filter((digest) => !known.has(digest))
      await sql`
        insert into facts.names (digest, name)
        select decode(digest, 'hex'), name
        from unnest(${fresh}::text[], ${fresh.map((digest) => byDigest.get(digest) ?? '')}::text[]) as t(digest, name)
        order by digest on conflict do nothing`.execute(db)
      found = await find()
    }
    for (const { id, digest } of found) names.set(byDigest.get(digest) ?? '', id)
  }

  async function learnOwners(missing: readonly Owner[]): Promise<void> {
    const of = (field: keyof Owner) => missing.map((owner) => owner[field])
    const asked = sql`unnest(${of('campaign_id')}::text[], ${of('space_id')}::text[], ${of('whitelabel_id')}::text[])
      as t(campaign_id, space_id, whitelabel_id)`
    const find = async () => {
      const { rows } = await sql<Owner & { readonly id: number }>`
        select id, campaign_id, space_id, whitelabel_id from facts.owners join ${asked} using (campaign_id, space_id, whitelabel_id)`.execute(
        db,
      )
      return rows
    }
    let found = await find()
    if (found.length < missing.length) {
      await sql`
        insert into facts.owners (campaign_id, space_id, whitelabel_id)
        select campaign_id, space_id, whitelabel_id from ${asked}
        where not exists (
          select from facts.owners o
          where (o.campaign_id, o.space_id, o.whitelabel_id) = (t.campaign_id, t.space_id, t.whitelabel_id)
        )
        order by 1, 2, 3 on conflict do nothing`.execute(db)
      found = await find()
    }
    for (const { id, ...owner } of found) owners.set(keyOf(owner), id)
  }

  const numberIn = (known: ReadonlyMap<string, number>, key: string): number => {
    const id = known.get(key)
    if (id === undefined) throw new Error('a text of a fact has no number')
    return id
  }

  return {
    /** Gives a number to every text and owner of these facts; both functions then know them. */
    async learn<Text extends string>(
      facts: readonly (Owner & { readonly [text in Text]: string })[],
      texts: readonly Text[],
    ): Promise<void> {
      if (names.size > REMEMBERED) names.clear()
      if (owners.size > REMEMBERED) owners.clear()
      const newNames = new Set<string>()
      const newOwners = new Map<string, Owner>()
      for (const fact of facts) {
        for (const text of texts) {
          const name: string = fact[text]
          if (!names.has(name)) newNames.add(name)
        }
        const key = keyOf(fact)
        if (!owners.has(key)) newOwners.set(key, fact)
      }
      if (newNames.size > 0) await learnNames([...newNames])
      if (newOwners.size > 0) await learnOwners([...newOwners.values()])
    },
    name: (name: string) => numberIn(names, name),
    owner: (owner: Owner) => numberIn(owners, keyOf(owner)),
  }
}
export type Numbers = ReturnType<typeof createNumbers>
