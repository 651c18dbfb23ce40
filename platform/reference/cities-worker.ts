import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, basename, join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { cityRows } from './city-rows.ts'

/** Longer than any preparation takes: a temporary folder this old belongs to a process that was killed. */
const ABANDONED_MS = 10 * 60_000

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
    // The rename that publishes the folder may outlive a power cut, so the files must be on the disk before it.
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const path = join(folder, name)
    const changed = await stat(path).catch(() => null)
    if (changed && Date.now() - changed.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

async function publish(temporary: string, target: string): Promise<void> {
  try {
    await rename(temporary, target)
  } catch (error) {
    // Another process was first with the same cities.
    if (!(await stat(target).catch(() => null))) throw error
  }
}

/** Writes one file per country beside the target and puts them in place all at once. */
async function prepare(target: string): Promise<void> {
  const folder = dirname(target)
  const prefix = `.${basename(target)}.`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder, prefix)
  const temporary = join(folder, prefix + randomBytes(6).toString('hex'))
  await mkdir(temporary, { mode: 0o700 })
  try {
    await Promise.all(
      Array.from(cityRows(), ([country, rows]) => writeDurably(join(temporary, `${country}.json`), JSON.stringify(rows))),
    )
    await publish(temporary, target)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

await prepare(String(workerData))
