import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { importsOf, specifiersOf } from './support/imports.ts'
import { root } from './support/product-process.ts'
import { ROOMS } from './support/rooms.ts'

/** Allowed imports (ARCHITECTURE.md). A folder may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  eventstore: ['domain'],
  factstore: ['domain'],
  proof: ['domain', 'eventstore'],
  commands: ['domain', 'eventstore', 'factstore', 'proof'],
  projections: ['domain', 'eventstore'],
  api: ['domain', 'eventstore', 'factstore', 'commands', 'projections', 'proof', 'migrations'],
  platform: ['domain', 'eventstore', 'commands'],
  migrations: [],
  web: ['domain', 'api'],
}
/** Verifies a file with public keys alone: it runs in browsers and without Placard, on WebCrypto. */
const OFFLINE = 'proof/offline/'
/** Reads what others write; pages read it as the server does. */
const FORMATS = 'commands/formats/'
/** The types of the database's tables: of all rooms of the server, only the domain does without. */
const TABLES = 'migrations/db'
const KNOW_TABLES = Object.keys(ALLOWED).filter((room) => room !== 'domain' && room !== 'web')
/** Files that wire ports to adapters: only they may import the platform, but for its types. */
const WIRING = /^api\/(compose|main)\.ts$|^api\/(cli|roles|wiring)\/|^api\/areas\/(.*\/)?area\.ts$/
const PACKAGES_OF_DOMAIN: readonly string[] = []

const typescript = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
const isSpec = (file: string): boolean => /\.spec\.tsx?$/.test(file)
const sources = (folder: string): string[] => typescript(folder).filter((file) => !isSpec(file))

const isPackage = (path: string): boolean => path.startsWith('package ')
const roomOf = (path: string): string => path.split('/')[0] ?? ''

/** Whether code outside functions awaits something. */
function awaits(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(awaits)
  const { type, ...children } = node as { readonly type?: string; readonly await?: boolean }
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && children.await === true)) return true
  return !/Function/.test(type ?? '') && Object.values(children).some(awaits)
}

/** Whether a statement waits for read models and goes on whatever the answer is. `caughtUp` throws instead. */
function ignoresReached(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(ignoresReached)
  const { type, expression, ...children } = node as { readonly type?: string; readonly expression?: unknown }
  const waits = type === 'ExpressionStatement' && /^(Await|Unary)Expression$/.test(typeOf(expression)) && callsReached(expression)
  return waits || ignoresReached(expression) || Object.values(children).some(ignoresReached)
}
const typeOf = (node: unknown): string => (node as { readonly type?: string } | null)?.type ?? ''
function callsReached(awaited: unknown): boolean {
  const { argument } = awaited as {
    readonly argument?: { readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } } }
  }
  return (argument?.callee?.property?.name ?? argument?.callee?.name) === 'reached'
}

/** A comparison of a status with its bare key; those of HTTP have three digits, and those of processes are properties. Statements write keys out, as partial indexes do. */
const BARE_STATUS = /(?:(?<!\.)\bstatus|\bstatus_key|\bstatusKey)'?(?: [!=]==|, '(?:=|<>)',) \d{1,2}\b/

describe('the architecture', () => {
  it.each(Object.keys(ALLOWED))('%s imports only what it may', (room) => {
    const files = sources(room)
    expect(files.length).toBeGreaterThan(0)
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !isPackage(path))
        .map((path) => ({ file, path, room: roomOf(path), value: importsOf(file, { types: false }).includes(path) }))
        .filter(
          (found) =>
            found.room !== room &&
            !(ALLOWED[room] ?? []).includes(found.room) &&
            !(found.path === TABLES && KNOW_TABLES.includes(room)) &&
            !((found.path.startsWith(OFFLINE) || found.path.startsWith(FORMATS)) && room === 'web') &&
            !(found.room === 'platform' && room === 'api' && (WIRING.test(file) || !found.value)) &&
            // Rows that the API answers as they are have the contract's types.
            !(room === 'platform' && found.path.startsWith('api/contract/') && !found.value),
        ),
    )
    expect(strays).toEqual([])
  })

  it('compares statuses by their names', () => {
    const files = ['domain', 'commands', 'projections', 'platform', 'api', 'web'].flatMap(sources)
    expect(files.filter((file) => BARE_STATUS.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
    expect(['status_key === 5', "'status_key', '=', 3", 'status !== 1'].every((text) => BARE_STATUS.test(text))).toBe(true)
    expect(BARE_STATUS.test('status === 404')).toBe(false)
  })

  it('no circle of imports ties files together, by types or lazily', () => {
    const files = Object.keys(ALLOWED).flatMap(sources)
    const known = new Set(files)
    const isThere = (path: string) => [path, `${path}.ts`, `${path}.tsx`].find((file) => known.has(file))
    const imports = new Map(files.map((file) => [file, importsOf(file).flatMap((path) => isThere(path) ?? [])]))
    const left = new Set(files)
    const importsLeft = (file: string) => (imports.get(file) ?? []).filter((path) => path !== file && left.has(path))
    // A file that imports none of a circle, or is imported by none, is in none.
    for (let before = 0; before !== left.size;) {
      before = left.size
      const imported = new Set([...left].flatMap(importsLeft))
      for (const file of left) if (importsLeft(file).length === 0 || !imported.has(file)) left.delete(file)
    }
    expect([...left]).toEqual([])
    expect(imports.get('web/components/confirm-dialog.tsx')).toContain('web/components/confirm-dialog-content.tsx')
  })

  it('no module of the application awaits anything while it loads', () => {
    // WebKit gives a dynamic import such a module without its exports, so that no page opens: bundled modules share their fate.
    const files = ['web', 'domain', 'api/contract'].flatMap(sources).filter((file) => !file.startsWith('web/test/'))
    const awaiting = (text: string, file = 'a.ts') => awaits(parseSync(file, text).program)
    expect([awaiting('const a = await b()'), awaiting('const a = async () => await b()')]).toEqual([true, false])
    expect(files.filter((file) => awaiting(readFileSync(join(root, file), 'utf8'), file))).toEqual([])
  })

  it('layers of the API import only those below them', () => {
    const layerOf = (path: string) => /^api\/([^/.]+)/.exec(path)?.[1] ?? ''
    const below: Readonly<Record<string, RegExp>> = {
      contract: /^api\/contract\//,
      process: /^api\/(process\/|config)/,
      http: /^api\/(contract|http|process)\/|^api\/config|^api\/areas\/area/,
      areas: /^api\/(contract|http|process|areas)\/|^api\/config/,
    }
    const strays = sources('api').flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('api/') && below[layerOf(file)]?.test(target) === false)
        .map((target) => `${file} imports ${target}`),
    )
    expect(strays).toEqual([])
  })

  it('an area imports no routes of another area, and no area imports one that imports it', () => {
    const areaOf = (path: string) => /^api\/areas\/([^/.]+)\//.exec(path)?.[1] ?? null
    const edges = sources('api/areas').flatMap((file) =>
      importsOf(file)
        .filter((target) => areaOf(file) !== null && areaOf(target) !== null && areaOf(target) !== areaOf(file))
        .map((target) => ({ file, target, from: areaOf(file) ?? '', to: areaOf(target) ?? '' })),
    )
    expect(edges.length).toBeGreaterThan(10)
    expect(edges.filter(({ target }) => /(-routes?|\/area)(\.ts)?$/.test(target))).toEqual([])
    const reached = (from: string, seen: Set<string>): Set<string> => {
      for (const { to } of edges.filter((edge) => edge.from === from)) if (!seen.has(to)) reached(to, seen.add(to))
      return seen
    }
    expect(edges.filter(({ from, to }) => reached(to, new Set()).has(from))).toEqual([])
  })

  it('the answer of `reached` is never ignored', () => {
    const ignoring = (text: string, file = 'a.ts') => ignoresReached(parseSync(file, text).program)
    expect(
      ['await p.reached(1n)', 'if (await reached(1n)) go()', 'x(await p.reached(1n))', 'void p.reached(1n)'].map((text) =>
        ignoring(text),
      ),
    ).toEqual([true, false, false, true])
    const files = ['api', 'commands', 'platform', 'projections'].flatMap(sources)
    expect(files.filter((file) => ignoring(readFileSync(join(root, file), 'utf8'), file))).toEqual([])
  })

  it('no import climbs more than one folder: what is farther away is named from its room', () => {
    const climbs = (file: string) => specifiersOf(file).filter((specifier) => specifier.startsWith('../../'))
    const sourced = ROOMS.flatMap(typescript)
    expect(sourced.length).toBeGreaterThan(1000)
    expect(sourced.flatMap((file) => climbs(file).map((specifier) => `${file} imports ${specifier}`))).toEqual([])
  })

  it('the reader of what others write imports only the domain', () => {
    const strays = sources(FORMATS).flatMap((file) =>
      importsOf(file).filter((path) => !isPackage(path) && roomOf(path) !== 'domain' && !path.startsWith(FORMATS)),
    )
    expect(strays).toEqual([])
  })

  it('the offline verifier imports nothing but itself', () => {
    const files = sources(OFFLINE)
    expect(files.length).toBeGreaterThan(3)
    const strays = files.flatMap((file) => importsOf(file).filter((path) => !path.startsWith(OFFLINE)))
    expect(strays).toEqual([])
  })

  it('OpenTelemetry is loaded by the tracing alone, which only a process with a collector loads', () => {
    const isOfTracing = (path: string) => /^platform\/telemetry\/(tracing|span-queue)(\.ts)?$/.test(path)
    const files = ['api', 'commands', 'eventstore', 'platform', 'projections'].flatMap(sources)
    const loading = files.filter((file) =>
      importsOf(file, { types: false }).some((path) => path.startsWith('package @opentelemetry/')),
    )
    expect(loading.filter((file) => !isOfTracing(file))).toEqual([])
    expect(loading.length).toBeGreaterThan(1)
    const opening = files.filter((file) => !isOfTracing(file) && importsOf(file, { types: false }).some(isOfTracing))
    expect(opening).toEqual(['api/wiring/telemetry.ts'])
    expect(readFileSync(join(root, 'api/wiring/telemetry.ts'), 'utf8')).toContain("await import('#platform/telemetry/tracing')")
  })

  it('domain imports no package', () => {
    const used = sources('domain').flatMap((file) => importsOf(file).filter(isPackage))
    expect(used).toEqual(PACKAGES_OF_DOMAIN)
  })

  it('web imports only the contract of the server', () => {
    const strays = sources('web').flatMap((file) =>
      importsOf(file)
        .filter((path) => roomOf(path) === 'api' && !path.startsWith('api/contract/'))
        .map((path) => `${file} imports ${path}`),
    )
    expect(strays).toEqual([])
  })
})

/**
 * Allowed imports between the layers of web. Single files are exceptions by name. The first matching layer of a file applies.
 */
const LAYERS: readonly (readonly [layer: RegExp, allowed: RegExp])[] = [
  [/^lib\//, /^lib\//],
  [/^theme\//, /^(lib|theme)\//],
  [/^i18n\//, /^(lib|i18n)\/|^data\/app-error/],
  [/^components\//, /^(lib|i18n|theme|components)\/|^data\/(app-error|campaign-status|field-faults)/],
  [/^(data|session)\//, /^(lib|i18n|theme|components|data|session)\//],
  [/^app\/(actions\.ts|shortcuts\/)/, /^(lib|i18n|theme|components|data|session)\/|^app\/(actions|shortcuts\/)/],
  [/^app\//, /^(lib|i18n|theme|components|data|session|app)\//],
  [/^features\//, /^(lib|i18n|theme|components|data|session|features)\/|^app\/(actions|shortcuts\/)/],
]

describe('the layers inside web', () => {
  const inner = sources('web')
    .filter((file) => !/\.spec\.tsx?$|^web\/test\/|fixture/.test(file))
    .map((file) => file.slice('web/'.length))
  const webImports = (file: string) =>
    importsOf(`web/${file}`)
      .filter((path) => path.startsWith('web/'))
      .map((path) => path.slice('web/'.length))

  it('the layers inside web import only the layers below them', () => {
    const strays = inner.flatMap((file) => {
      const allowed = LAYERS.find(([layer]) => layer.test(file))?.[1]
      return allowed === undefined
        ? []
        : webImports(file)
            .filter((path) => !allowed.test(path))
            .map((path) => `${file} imports ${path}`)
    })
    expect(strays).toEqual([])
  })

  it('the layers inside web keep feature areas independent, but for the words of the change log', () => {
    const areaOf = (path: string) => path.split('/')[1]
    const allowed = (file: string, path: string) =>
      file.startsWith('features/audit/') && path.startsWith('features/campaigns/change-log/')
    const strays = inner
      .filter((file) => file.startsWith('features/'))
      .flatMap((file) =>
        webImports(file)
          .filter((path) => path.startsWith('features/') && areaOf(path) !== areaOf(file) && !allowed(file, path))
          .map((path) => `${file} imports ${path}`),
      )
    expect(strays).toEqual([])
  })
})
