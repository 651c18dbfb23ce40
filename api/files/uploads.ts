import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Place } from '../campaigns/caller.ts'
import { refused } from '../refused.ts'

export type Images = {
  /** What the bytes are; null unless they are a whole image of an offered format. */
  readonly inspect: (
    bytes: Buffer,
  ) => Promise<{ readonly contentType: string; readonly width: number; readonly height: number } | null>
  readonly resize: (
    bytes: Buffer,
    width: number,
    height: number,
  ) => Promise<{ readonly bytes: Buffer; readonly contentType: string }>
  /** An SVG as PNG. */
  readonly draw: (svg: string) => Promise<Buffer>
}
export type BlobStore = {
  readonly put: (sha256: string, bytes: Buffer) => Promise<void>
  readonly get: (sha256: string) => Promise<Buffer>
}

/** "Under" is exclusive (decisions §0). Bytes. */
export const IMAGE_LIMIT = 500_000
const SPACE_BYTES = 2 * 1024 ** 3
const SPACE_FILES = 10_000

export type FileRecord = {
  readonly id: string
  readonly sha256: string
  readonly bytes: number
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
}

export type UploadDeps = {
  readonly db: Kysely<never>
  readonly images: Images
  readonly blobs: BlobStore
  readonly newId: () => string
}
export type Upload = {
  readonly bytes: Buffer
  readonly name: string
  readonly width: number
  readonly height: number
  readonly place: Pick<Place, 'spaceId'>
  readonly userId: string
}

export const urlOf = (fileId: string): string => `/v1/file/cache/${fileId}`

/** Stored files: what is uploaded is judged by its content, and a refused upload leaves nothing behind. */
export function createUploads({ db, images, blobs, newId }: UploadDeps) {
  async function checkQuota(spaceId: string, more: number): Promise<void> {
    const { rows } = await sql<{ n: number; bytes: number }>`
      select count(*)::int as n, coalesce(sum(bytes), 0)::float8 as bytes from app.files where space_id = ${spaceId}`.execute(db)
    const used = rows[0]
    if (used !== undefined && (used.n >= SPACE_FILES || used.bytes + more > SPACE_BYTES))
      throw refused(181, [{ path: 'file', code: 181, message: 'The storage of this account is full' }])
  }

  return {
    async banner({ bytes, name, width, height, place, userId }: Upload) {
      if (bytes.length >= IMAGE_LIMIT)
        throw refused(8, [{ path: 'file', code: 8, message: 'Original image is too big, must be under 500000 bytes' }])
      const image = await images.inspect(bytes)
      if (image === null)
        throw refused(2, [{ path: 'file', code: 2, message: 'The file is not a valid image', key: 'notAnImage' }])
      const fits = image.width === width && image.height === height
      const larger = image.width >= width && image.height >= height && image.width * height === image.height * width
      if (!fits && !larger)
        throw refused(2, [
          {
            path: 'file',
            code: 2,
            message: `the banner dimensions should be ${width}x${height}`,
            key: 'bannerDimensions',
            params: { width, height },
          },
        ])
      const kept = fits ? { bytes, contentType: image.contentType } : await images.resize(bytes, width, height)
      await checkQuota(place.spaceId, kept.bytes.length)
      const sha256 = createHash('sha256').update(kept.bytes).digest('hex')
      await blobs.put(sha256, kept.bytes)
      const id = newId()
      await sql`
        insert into app.files (id, space_id, sha256, bytes, content_type, width, height, name, created_by)
        values (${id}, ${place.spaceId}, ${sha256}, ${kept.bytes.length}, ${kept.contentType}, ${width}, ${height}, ${name.slice(0, 300)}, ${userId})`.execute(
        db,
      )
      return { file_id: id, file_url: urlOf(id), width, height, size: kept.bytes.length, content_type: kept.contentType }
    },

    async find(id: string): Promise<FileRecord | null> {
      const { rows } =
        await sql<FileRecord>`select id, sha256, bytes, content_type, width, height from app.files where id = ${id}`.execute(db)
      return rows[0] ?? null
    },

    read: (record: FileRecord) => blobs.get(record.sha256),
    draw: images.draw,

    /** Those of the ids that name no file which the space may use: its own, one it was granted, or one its white-label's staff uploaded. */
    async missing(ids: readonly string[], spaceId: string): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from app.files f where id = any(${[...ids]}) and (space_id = ${spaceId}
          or exists (select 1 from app.file_grants g where g.file_id = f.id and g.space_id = ${spaceId})
          or exists (select 1 from rm_accounts h join rm_accounts a on a.whitelabel_id = h.whitelabel_id
                     where h.house and h.space_id = f.space_id and a.space_id = ${spaceId}))`.execute(db)
      const known = new Set(rows.map(({ id }) => id))
      return new Set(ids.filter((id) => !known.has(id)))
    },

    /** Lets a space use files of another: a replicate into another account takes its pictures along. */
    async grant(ids: readonly string[], spaceId: string): Promise<void> {
      if (ids.length === 0) return
      await sql`
        insert into app.file_grants (file_id, space_id) select id, ${spaceId} from app.files where id = any(${[...ids]})
        on conflict do nothing`.execute(db)
    },
  }
}
export type Uploads = ReturnType<typeof createUploads>
