import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { importsOf } from '../support/imports.ts'
import { root } from '../support/product-process.ts'

/** Files that imports do not show: a change of such a file concerns these specs. */
const BESIDE_IMPORTS: readonly { readonly changed: RegExp; readonly specs: RegExp }[] = [
  { changed: /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*|test\/circles\.ts|\.ci\/run)$/, specs: /./ },
  { changed: /^migrations\//, specs: /migrat|upgrade|version|previous-release|database|read-models|backup/ },
  { changed: /^eventstore\//, specs: /postgres-|kurrent|kill-writer|chaos\.spec|lease|event-store/ },
  { changed: /^platform\/database\//, specs: /postgres|pool|database|surroundings|backup|point-in-time|start|durability/ },
  { changed: /^scripts\//, specs: /start|release|supply-chain|docs|build/ },
  { changed: /^(deploy\/|docker-compose)/, specs: /helm|release|roles\.spec/ },
  { changed: /^docs\//, specs: /docs|help/ },
  { changed: /^web\//, specs: /^test\/e2e\// },
  { changed: /^test\/golden\//, specs: /golden|upgrade|version|audit|properties/ },
  { changed: /^test\/go\//, specs: /go\.spec|audit|log/ },
  { changed: /^test\/support\/(global-postgres|retries|fixed-seed|compile)/, specs: /./ },
]

/** The distance of what only the table connects: farther than most imports, so that a spec which imports the change runs first. */
const BESIDE = 6

/**
 * The specs that a change touches, the nearest first: the fewer imports lie between a spec and a changed file, the sooner it runs, and
 * among equals the one whose name has a word of a changed path. Paths are from the root of the repository.
 */
export function affected(specs: readonly string[], changed: readonly string[], imports = importedBy): readonly string[] {
  const targets = new Set(changed)
  const words = new Set(changed.flatMap(wordsOf))
  return specs
    .map((spec) => {
      const byTable = BESIDE_IMPORTS.some((row) => row.specs.test(spec) && changed.some((file) => row.changed.test(file)))
      const distance = Math.min(distanceTo(targets, spec, imports), byTable ? BESIDE : Infinity)
      const named = wordsOf(basename(spec)).some((word) => words.has(word))
      return { spec, distance, named }
    })
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => Number(b.named) - Number(a.named) || a.distance - b.distance || (a.spec < b.spec ? -1 : 1))
    .map(({ spec }) => spec)
}

const wordsOf = (path: string): readonly string[] =>
  path
    .replace(/\.(spec\.)?tsx?$/, '')
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3 && !['test', 'spec', 'medium', 'platform', 'domain', 'commands', 'areas'].includes(word))

/** How many imports lie between a file and the nearest of the targets: 0 for a target itself, Infinity without a way. */
function distanceTo(targets: ReadonlySet<string>, from: string, imports: (file: string) => readonly string[]): number {
  const seen = new Set([from])
  for (let [files, distance] = [[from], 0]; files.length > 0; distance += 1) {
    if (files.some((file) => targets.has(file))) return distance
    files = files.flatMap(imports).filter((file) => !seen.has(file) && seen.add(file))
  }
  return Infinity
}

const known = new Map<string, readonly string[]>()

/** The files that a file imports or names in a text, such as a command that a test runs. */
export function importedBy(file: string): readonly string[] {
  const found = known.get(file) ?? readImports(file)
  known.set(file, found)
  return found
}

function readImports(file: string): readonly string[] {
  if (!/\.m?tsx?$/.test(file)) return []
  const text = readFileSync(join(root, file), 'utf8')
  // Workers and processes, by an address from the file: as it is built, in its source.
  const beside = [...text.matchAll(/new URL\(\s*['"`]([^'"`:]+)['"`],\s*import\.meta\.url/g)].flatMap(([, address = '']) => {
    const path = join(dirname(file), address)
    return [path, path.replace(/\.js$/, '.ts'), path.replace(/-from-source\.mjs$/, '.ts')]
  })
  const named = [...text.matchAll(/['"`]((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs))['"`]/g)].map((match) => match[1] ?? '')
  return [...importsOf(file, { types: false }), ...beside, ...named].flatMap((path) => {
    const candidates = [path, `${path}.ts`, `${path}.tsx`]
    return candidates.find((one) => /\.\w+$/.test(one) && existsSync(join(root, one))) ?? []
  })
}
