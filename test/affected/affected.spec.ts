import { describe, expect, it } from 'vitest'
import { affected, importedBy } from './affected.ts'

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'test/medium/near.spec.ts': ['domain/rule.ts'],
  'test/medium/far.spec.ts': ['api/compose.ts'],
  'api/compose.ts': ['api/route.ts'],
  'api/route.ts': ['domain/rule.ts', 'api/compose.ts'],
  'test/e2e/clicks.spec.ts': ['api/compose.ts'],
}
const SPECS = Object.keys(IMPORTS).filter((file) => file.endsWith('.spec.ts'))
const touched = (...changed: readonly string[]) => affected(SPECS, changed, (file) => IMPORTS[file] ?? [])

describe('the specs that a change touches', () => {
  it('the specs that a change touches are those that import it, the nearest first', () => {
    expect(touched('domain/rule.ts')).toEqual(['test/medium/near.spec.ts', 'test/e2e/clicks.spec.ts', 'test/medium/far.spec.ts'])
    expect(touched('api/route.ts')).toEqual(['test/e2e/clicks.spec.ts', 'test/medium/far.spec.ts'])
  })

  it('the specs that a change touches are first those that a changed path names', () => {
    expect(touched('domain/rule.ts', 'web/clicks/menu.tsx')[0]).toBe('test/e2e/clicks.spec.ts')
  })

  it('the specs that a change touches are the spec itself, and none for a file that nothing imports', () => {
    expect(touched('test/medium/near.spec.ts')).toEqual(['test/medium/near.spec.ts'])
    expect(touched('LICENSE')).toEqual([])
  })

  it('the specs that a change touches are those of the table where imports do not show it', () => {
    expect(touched('web/menu.tsx')).toEqual(['test/e2e/clicks.spec.ts'])
    expect(affected(['test/helm.spec.ts', 'test/medium/jobs.spec.ts'], ['deploy/chart/values.yaml'])).toEqual([
      'test/helm.spec.ts',
    ])
  })

  it('the specs that a change touches are all of them when the packages change', () => {
    expect([...touched('package-lock.json')].sort()).toEqual([...SPECS].sort())
  })
})

it('the commands that a spec runs count as imported', () => {
  expect(importedBy('test/medium/audit-command.spec.ts')).toContain('api/cli/audit.ts')
})

it('the threads and processes that a file starts count as imported', () => {
  expect(importedBy('platform/threads/thread-pool.ts')).toContain('platform/threads/thread.ts')
  expect(importedBy('test/chaos/crew.ts')).toContain('test/chaos/writer-process.ts')
})
