import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { REVIEWED_PATHS } from '#domain/campaign/review/reviewed'
import { STATUS } from '#domain/campaign/status/status-keys'
import { ACCESS, mayBeGranted, mayBeTaken, ROLES, SINGLE_RIGHT_NAMES, type Role } from '#domain/kit/access'
import { CATALOGUE } from '#domain/kit/errors'
import { SINGLE, UNCALLED } from './support/access-table.ts'
import { root } from './support/product-process.ts'

const page = (name: string) => readFileSync(join(root, 'docs/spec', name), 'utf8')
/** Rows of every table of a page, without their headings. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ')).filter(([first]) => !first?.startsWith('---'))

describe('the rules agree with the code', () => {
  it('access.md has every right with its roles', () => {
    const rows = rowsOf(page('access.md')).filter(({ length }) => length === ROLES.length + 2)
    const [heading = [], ...rights] = rows
    expect(heading.slice(2)).toEqual(ROLES)
    const written = rights.map(([, right = '', ...cells]) => [right.replaceAll('`', ''), cells])
    const own: readonly Role[] = ['ACCOUNTANT', 'USER_OWNER', 'USER_VIEWER']
    const enforced = Object.entries(ACCESS).map(([right, roles]: [string, readonly Role[]]) => [
      right,
      ROLES.map((role) => (!roles.includes(role) ? 'no' : own.includes(role) ? 'own' : 'yes')),
    ])
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(enforced))
    expect(written).toHaveLength(enforced.length)
  })

  it('access.md and the table of the tests have every single right with the roles that may get and lose it', () => {
    const section = page('access.md').split('## Single rights')[1]?.split('\n## ')[0] ?? ''
    const names = (cell = '') => (cell === '–' ? [] : cell.split(', '))
    const written = rowsOf(section)
      .filter(([right]) => right !== 'single right')
      .map(([right = '', may, lose]) => [right.replaceAll('`', ''), [names(may), names(lose)]])
    const enforced = SINGLE_RIGHT_NAMES.map((right) => [
      right,
      [ROLES.filter((role) => mayBeGranted([role], right)), ROLES.filter((role) => mayBeTaken([role], right))],
    ])
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(enforced))
    const copied = Object.entries(SINGLE).map(([right, { for: may, from }]) => [right, [may, from]])
    expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(enforced))
  })

  it('access.md has every call that needs a proof, by how it may be given', () => {
    const section = page('access.md').split('## Calls that need a proof')[1]?.split('\n## ')[0] ?? ''
    const written = rowsOf(section)
      .filter(([kind]) => kind !== 'kind')
      .flatMap(([kind, calls = '']) =>
        calls
          .split(', ')
          .map((call) => [call, kind === 'the proof, or a password in the body' ? 'session-or-password' : 'session']),
      )
    const declared = ENDPOINTS.flatMap(({ method, path, stepUp }) =>
      stepUp === undefined ? [] : [[`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, stepUp]],
    )
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(declared))
    expect(written).toHaveLength(declared.length)
  })

  it('the table of the tests has the rights of pages and of managers', () => {
    const rights = Object.entries(ACCESS).filter(([right]) => right.startsWith('page.') || right === 'account.represent')
    const copied = Object.entries(UNCALLED).map(([right, row]) => [right, ROLES.filter((_, n) => row[n] !== '–')])
    expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(rights))
  })

  it('platform.md has every code with its message', () => {
    const catalogue = page('platform.md').split('## 8. Error catalogue')[1]?.split('\n## ')[0] ?? ''
    const written = rowsOf(catalogue)
      .filter(([codes]) => /^\d/.test(codes ?? ''))
      .flatMap(([codes = '', messages = '']) => {
        const all = messages.split('; ')
        return codes.split(', ').map((code, n) => [code, all[n] ?? all[0]])
      })
    const messages = Object.entries(CATALOGUE).filter(([code]) => code !== '0' && code !== '401')
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(messages.map(([code, { message }]) => [code, message])))
  })

  it('lifecycle.md derives each status', () => {
    const table = page('lifecycle.md').split('## One derived status')[1]?.split('\n## ')[0] ?? ''
    const derived = rowsOf(table)
      .filter(([row]) => /^\d+$/.test(row ?? ''))
      .flatMap(([, , key = '']) => key.match(/\b\d+\b/g) ?? [])
    expect(derived.sort()).toEqual(Object.keys(STATUS).sort())
  })

  it('lifecycle.md names each reviewed field', () => {
    const section = page('lifecycle.md').split('- **Reviewed fields**')[1]?.split('- **Owner fields**')[0] ?? ''
    expect([...section.matchAll(/`([^`]+)`/g)].map(([, path]) => path)).toEqual(REVIEWED_PATHS)
  })

  it('campaigns.md has each banner size with its key', () => {
    const sizes = [...page('campaigns.md').matchAll(/(\d+x\d+) \((1\d\d)\)/g)].map(([, size, key]) => [size, Number(key)])
    expect(sizes).toEqual(BANNER_SIZES.map(({ width, height, key }) => [`${width}x${height}`, key]))
  })
})
