import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/product-process.ts'

const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const withoutComments = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
const sources = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /(?<!\.spec)\.ts$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )

const TABLES = [...text('migrations/db.ts').matchAll(/'((?:app|identity)\.[a-z_]+)':/g)].map(([, table = '']) => table)

/** The plumbing of HTTP: stored answers, and limits. */
const PLUMBING = { 'app.answers': 'limits', 'app.reservations': 'limits' }

/** The subject of each table, by the area that declares it. */
const declared = sources('api/areas')
  .filter((file) => file.endsWith('/area.ts'))
  .flatMap((file) => {
    const [, list = ''] = /\n {2}tables: \[([^\]]*)\]/.exec(text(file)) ?? []
    return [...list.matchAll(/'([^']+)'/g)].map(([, table = '']) => [table, file.split('/')[2] ?? ''] as const)
  })
const ownerOf: Readonly<Record<string, string>> = { ...PLUMBING, ...Object.fromEntries(declared) }

/** Writes of another subject than the owner, each within a transaction that must hold both. */
const BOTH: Readonly<Record<string, readonly string[]>> = {
  // An erasure removes every stored answer.
  'app.answers': ['platform/identity'],
  // A registration adds the record of its person; a suspension keeps the users of an account out.
  'identity.people': ['platform/registration', 'platform/account'],
  // Conversions are a batch.
  'app.delivery_batches': ['platform/events'],
  // An invoice claims its charges.
  'app.charged_hours': ['platform/invoice'],
}

function writes(code: string): readonly string[] {
  const statements = /(?:insert\s+into|update|delete\s+from|lock\s+table|truncate)\s+((?:app|identity)\.[a-z_]+)/gi
  const built = /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'((?:app|identity)\.[a-z_]+)/g
  return [...code.matchAll(statements), ...code.matchAll(built)].map(([, table = '']) => table)
}

describe('a table', () => {
  it('belongs to one subject', () => {
    expect(TABLES.length).toBeGreaterThan(60)
    expect(TABLES.filter((table) => ownerOf[table] === undefined)).toEqual([])
    const names = declared.map(([table]) => table)
    expect(names.filter((table, i) => names.indexOf(table) !== i)).toEqual([])
  })

  it('a table is written to by its subject alone, in the platform', () => {
    const found = sources('api', 'commands', 'eventstore', 'factstore', 'platform', 'projections', 'proof').flatMap((file) =>
      writes(withoutComments(text(file))).map((table) => ({ file, table })),
    )
    expect(found.length).toBeGreaterThan(100)
    const strays = found.filter(
      ({ file, table }) =>
        TABLES.includes(table) &&
        !file.startsWith(`platform/${ownerOf[table]}/`) &&
        !(BOTH[table] ?? []).some((folder) => file.startsWith(`${folder}/`)) &&
        // The operator's own retries.
        !file.startsWith('api/cli/'),
    )
    expect(strays).toEqual([])
  })

  it('a table is asked by no area and no plumbing of the API: statements stand in platform/ and projections/', () => {
    const statement = /\bsql(?:<[^>`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/
    const files = sources('api/areas', 'api/contract', 'api/http', 'api/process')
    expect(files.length).toBeGreaterThan(150)
    expect(files.filter((file) => statement.test(withoutComments(text(file))))).toEqual([])
  })
})
