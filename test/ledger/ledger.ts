import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOMS } from '../support/rooms.ts'
import { claimsOf, type Claim } from './claims.ts'

/** One row of requirements.tsv. */
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

export const requirements = (): readonly Requirement[] =>
  readFileSync(new URL('requirements.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', kind = '', priority = '', requirement = '', check = '', supersededBy = '', notProved = ''] =
        line.split('\t')
      return { id, kind, priority, requirement, check, supersededBy, notProved }
    })

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
