import type { Needs } from '#api/areas/services'

/** Largest logo on a document, pixels: sharp on paper at a third of the size. */
const BOX = { width: 540, height: 132 }
/** Logos kept in memory: each is small, and many documents are made at once. */
const REMEMBERED = 50

const known = new Map<string, Promise<Uint8Array | null>>()

/** The logo of a white-label as a PNG for documents; null without one. Rejects while files are away, so that a mail waits. */
export async function logoOf(
  { files, media, whiteLabels }: Needs<'files' | 'media' | 'whiteLabels'>,
  whitelabelId: string,
): Promise<Uint8Array | null> {
  const id = whiteLabels.find(whitelabelId)?.logo_file_id ?? null
  const file = id === null ? null : await files.find(id)
  if (file === null) return null
  const kept = known.get(file.sha256)
  if (kept !== undefined) return kept
  const made = files.read(file).then((bytes) => media.images.flat(bytes, BOX))
  if (known.size >= REMEMBERED) known.clear()
  known.set(file.sha256, made)
  made.catch(() => known.delete(file.sha256))
  return made
}
