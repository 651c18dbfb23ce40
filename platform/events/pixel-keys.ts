import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Pixel, PixelChange, PixelKeys } from '#commands/events/events-port'
import type { Db } from '#migrations/db'

/** Pixels that a process keeps in memory, and for how long: a new key or setting counts everywhere within 5 s. */
const REMEMBERED = 10_000
const TRUST_MS = 4000

const newKey = (): string => `px_${randomBytes(12).toString('base64url')}`
const PIXEL = sql.raw('space_id as "spaceId", key, enabled, origins')

/** Pixel keys in PostgreSQL. */
export function createPixelKeys(db: Kysely<Db>): PixelKeys {
  const known = new Map<string, { readonly pixel: Pixel; readonly until: number }>()

  async function of(spaceId: string): Promise<Pixel> {
    await sql`
      insert into app.pixel_keys (space_id, key) values (${spaceId}, ${newKey()}) on conflict (space_id) do nothing`.execute(db)
    const { rows } = await sql<Pixel>`select ${PIXEL} from app.pixel_keys where space_id = ${spaceId}`.execute(db)
    const [pixel] = rows
    if (pixel === undefined) throw new Error(`the pixel key of ${spaceId} could not be created`)
    return pixel
  }

  return {
    of,

    async change(spaceId: string, { rotate, enabled, origins }: PixelChange): Promise<Pixel> {
      const { key: before } = await of(spaceId)
      const { rows } = await sql<Pixel>`
        update app.pixel_keys set
          key = case when ${rotate} then ${newKey()} else key end,
          enabled = coalesce(${enabled}::boolean, enabled),
          origins = coalesce(${origins === null ? null : [...origins]}::text[], origins)
        where space_id = ${spaceId} returning ${PIXEL}`.execute(db)
      known.delete(before)
      const [pixel] = rows
      if (pixel === undefined) throw new Error(`the pixel of ${spaceId} is missing`)
      return pixel
    },

    async withKey(key: string): Promise<Pixel | null> {
      const seen = known.get(key)
      if (seen !== undefined && seen.until > Date.now()) return seen.pixel
      const until = Date.now() + TRUST_MS
      const { rows } = await sql<Pixel>`select ${PIXEL} from app.pixel_keys where key = ${key}`.execute(db)
      const [pixel] = rows
      if (known.size >= REMEMBERED) known.clear()
      if (pixel === undefined) known.delete(key)
      else known.set(key, { pixel, until })
      return pixel ?? null
    },
  }
}
