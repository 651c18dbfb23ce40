import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/product-process.ts'

const files = ['commands', 'api/areas', 'platform'].flatMap((room) =>
  readdirSync(join(root, room), { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
)
/** Names in the sources: each sweep has its name in front of its basis and its scan; one that two places need is a constant. */
const names = files.flatMap((text) => [
  ...[...text.matchAll(/\bname: '([^']+)',\s*(?:stop: .*,\s*)?(?:basis\b.*,\s*)?(?:async )?scan\b/g)].map(([, name]) => name),
  ...[...text.matchAll(/\bsweep: '([^']+)',/g)].map(([, name]) => name),
  ...(/\bname: NAME,\s*scan\b/.test(text) ? [/\bconst NAME = '([^']+)'/.exec(text)?.[1]] : []),
])

describe('sweeps', () => {
  const table = readFileSync(join(root, 'docs/alerts.md'), 'utf8').split('### What fails alone')[1]?.split('###')[0] ?? ''
  const listed = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

  it('sweeps are all in the table that says what happens when an item fails, and no other is', () => {
    expect(names.length).toBeGreaterThan(25)
    expect(new Set(listed)).toEqual(new Set(names))
  })
})
