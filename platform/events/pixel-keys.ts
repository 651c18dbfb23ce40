import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Pixel, PixelChange, PixelKeys } from '#commands/events/events-port'
import type { Db } from '#migrations/db'

/** Pixels that a process keeps in memory, and for how long: a new key or setting counts everywhere within 5 s. */
const REMEMBERED = 10_000
const TRUST_MS = 4000

const newKey = (): string => `px_${randomBytes(12).toString('base64url')}`
const PIXEL = ['space_id as spaceId', 'key', 'enabled', 'origins'] as const

/** Pixel keys in PostgreSQL. */
export function createPixelKeys(db: Kysely<Db>): PixelKeys {
  const known = new Map<string, { readonly pixel: Pixel; readonly until: number }>()

  async function of(spaceId: string): Promise<Pixel> {
    await db
      .insertInto('app.pixel_keys')
      .values({ space_id: spaceId, key: newKey() })
      .onConflict((conflict) => conflict.column('space_id').doNothing())
      .execute()
    const pixel = await db.selectFrom('app.pixel_keys').select(PIXEL).where('space_id', '=', spaceId).executeTakeFirst()
    if (pixel === undefined) throw new Error(`the pixel key of ${spaceId} could not be created`)
    return pixel
  }

  return {
    of,

    async change(spaceId: string, { rotate, enabled, origins }: PixelChange): Promise<Pixel> {
      const { key: before } = await of(spaceId)
      const pixel = await db
        .updateTable('app.pixel_keys')
        .set((eb) => ({
          key: rotate ? newKey() : eb.ref('key'),
          enabled: enabled ?? eb.ref('enabled'),
          origins: origins === null ? eb.ref('origins') : [...origins],
        }))
        .where('space_id', '=', spaceId)
        .returning(PIXEL)
        .executeTakeFirst()
      known.delete(before)
      if (pixel === undefined) throw new Error(`the pixel of ${spaceId} is missing`)
      return pixel
    },

    async withKey(key: string): Promise<Pixel | null> {
      const seen = known.get(key)
      if (seen !== undefined && seen.until > Date.now()) return seen.pixel
      const until = Date.now() + TRUST_MS
      const pixel = await db.selectFrom('app.pixel_keys').select(PIXEL).where('key', '=', key).executeTakeFirst()
      if (known.size >= REMEMBERED) known.clear()
      if (pixel === undefined) known.delete(key)
      else known.set(key, { pixel, until })
      return pixel ?? null
    },
  }
}
