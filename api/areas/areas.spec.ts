import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { area } from './area.ts'
import { AREAS } from './index.ts'
import type { Core, Http, WebServices } from './services.ts'

/** An area that needs more knows too much of the others. */
const MOST = 9

describe('an area', () => {
  it('uses at most nine services of others, each named once', () => {
    const uses = AREAS.map((one) => ({ area: one.name, uses: one.uses }))
    expect(uses.length).toBeGreaterThan(20)
    expect(uses.filter(({ uses: used }) => used.length > MOST || new Set(used).size < used.length)).toEqual([])
  })

  it('gets the services that it names, and no others', () => {
    const seen: string[] = []
    const one = area({
      name: 'one',
      summary: '',
      endpoints: [],
      uses: ['people'],
      register: (_, own) => void seen.push(...Object.keys(own)),
    })
    const all = { db: 1, guards: 2, people: 3, accounts: 4, sessions: 5 } as unknown as Core & Http & WebServices
    one.register(fastify(), all)
    expect(seen.sort()).toEqual(['db', 'guards', 'people'])
  })

  it('shares no name of a mail with another', () => {
    const names = AREAS.flatMap(({ mails }) => Object.keys(mails))
    expect(names.length).toBeGreaterThan(15)
    expect(new Set(names).size).toBe(names.length)
  })
})
