import { randomBytes } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { COSIGN } from '#commands/audit/witnesses'
import type { CosignedHead, ListedKey, LogFigures, LogHeadStore, NoteSigner, WitnessStore } from '#commands/audit/log-port'
import { PUBLISH } from '#commands/audit/publish-head'
import { isoText, NOW } from '#eventstore/postgres/expressions'
import { storeWithJob } from '#platform/jobs/job-queue'
import type { Db } from '#migrations/db'

/** How long a replaced key signs beside the new one, so that witnesses and auditors have time to learn that. */
const OVERLAP_DAYS = 30
const SEED_BYTES = 32

/** Makes a signer of a name and the bytes of a private key. */
export type MakeSigner = (name: string, seed: Uint8Array) => NoteSigner

export type LogKeysDeps = {
  readonly makeSigner: MakeSigner
  /** Keys from the environment: all sign. Empty: keys that are generated and kept in PostgreSQL. */
  readonly given: readonly Uint8Array[]
}

export function createLogHeadStore(db: Kysely<Db>, { makeSigner, given }: LogKeysDeps): LogHeadStore {
  const headsWhere = async (where: RawBuilder<unknown>): Promise<readonly CosignedHead[]> => {
    const { rows } = await sql<Omit<CosignedHead, 'size'> & { readonly size: bigint }>`
      select h.size, h.root, h.note, extract(epoch from now() - h.current_at)::float8 as age,
        array(select c.line from app.log_cosignatures c where c.size = h.size order by c.witness) as cosignatures
      from app.log_heads h ${where}`.execute(db)
    return rows.map((head) => ({ ...head, size: Number(head.size) }))
  }
  const find = async (where: RawBuilder<unknown>): Promise<CosignedHead | null> => (await headsWhere(where))[0] ?? null

  return {
    newest: () => find(sql`order by h.size desc limit 1`),
    ofSize: (size) => find(sql`where h.size = ${size}`),
    listed: (after, most) => headsWhere(sql`where h.size > ${after} order by h.size limit ${most}`),

    add: ({ size, root, note }, witnesses) =>
      db.transaction().execute(async (tx) => {
        await storeWithJob(
          tx,
          sql`insert into app.log_heads as h (size, root, note) values (${size}, ${root}, ${note})
            on conflict (size) do update set note = excluded.note where h.note <> excluded.note
            returning h.size::text as key`,
          { kind: PUBLISH, payload: { size: String(size) } },
        )
        await tx.updateTable('app.log_heads').set({ current_at: NOW }).where('size', '=', BigInt(size)).execute()
        // Also for the same head: a new cosignature says that no larger one was seen since.
        for (const witness of witnesses) {
          const payload = { size: String(size), witness }
          await storeWithJob(tx, sql`select ${`${size} ${witness}`}::text as key`, { kind: COSIGN, payload })
        }
      }),

    async signers(origin) {
      if (given.length > 0) {
        const signers = given.map((seed) => makeSigner(origin, seed))
        for (const { verifierKey } of signers) await list(db, verifierKey, null)
        return signers
      }
      const stored = await secrets(db)
      if (stored.length > 0) return stored.map((seed) => makeSigner(origin, seed))
      return db.transaction().execute(async (tx) => {
        // One of several signers at once makes the key ("names the origin once, and signs by one key with several processes").
        await sql`lock table app.log_keys in exclusive mode`.execute(tx)
        const made = await secrets(tx)
        if (made.length > 0) return made.map((seed) => makeSigner(origin, seed))
        const seed = randomBytes(SEED_BYTES)
        const signer = makeSigner(origin, seed)
        await list(tx, signer.verifierKey, seed)
        return [signer]
      })
    },

    async keys() {
      const rows = await db
        .selectFrom('app.log_keys')
        .select((eb) => [
          'verifier_key',
          isoText(eb.ref('created_at')).as('created_at'),
          isoText(eb.ref('signs_until')).as('signs_until'),
          sql<boolean>`secret is not null and (signs_until is null or signs_until > now())`.as('signs'),
        ])
        .orderBy('created_at')
        .orderBy('verifier_key')
        .execute()
      return rows.map((row): ListedKey => ({ ...row, signs: given.length === 0 ? row.signs : isGiven(row.verifier_key) }))
    },
  }

  function isGiven(verifierKey: string): boolean {
    const name = verifierKey.slice(0, verifierKey.indexOf('+'))
    return given.some((seed) => makeSigner(name, seed).verifierKey === verifierKey)
  }
}

/** Keys that sign, the oldest first. */
async function secrets(on: Kysely<Db>): Promise<readonly Buffer[]> {
  const rows = await on
    .selectFrom('app.log_keys')
    .select('secret')
    .where('secret', 'is not', null)
    .where((eb) => eb.or([eb('signs_until', 'is', null), eb('signs_until', '>', NOW)]))
    .orderBy('created_at')
    .orderBy('verifier_key')
    .execute()
  return rows.flatMap(({ secret }) => (secret === null ? [] : [secret]))
}

const list = (on: Kysely<Db>, verifierKey: string, secret: Buffer | null): Promise<unknown> =>
  on
    .insertInto('app.log_keys')
    .values({ verifier_key: verifierKey, secret })
    .onConflict((conflict) => conflict.column('verifier_key').doNothing())
    .execute()

/**
 * Creates a key that signs heads from now on, and returns it for verifiers. Earlier keys sign beside it for 30 days, or, when they are
 * `compromised`, no longer; they stay listed, since they signed the heads of their time.
 */
export async function rotateLogKey(
  db: Kysely<Db>,
  { makeSigner, origin, compromised }: { makeSigner: MakeSigner; origin: string; compromised: boolean },
): Promise<string> {
  const seed = randomBytes(SEED_BYTES)
  const { verifierKey } = makeSigner(origin, seed)
  await db.transaction().execute(async (tx) => {
    await sql`lock table app.log_keys in exclusive mode`.execute(tx)
    const until = sql`now() + make_interval(days => ${compromised ? 0 : OVERLAP_DAYS})`
    await tx
      .updateTable('app.log_keys')
      .set((eb) => ({ signs_until: sql`least(${eb.ref('signs_until')}, ${until})` }))
      .execute()
    await list(tx, verifierKey, seed)
  })
  return verifierKey
}

export function createWitnessStore(db: Kysely<Db>): WitnessStore {
  const save = (on: Kysely<Db>, name: string, set: { size?: number; error?: string | null; cosigned?: boolean }) =>
    sql`
      insert into app.log_witnesses as w (name, size, error, failing_since, cosigned_at)
      values (${name}, ${set.size ?? 0}, ${set.error ?? null}, ${set.error == null ? null : NOW}, ${set.cosigned === true ? NOW : null})
      on conflict (name) do update set size = coalesce(${set.size ?? null}::bigint, w.size), error = excluded.error,
        failing_since = case when excluded.error is null then null else coalesce(w.failing_since, now()) end,
        cosigned_at = coalesce(excluded.cosigned_at, w.cosigned_at)`.execute(on)

  return {
    async sizeOf(name) {
      const row = await db.selectFrom('app.log_witnesses').select('size').where('name', '=', name).executeTakeFirst()
      return Number(row?.size ?? 0n)
    },
    async knows(name, size) {
      await save(db, name, { size })
    },
    async failed(name, error) {
      await save(db, name, { error })
    },
    cosigned: (name, size, line) =>
      db.transaction().execute(async (tx) => {
        await save(tx, name, { size, cosigned: true })
        await storeWithJob(
          tx,
          sql`insert into app.log_cosignatures (size, witness, line) values (${size}, ${name}, ${line})
            on conflict (size, witness) do update set line = excluded.line, received_at = now()
            returning size || ' ' || witness as key`,
          { kind: PUBLISH, payload: { size: String(size) } },
        )
      }),
  }
}

/** Figures of the log for /metrics. */
export async function logFigures(db: Kysely<Db>, witnesses: readonly string[]): Promise<LogFigures> {
  const { rows } = await sql<{ size: bigint | null; age: number | null; fault: boolean; failing: readonly string[] }>`
    select (select size from app.log_tree) as size,
      (select extract(epoch from now() - current_at)::float8 from app.log_heads order by size desc limit 1) as age,
      exists (select from app.log_tree where fault is not null) as fault,
      array(select name from app.log_witnesses where failing_since is not null) as failing`.execute(db)
  const { size = null, age = null, fault = false, failing = [] } = rows[0] ?? {}
  return {
    size: Number(size ?? 0n),
    headAge: age,
    fault,
    witnesses: witnesses.map((name) => ({ name, failing: failing.includes(name) })),
  }
}
