import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One row of the requirements: what kind of thing it asks for, and how much it matters. */
export type Requirement = { readonly id: string; readonly kind: string; readonly priority: string }

/** A test that would fail without a requirement: `// covers CAM-BID-20 CAM-BID-24..26` stands right above it. */
export type Claim = { readonly id: string; readonly file: string; readonly line: number; readonly test: string | null }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['domain', 'eventstore', 'commands', 'projections', 'api', 'platform', 'web', 'test']

export const requirements = (): readonly Requirement[] =>
  readFileSync(new URL('requirements.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', kind = '', priority = ''] = line.split('\t')
      return { id, kind, priority }
    })

/** The part of an id before its number. */
export const areaOf = (id: string): string => id.replace(/-\d+$/, '')

export const claims = (): readonly Claim[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => /\.spec\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => claimsOf(file, readFileSync(join(ROOT, file), 'utf8')))

export function claimsOf(file: string, text: string): readonly Claim[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const found = /^\s*\/\/ covers (.+)$/.exec(line)?.[1]
    if (found === undefined) return []
    const test = testAfter(lines, index + 1)
    return found
      .trim()
      .split(/\s+/)
      .flatMap(idsOf)
      .map((id) => ({ id, file, line: index + 1, test }))
  })
}

/** The statement that begins on the next line which is no comment, when it is a test. */
function testAfter(lines: readonly string[], from: number): string | null {
  const next = lines.slice(from).find((line) => !/^\s*\/\//.test(line))
  return next !== undefined && /^\s*(it|test|describe)\b/.test(next) ? next.trim() : null
}

/** `CAM-BID-24..26` is three of them. */
export function idsOf(token: string): readonly string[] {
  const range = /^(.+-)(\d+)\.\.(\d+)$/.exec(token)
  if (range === null) return [token]
  const [, prefix = '', first = '', last = ''] = range
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, i) => `${prefix}${String(Number(first) + i).padStart(first.length, '0')}`,
  )
}
