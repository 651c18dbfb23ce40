// Lists the packages that are shipped, with their licences, in dist/licences.json: those that the server runs with, from the lock, and
// those that the application is bundled from, as vite names them.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundled = join(root, 'dist/web/licences.json')
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const FOLDER = 'node_modules/'

/** The licence in the package itself, where the lock has none. */
function licenceIn(path) {
  try {
    const { license, licenses } = read(join(root, path, 'package.json'))
    return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? null
  } catch {
    // Belongs to another platform, and is not installed here.
    return null
  }
}

const server = Object.entries(read(join(root, 'package-lock.json')).packages)
  .filter(([path, { dev }]) => path.startsWith(FOLDER) && dev !== true)
  .map(([path, { name, version, license }]) => ({
    name: name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
    version,
    licence: license ?? licenceIn(path),
  }))
const web = read(bundled).map(({ name, version, identifier }) => ({ name, version, licence: identifier ?? null }))
rmSync(bundled)

const all = new Map([...server, ...web].map((one) => [`${one.name}@${one.version}`, one]))
const sorted = [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
writeFileSync(join(root, 'dist/licences.json'), `${JSON.stringify(sorted, null, 1)}\n`)
