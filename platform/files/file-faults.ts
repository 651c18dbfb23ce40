import type { Kysely } from 'kysely'
import { hash } from 'node:crypto'
import type { BlobStore } from '#commands/files/media'
import type { Db } from '#migrations/db'
import type { ArchiveEntry } from './stored-files.ts'

export type FileFault = { readonly file: string; readonly sha256: string; readonly message: string }

const FILES_AT_ONCE = 200

/**
 * Compares the bytes of every stored file, and of what an archive holds, with the hash and the length that its record has. Calls `onFile`
 * after each. Throws when the store is away.
 */
export async function* faultsOfFiles(
  db: Kysely<Db>,
  blobs: Pick<BlobStore, 'length' | 'range'>,
  onFile: () => void = () => undefined,
): AsyncGenerator<FileFault> {
  for (let after = ''; ;) {
    const files = db.selectFrom('app.files').select(['id', 'sha256', 'bytes', 'entries']).where('id', '>', after)
    const rows = await files.where('stored', '=', true).orderBy('id').limit(FILES_AT_ONCE).execute()
    for (const { id, sha256, bytes, entries } of rows) {
      after = id
      const held = Object.entries((entries ?? {}) as unknown as Readonly<Record<string, ArchiveEntry>>)
      for (const [name, one] of [['', { sha256, bytes }] as const, ...held]) {
        const fault = await faultOf(blobs, one)
        const shown = name === '' ? `file ${id}` : `${name} of file ${id}`
        if (fault !== null) yield { file: id, sha256: one.sha256, message: `${shown} ${fault}` }
      }
      onFile()
    }
    if (rows.length < FILES_AT_ONCE) return
  }
}

async function faultOf(
  blobs: Pick<BlobStore, 'length' | 'range'>,
  { sha256, bytes }: Pick<ArchiveEntry, 'sha256' | 'bytes'>,
): Promise<string | null> {
  const length = await blobs.length(sha256)
  if (length === null) return 'is missing in the file store'
  if (length !== bytes) return `has ${length} bytes instead of ${bytes}`
  const content = bytes === 0 ? Buffer.alloc(0) : await blobs.range(sha256, { from: 0, to: bytes - 1 })
  return hash('sha256', content) === sha256 ? null : 'has other bytes than its hash'
}
