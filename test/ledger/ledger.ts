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
  /** The later decision that replaces the check, with its text; empty for most rows. A claim is compared with this text. */
  readonly supersededBy: string
  /** Why no test claims the row: not built, or not tested yet. Empty when a test claims it. */
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

/** Areas that are built: each of their rows has a test or a reason for having none. */
export const isGuarded = ({ id }: Requirement): boolean => /^(CAM-|GEO-|DICT-|FILE-|REP-|EVT-)/.test(id)

export const claims = (): readonly Claim[] =>
  ROOMS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => /\.spec\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => claimsOf(file, readFileSync(join(ROOT, file), 'utf8')))
