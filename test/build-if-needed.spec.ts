import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/product-process.ts'

/** Rooms that no process of the product runs. */
const APART = ['bench', 'test', 'web']

it('builds the server again after a change in any of its rooms', () => {
  const rooms = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|dist$|node_modules$)/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(root, name), { recursive: true }).some((file) => String(file).endsWith('.ts')))
    .filter((name) => !APART.includes(name))
  const script = `import { sourcesOf } from './scripts/build-if-needed.mjs'; console.log(JSON.stringify(sourcesOf('server')))`
  const sources: readonly string[] = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
  )
  expect(rooms).toContain('factstore')
  expect(sources).toEqual(expect.arrayContaining(rooms))
})
