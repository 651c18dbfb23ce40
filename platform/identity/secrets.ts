import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { openText, ROWS, sealText, type DataKey } from './data-key.ts'

/**
 * A secret by name, created once and shared by every process on the database (fine print 21): concurrent creators read the
 * first one's value.
 */
export async function sharedSecret(
  { db, dataKey }: { readonly db: Kysely<Db>; readonly dataKey: DataKey },
  name: string,
  given: string | null = null,
): Promise<string> {
  if (given !== null) return given
  const made = randomBytes(32).toString('base64url')
  await db
    .insertInto('app.secrets')
    .values({ name, value: sealText(dataKey, made, ROWS.secret(name)) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const secret = await db.selectFrom('app.secrets').select('value').where('name', '=', name).executeTakeFirst()
  if (secret === undefined) throw new Error(`secret ${name} could not be created`)
  return openText(dataKey, secret.value, ROWS.secret(name))
}
