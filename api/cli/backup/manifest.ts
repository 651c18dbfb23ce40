import { text } from 'node:stream/consumers'
import { z } from '#contract/zod'
import type { Place } from '#platform/backup/place'

/** Beside the tables of a backup; written last. */
export const MANIFEST = 'manifest.json'

const name = z.string().check(z.regex(/^[a-z_]+\.[a-z0-9_]+$/))
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

const manifest = z.object({
  /** Format of this description. */
  format: z.literal(1),
  /** The build that wrote it. */
  version: z.string(),
  /** When the snapshot was taken, ISO 8601 UTC. */
  at: z.string(),
  migrations: z.array(z.string()),
  /** In the order in which they are restored. */
  tables: z.array(
    z.object({ name, columns: z.array(z.string()), rows: z.number(), file: z.string().check(z.regex(/^[a-z0-9_.]+$/)), sha256 }),
  ),
  partitions: z.array(
    z.object({ name, parent: name, bound: z.string().check(z.regex(/^FOR VALUES FROM \('[^'()]*'\) TO \('[^'()]*'\)$/)) }),
  ),
  /** Stored files by their hash; their bytes are in the folder `files` of all backups. */
  files: z.array(sha256),
  log: z.object({ events: z.number(), head: z.nullable(z.string()) }),
})
export type Manifest = z.output<typeof manifest>

/** Reads the manifest of a backup. Throws with one line for one that is none, or one of another build. */
export async function readManifest(place: Place, backup: string): Promise<Manifest> {
  const address = place.addressOf(backup)
  const source = await place.read(`${backup}/${MANIFEST}`)
  if (source === null) throw new Error(`${address} is no whole backup: it has no ${MANIFEST}`)
  const found = manifest.safeParse(parsed(await text(source)))
  if (!found.success) throw new Error(`the ${MANIFEST} of ${address} is damaged, or of a build that this one does not know`)
  return found.data
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
