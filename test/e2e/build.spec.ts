import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ASSETS = fileURLToPath(new URL('../../dist/web/assets/', import.meta.url))

// The build that is there may have been started by tests.
it('the pages that were built have React for production, also when tests started the build', () => {
  const [libraries = ''] = readdirSync(ASSETS).filter((name) => /^libraries-.*\.js$/.test(name))
  const code = readFileSync(`${ASSETS}${libraries}`, 'utf8')
  expect(code).toContain('react.dev/errors')
  expect(code).not.toContain('React DevTools')
})
