import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACCESS, ROLES, type Action } from '#domain/kit/access'
import { homeOf } from '@/session/home'
import { pagesFor } from './actions.ts'

const RIGHTS: readonly Action[] = ['campaign.read', 'audience.read', 'profile.own']
const listOf = (right: Action) => ACCESS[right] as unknown as string[]
const roles = ROLES as unknown as string[]

describe('a role that is added to the access table', () => {
  beforeEach(() => {
    for (const list of [roles, ...RIGHTS.map(listOf)]) list.push('BUYER')
  })
  afterEach(() => {
    for (const list of [roles, ...RIGHTS.map(listOf)]) list.pop()
  })

  it('a role that is added to the access table has the pages of its rights, and starts on one of them', () => {
    const buyer = { roles: ['BUYER'] }
    expect(pagesFor(buyer).map(({ to }) => to)).toEqual(['/campaigns', '/audiences', '/reports', '/profile'])
    expect(homeOf(buyer)).toBe('/campaigns')
  })

  it('a role that is added to the access table is named nowhere in the application: its sources ask for rights', () => {
    const web = join(import.meta.dirname, '..')
    const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path) && !path.startsWith('test/'),
    )
    expect(sources.length).toBeGreaterThan(500)
    const role = new RegExp(`['"](${ROLES.join('|')})['"]`)
    expect(sources.filter((path) => role.test(readFileSync(join(web, path), 'utf8')))).toEqual([])
  })
})
