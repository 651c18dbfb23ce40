import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { ConfigFault } from '#commands/config-fault'
import type { Db } from '#migrations/db'

/**
 * Keys that the product makes are stored sealed under a key outside the database (fine print 88), so that a copy of the database alone opens
 * nothing: AES-256-GCM, bound to the row. Without such a key they are stored as they are.
 */
export type DataKey = {
  /** Names the key that seals; null for none. */
  readonly id: Buffer | null
  /** `row` names where it is stored. */
  readonly seal: (key: Uint8Array, row: string) => Buffer
  /** Throws a ConfigFault for what was sealed under a key that is not there. */
  readonly open: (stored: Uint8Array, row: string) => Buffer
}

const MAGIC = Buffer.from('pdk1')
const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = MAGIC.length + ID_BYTES + NONCE_BYTES
const ALGORITHM = 'aes-256-gcm'
const SEALED_TEXT = 'sealed.'
const AT_ONCE = 500

const idOf = (key: Uint8Array): Buffer =>
  createHash('sha256').update('placard data key').update(key).digest().subarray(0, ID_BYTES)

/** The first key seals, all open. */
export function createDataKey(keys: readonly Uint8Array[]): DataKey {
  const named = keys.map((key) => ({ id: idOf(key), key }))
  const [first] = named
  return {
    id: first?.id ?? null,

    seal(key, row) {
      if (first === undefined) return Buffer.from(key)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, first.key, nonce).setAAD(Buffer.from(row))
      const sealed = Buffer.concat([cipher.update(key), cipher.final()])
      return Buffer.concat([MAGIC, first.id, nonce, sealed, cipher.getAuthTag()])
    },

    open(stored, row) {
      const bytes = Buffer.from(stored)
      if (!isSealed(bytes)) return bytes
      const id = bytes.subarray(MAGIC.length, MAGIC.length + ID_BYTES)
      const found = named.find((one) => one.id.equals(id))
      if (found === undefined)
        throw new ConfigFault(
          `PLACARD_DATA_KEY: ${row} is sealed under the key ${id.toString('hex')}, which is not among the ${named.length} given`,
        )
      const nonce = bytes.subarray(MAGIC.length + ID_BYTES, HEAD_BYTES)
      const cipher = createDecipheriv(ALGORITHM, found.key, nonce).setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([cipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), cipher.final()])
    },
  }
}

/** Keys are 32 bytes as they are: what is longer and begins so is sealed. */
const isSealed = (bytes: Buffer): boolean =>
  bytes.length > HEAD_BYTES + TAG_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)

/** A secret that is a text, as stored. */
export const sealText = ({ id, seal }: DataKey, text: string, row: string): string =>
  id === null ? text : SEALED_TEXT + seal(Buffer.from(text), row).toString('base64url')

export const openText = ({ open }: DataKey, stored: string, row: string): string =>
  stored.startsWith(SEALED_TEXT) ? open(Buffer.from(stored.slice(SEALED_TEXT.length), 'base64url'), row).toString() : stored

export const ROWS = {
  secret: (name: string) => `app.secrets ${name}`,
  signing: (kid: string) => `app.signing_keys ${kid}`,
  person: (id: string) => `identity.person_keys ${id}`,
} as const

/** Seals what is stored under the present key: what was stored before there was one, and what an earlier key sealed. */
export async function sealStored(db: Kysely<Db>, dataKey: DataKey): Promise<void> {
  const { id, seal, open } = dataKey
  if (id === null) return
  await db.transaction().execute(async (tx) => {
    // Of processes that start at once, the second finds everything sealed.
    await sql`lock table app.secrets, app.signing_keys in exclusive mode`.execute(tx)
    for (const { name, value } of await tx.selectFrom('app.secrets').select(['name', 'value']).execute()) {
      const next = sealText(dataKey, openText(dataKey, value, ROWS.secret(name)), ROWS.secret(name))
      await tx.updateTable('app.secrets').set({ value: next }).where('name', '=', name).execute()
    }
    for (const { kid, key } of await tx.selectFrom('app.signing_keys').select(['kid', 'key']).execute()) {
      const next = sealText(dataKey, openText(dataKey, key, ROWS.signing(kid)), ROWS.signing(kid))
      await tx.updateTable('app.signing_keys').set({ key: next }).where('kid', '=', kid).execute()
    }
  })
  for (;;) if ((await sealPeople()) < AT_ONCE) return

  async function sealPeople(): Promise<number> {
    return db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ readonly person_id: string; readonly key: Buffer }>`
        select person_id, key from identity.person_keys
        where key is not null and substring(key from 1 for ${MAGIC.length + ID_BYTES}) <> ${Buffer.concat([MAGIC, id ?? MAGIC])}
        order by person_id limit ${AT_ONCE} for update`.execute(tx)
      for (const { person_id, key } of rows)
        await tx
          .updateTable('identity.person_keys')
          .set({ key: seal(open(key, ROWS.person(person_id)), ROWS.person(person_id)) })
          .where('person_id', '=', person_id)
          .execute()
      return rows.length
    })
  }
}
