import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOMS } from '../support/rooms.ts'
import { claimsOf, type Claim } from './claims.ts'

/** One row of requirements.tsv, or one rule of the fine print. */
export type Requirement = {
  readonly id: string
  readonly kind: string
  readonly priority: string
  readonly requirement: string
  /** An external check that the requirement is met. */
  readonly check: string
  /** The later rule that holds instead: its citation, a colon and its text. Empty for most rows. A claim proves this text. */
  readonly supersededBy: string
  /** Why no test claims the row, beginning with `not built: ` if nothing does what it asks. Empty when a test claims it. */
  readonly notProved: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const cellsOf = (file: string): readonly (readonly string[])[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

/** Every row of requirements.tsv, then every rule of the fine print. */
export const requirements = (): readonly Requirement[] => [
  ...cellsOf('requirements.tsv').map(
    ([id = '', kind = '', priority = '', requirement = '', check = '', supersededBy = '', notProved = '']) => ({
      id,
      kind,
      priority,
      requirement,
      check,
      supersededBy,
      notProved,
    }),
  ),
  ...rulesOf(readFileSync(join(ROOT, 'docs/spec/fine-print.md'), 'utf8'), reasonsOfRules()),
]

/** Why no test claims a rule of the fine print, by the id of the rule: the rows of fine-print.tsv. */
export const reasonsOfRules = (): ReadonlyMap<string, string> =>
  new Map(cellsOf('fine-print.tsv').map(([id = '', reason = '']) => [id, reason]))

/**
 * The rules of the fine print as requirements: rule 86 is FP-86, its title the requirement and its text the check. The page is
 * their only text. A rule whose text is "Replaced by 55." is superseded by that rule.
 */
export function rulesOf(page: string, reasons: ReadonlyMap<string, string>): readonly Requirement[] {
  const rules = page.split(/^(?=#+ )/m).flatMap((section) => {
    const [, number, title = '', text = ''] = /^### (\d+)\. (.+)\n([^]*)/.exec(section) ?? []
    return number === undefined ? [] : [{ number, title, text: text.trim().replaceAll(/\s+/g, ' ') }]
  })
  return rules.map(({ number, title, text }) => {
    const later = /^Replaced by (\d+)/.exec(text)?.[1]
    return {
      id: `FP-${number}`,
      kind: 'rule',
      priority: 'core',
      requirement: title,
      check: text,
      supersededBy: later === undefined ? '' : `fine print ${later}: ${rules.find((rule) => rule.number === later)?.title ?? ''}`,
      notProved: reasons.get(`FP-${number}`) ?? '',
    }
  })
}

/** The part of an id before its number. */
export const areaOf = (id: string): string => id.replace(/-\d+$/, '')

/**
 * Where a row stands. A superseded row is not counted as proved: its tests, if it has any, prove the rule that holds instead. The
 * reason of a row without tests says whether it is built.
 */
export type State = 'proved' | 'superseded' | 'not proved' | 'not built'

export function stateOf({ supersededBy, notProved }: Requirement, isClaimed: boolean): State {
  if (supersededBy !== '') return 'superseded'
  if (isClaimed) return 'proved'
  return notProved.startsWith('not built: ') ? 'not built' : 'not proved'
}

export const claims = (): readonly Claim[] =>
  ROOMS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => /\.spec\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => claimsOf(file, readFileSync(join(ROOT, file), 'utf8')))
