import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '#contract/zod'

/** Beside the files of a base backup; written last. */
export const BASE_MANIFEST = 'base.json'
/** All files of the data folder, compressed. */
export const BASE_DATA = 'data.gz'

/** Never leads out of the data folder. */
const name = z.string().check(z.regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/))

const manifest = z.object({
  /** Format of this description. */
  format: z.literal(1),
  /** The build that wrote it. */
  version: z.string(),
  /** From here on the archive leads to any instant, ISO 8601 UTC. */
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  /** The first segment of WAL that a restore reads. */
  segment: z.string().check(z.regex(/^[0-9A-F]{24}$/)),
  folders: z.array(name),
  /** Files of the data folder, in the order of their bytes in `data.gz`. */
  files: z.array(z.object({ name, size: z.number().check(z.int(), z.gte(0)) })),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** The file backup_label of a restored data folder. */
  label: z.string(),
  /** The password of the embedded database. */
  secret: z.string(),
})
export type BaseManifest = z.output<typeof manifest>

export type Base = { readonly name: string; readonly manifest: BaseManifest }

/** The whole base backups of an archive, the oldest first. */
export async function basesIn(folder: string): Promise<readonly Base[]> {
  const names = await readdir(folder).catch(() => [])
  const read = names
    .filter((one) => !one.endsWith('.partial'))
    .map(async (one) => ({ name: one, manifest: await readBase(folder, one) }))
  const bases = (await Promise.all(read)).flatMap(({ name: one, manifest: found }) =>
    found === null ? [] : [{ name: one, manifest: found }],
  )
  return bases.toSorted((a, b) => (a.manifest.at < b.manifest.at ? -1 : 1))
}

/** Null for a folder that is no whole base backup. */
async function readBase(folder: string, base: string): Promise<BaseManifest | null> {
  try {
    const found = manifest.safeParse(JSON.parse(await readFile(join(folder, base, BASE_MANIFEST), 'utf8')))
    return found.success ? found.data : null
  } catch {
    return null
  }
}
