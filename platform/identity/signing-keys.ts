import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { ACCESS_SECONDS, type SigningKey, type SigningKeys } from '#commands/identity/tokens'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { openText, ROWS, sealText, type DataKey } from './data-key.ts'

/** How often a process reads the keys, milliseconds. */
const READ_EVERY_MS = 10_000
/** How long a new key is published before it signs, seconds: by then every process has read it. */
const ANNOUNCED_SECONDS = 30
/** How long a replaced key still verifies after the next one starts to sign, seconds: until its last token has expired. */
const OVERLAP_SECONDS = ACCESS_SECONDS + 60

const kidOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Keys from the environment: the first signs, all verify. */
export function givenKeys(keys: readonly Uint8Array[]): SigningKeys {
  const named = keys.map((key) => ({ kid: kidOf(Buffer.from(key).toString()), key }))
  const [first] = named
  if (first === undefined) throw new Error('at least one signing key is needed')
  return { signer: () => first, find: (kid) => named.find((one) => one.kid === kid)?.key ?? null }
}

type Stored = { readonly db: Kysely<Db>; readonly dataKey: DataKey }
type Row = { readonly kid: string; readonly key: string; readonly signs: boolean }

/**
 * Keys in PostgreSQL, created at the first start and read every ten seconds, so that a rotation reaches every process without a
 * restart.
 */
export async function storedKeys(
  { db, dataKey }: Stored,
  onError: (error: unknown) => void,
  readEveryMs = READ_EVERY_MS,
): Promise<SigningKeys & { readonly stop: () => void }> {
  const { kid, text } = newKey()
  // One of several processes that start at once creates the key: the table is locked until the key exists.
  await db.transaction().execute(async (tx) => {
    await sql`lock table app.signing_keys in exclusive mode`.execute(tx)
    await sql`
      insert into app.signing_keys (kid, key, signs_from) select ${kid}, ${sealText(dataKey, text, ROWS.signing(kid))}, now()
      where not exists (select 1 from app.signing_keys where verifies_until is null)`.execute(tx)
  })
  let keys = await readKeys({ db, dataKey })
  const timer = setInterval(() => {
    readKeys({ db, dataKey }).then((read) => {
      keys = read
    }, onError)
  }, readEveryMs)
  timer.unref()
  return {
    signer() {
      const signer = keys.find(({ signs }) => signs)
      if (signer === undefined) throw new Error('no signing key is valid')
      return signer
    },
    find: (kid) => keys.find((one) => one.kid === kid)?.key ?? null,
    stop: () => clearInterval(timer),
  }
}

async function readKeys({ db, dataKey }: Stored): Promise<readonly (SigningKey & { readonly signs: boolean })[]> {
  // The newest key that may already sign.
  const { rows } = await sql<Row>`
    select kid, key, signs_from = max(signs_from) filter (where signs_from <= now()) over () as signs
    from app.signing_keys where verifies_until is null or verifies_until > now()`.execute(db)
  return rows.map(({ kid, key, signs }) => ({
    kid,
    key: Buffer.from(openText(dataKey, key, ROWS.signing(kid)), 'base64url'),
    signs,
  }))
}

function newKey(): { readonly kid: string; readonly text: string } {
  const text = randomBytes(32).toString('base64url')
  return { kid: kidOf(text), text }
}

/**
 * Creates a new key and returns its id. It signs after half a minute, and the present keys verify for an hour more. If those are
 * `compromised`, it signs at once and they no longer verify: clients have to refresh their access tokens.
 */
export async function rotateKeys({ db, dataKey }: Stored, { compromised }: { readonly compromised: boolean }): Promise<string> {
  const { kid, text } = newKey()
  const announced = compromised ? 0 : ANNOUNCED_SECONDS
  const overlap = compromised ? 0 : ANNOUNCED_SECONDS + OVERLAP_SECONDS
  await db.transaction().execute(async (tx) => {
    await sql`lock table app.signing_keys in exclusive mode`.execute(tx)
    await tx.deleteFrom('app.signing_keys').where('verifies_until', '<=', NOW).execute()
    const until = sql`now() + make_interval(secs => ${overlap})`
    await tx
      .updateTable('app.signing_keys')
      .set((eb) => ({ verifies_until: sql`least(${eb.ref('verifies_until')}, ${until})` }))
      .execute()
    await tx
      .insertInto('app.signing_keys')
      .values({
        kid,
        key: sealText(dataKey, text, ROWS.signing(kid)),
        signs_from: sql`now() + make_interval(secs => ${announced})`,
      })
      .execute()
  })
  return kid
}
