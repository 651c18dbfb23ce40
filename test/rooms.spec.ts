import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import configuration from '../vitest.config.ts'
import { root } from './support/product-process.ts'
import { ROOMS, SERVER_ROOMS } from './support/rooms.ts'

const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(\.|dist$|node_modules$)/.test(entry.name))
  .map(({ name }) => name)
  .filter((name) => readdirSync(join(root, name), { recursive: true }).some((file) => String(file).endsWith('.ts')))
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('a new room', () => {
  it('a new room is known to the one list', () => {
    expect(folders).toContain('factstore')
    expect([...ROOMS].sort()).toEqual([...folders].sort())
  })

  it('a new room is known to its name in imports, but for the web, which has `@/`', () => {
    const named = Object.keys((JSON.parse(text('package.json')) as { readonly imports: object }).imports)
    const expected = [...folders.filter((room) => room !== 'web'), 'contract'].map((room) => `#${room}/*`)
    expect(named.sort()).toEqual(expected.sort())
  })

  it('a new room is known to the build, which runs again after a change there', () => {
    const script = `import { sourcesOf } from './scripts/build-if-needed.mjs'; console.log(JSON.stringify(sourcesOf('server')))`
    const sources: readonly string[] = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
    )
    expect(sources).toEqual(expect.arrayContaining([...SERVER_ROOMS]))
  })

  it('a new room is known to the tests, which run the specs beside its code', () => {
    const projects = configuration.test?.projects ?? []
    const included = projects.flatMap((project) =>
      typeof project === 'object' && 'test' in project ? project.test?.include : [],
    )
    for (const room of SERVER_ROOMS) expect(included.join()).toMatch(new RegExp(String.raw`\b${room}\b`))
  })

  it('a new room is known to the page that explains the rooms', () => {
    const rows = [...text('ARCHITECTURE.md').matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell).join()
    expect(folders.filter((room) => !rows.includes(`\`${room}/`))).toEqual([])
  })
})
