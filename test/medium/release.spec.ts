import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../support/product-process.ts'

const CHANGELOG = '# Changelog\n\n## 0.1.0 – unreleased\n\n- Accounts are renamed.\n\n## 0.0.9 – 2026-01-01\n\n- Older.\n'
const LOCK = {
  name: 'placard',
  version: '0.1.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'placard', version: '0.1.0', dependencies: { one: '0.1.0' } },
    'node_modules/one': { version: '0.1.0' },
  },
}

describe('npm run release', () => {
  let folder: string
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const release = (...args: readonly string[]) => {
    const env = { ...process.env, RELEASE_ROOT: folder, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
    const { status, stdout, stderr } = spawnSync('node', [join(root, 'scripts/release.mjs'), ...args], { env, encoding: 'utf8' })
    return { status, out: stdout, err: stderr }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'placard-release-'))
    git('init', '--quiet', '--initial-branch', 'main')
    git('config', 'user.email', 'releases@placard.example')
    git('config', 'user.name', 'Releases')
    for (const name of ['deploy/helm', 'docs', 'bin']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, '.gitignore'), 'dist/\nbin/\n')
    writeFileSync(
      join(folder, 'package.json'),
      '{\n  "name": "placard",\n  "version": "0.1.0",\n  "dependencies": { "one": "0.1.0" }\n}\n',
    )
    writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(LOCK, null, 2)}\n`)
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
    writeFileSync(join(folder, 'deploy/Dockerfile'), 'LABEL version="0.1.0"\n')
    writeFileSync(join(folder, 'docker-compose.yml'), 'image: placard:0.1.0\n')
    writeFileSync(join(folder, 'deploy/helm/Chart.yaml'), 'version: 0.1.0\nappVersion: 0.1.0\n')
    writeFileSync(join(folder, 'docs/operating.md'), 'docker build -t placard:0.1.0 .\n')
    // Neither the registry nor docker is asked.
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "{\\"bomFormat\\":\\"CycloneDX\\"}"\n', { mode: 0o755 })
    writeFileSync(join(folder, 'bin/docker'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    git('add', '.')
    git('commit', '--quiet', '--message', 'Begin')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('writes the version everywhere, dates the changelog, commits and tags it with its notes', () => {
    const { status, out, err } = release('0.2.0')
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^v0\.2\.0 is the commit [0-9a-f]+; its bill of materials is .*placard-0\.2\.0\.cdx\.json/)
    const day = new Date().toISOString().slice(0, 10)
    expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('0.1.0 – unreleased', `0.2.0 – ${day}`))
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0', dependencies: { one: '0.1.0' } })
    expect(JSON.parse(read('package-lock.json'))).toEqual({
      ...LOCK,
      version: '0.2.0',
      packages: { ...LOCK.packages, '': { ...LOCK.packages[''], version: '0.2.0' } },
    })
    for (const file of ['deploy/Dockerfile', 'deploy/helm/Chart.yaml', 'docker-compose.yml', 'docs/operating.md']) {
      expect(read(file)).toContain('0.2.0')
      expect(read(file)).not.toContain('0.1.0')
    }
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
    expect(git('tag', '--list', '--format=%(contents)', 'v0.2.0').trim()).toBe(
      `Placard 0.2.0\n\n## 0.2.0 – ${day}\n\n- Accounts are renamed.`,
    )
    expect(JSON.parse(read('dist/release/placard-0.2.0.cdx.json'))).toEqual({ bomFormat: 'CycloneDX' })
  })

  it.each([
    ['a word', ['next'], /for example/],
    ['the present version', ['0.1.0'], /does not come after/],
    ['an earlier version', ['0.0.10'], /does not come after/],
  ])('refuses %s and changes nothing', (_, args, why) => {
    const head = git('rev-parse', 'HEAD')
    expect(release(...args)).toMatchObject({ status: 1, err: expect.stringMatching(why) })
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([head, '', ''])
  })

  it('refuses changes that are not committed, another branch, a tag that exists and a changelog without an open part', () => {
    writeFileSync(join(folder, 'docs/operating.md'), 'changed\n')
    expect(release('0.2.0').err).toMatch(/commit or remove/)
    git('checkout', '--quiet', '.')
    git('checkout', '--quiet', '-b', 'topic')
    expect(release('0.2.0').err).toMatch(/on main/)
    git('checkout', '--quiet', 'main')
    git('tag', 'v0.2.0')
    expect(release('0.2.0').err).toMatch(/v0\.2\.0 exists/)
    expect(release('0.3.0').status).toBe(0)
    expect(release('0.4.0').err).toMatch(/no part/)
  })
})
