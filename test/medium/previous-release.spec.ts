import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../support/product-process.ts'

const SEAM = 'test/support/global-postgres.ts'

describe('npm run previous', () => {
  let folder: string
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const write = (file: string, text: string, mode = 0o644) => writeFileSync(join(folder, file), text, { mode })
  const previous = (...args: readonly string[]) => {
    const env = { ...process.env, PREVIOUS_ROOT: folder, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
    const run = spawnSync('node', [join(root, 'scripts/previous-release.mjs'), ...args], { env, encoding: 'utf8' })
    return { status: run.status, out: run.stdout, err: run.stderr }
  }
  /** Inputs of the specs of the earlier build: the schema, the arguments, the seam. */
  const ran = () => readFileSync(join(folder, 'bin/ran'), 'utf8').trim().split('\n')

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'placard-previous-spec-'))
    git('init', '--quiet', '--initial-branch', 'main')
    git('config', 'user.email', 'releases@placard.example')
    git('config', 'user.name', 'Releases')
    for (const name of ['bin', 'test/support']) mkdirSync(join(folder, name), { recursive: true })
    write('.gitignore', 'bin/\n')
    write(SEAM, 'of before\n')
    // Nothing is installed, and the specs are a line in a file.
    write('bin/npm', '#!/bin/sh\nexit 0\n', 0o755)
    write('bin/npx', `#!/bin/sh\n{ echo "$TEST_SCHEMA_OF"; echo "$@"; cat ${SEAM}; } > ${join(folder, 'bin/ran')}\n`, 0o755)
    git('add', '.')
    git('commit', '--quiet', '--message', 'Begin')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('says that it is skipped where there is no release', () => {
    expect(previous()).toMatchObject({ status: 0, out: expect.stringContaining('Skipped: there is no earlier release') })
  })

  it('runs the specs of the latest release on the schema of this build, and leaves no worktree behind', () => {
    git('tag', 'v0.9.0')
    write(SEAM, 'takes TEST_SCHEMA_OF\n')
    git('commit', '--quiet', '--all', '--message', 'Take a schema')
    git('tag', 'v0.10.0')
    git('commit', '--quiet', '--allow-empty', '--message', 'Go on')
    expect(previous()).toMatchObject({ status: 0, out: 'v0.10.0 works on the schema of this build.\n' })
    expect(ran()).toEqual([folder, 'vitest run --project server test/api', 'takes TEST_SCHEMA_OF'])
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
    // For a release itself, the one before.
    git('reset', '--quiet', '--hard', 'v0.10.0')
    expect(previous().out).toContain('v0.9.0 works on the schema')
  })

  it('gives an older revision the file that takes a schema, and fails with its specs', () => {
    const old = git('rev-parse', 'HEAD')
    write(SEAM, 'takes TEST_SCHEMA_OF\n')
    git('commit', '--quiet', '--all', '--message', 'Take a schema')
    expect(previous(old, 'test/api/one.spec.ts').out).toContain(`its ${SEAM} is replaced by that of this one`)
    expect(ran().slice(1)).toEqual(['vitest run --project server test/api/one.spec.ts', 'takes TEST_SCHEMA_OF'])
    write('bin/npx', '#!/bin/sh\nexit 1\n', 0o755)
    expect(previous(old)).toMatchObject({ status: 1, out: expect.stringContaining(`Failed: ${old} on the schema`) })
    expect(previous('v9')).toMatchObject({ status: 1, err: 'v9 is no revision of this repository\n' })
  })
})
