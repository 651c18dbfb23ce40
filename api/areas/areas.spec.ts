import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { READ_MODELS } from '#projections/read-models'
import { area } from './area.ts'
import { AREAS } from './index.ts'
import type { Needs, WiredForHttp } from './services.ts'

describe('an area', () => {
  it('names each of its services once', () => {
    expect(AREAS.length).toBeGreaterThan(20)
    expect(AREAS.filter(({ uses }) => new Set(uses).size < uses.length).map(({ name }) => name)).toEqual([])
  })

  it('gets what it names, and nothing else: the compiler refuses any other reach', () => {
    const seen: object[] = []
    const one = area({
      name: 'one',
      summary: '',
      endpoints: [],
      uses: ['people', 'commands.invoices'],
      register: (_, own) => {
        seen.push(own)
        // @ts-expect-error The database is not among its services.
        expect(own.db).toBeUndefined()
        // @ts-expect-error Nor is the log.
        expect(own.store).toBeUndefined()
        // @ts-expect-error Nor are commands of accounts.
        expect(own.commands.accounts).toBeUndefined()
      },
    })
    const all = { db: 1, guards: 2, people: 3, store: 4, commands: { accounts: 5, invoices: 6 } } as unknown as WiredForHttp
    one.register(fastify(), all)
    expect(seen).toEqual([{ guards: 2, people: 3, commands: { invoices: 6 } }])
  })

  it('an area cannot register what needs more than it names', () => {
    const routes = (_: object, own: Needs<'db' | 'people'>) => void own
    // @ts-expect-error The routes need the database.
    const one = area({ name: 'one', summary: '', endpoints: [], uses: ['people'], register: routes })
    expect(one.uses).toEqual(['people'])
  })

  it('an area has calls that read the read models that there are, each one by some call', () => {
    const read = AREAS.flatMap(({ endpoints }) => endpoints.flatMap(({ reads }) => reads))
    expect(new Set<string>(read)).toEqual(new Set(READ_MODELS.map(({ name }) => name)))
  })

  it('shares no name of a mail with another', () => {
    const names = AREAS.flatMap(({ mails }) => Object.keys(mails))
    expect(names.length).toBeGreaterThan(15)
    expect(new Set(names).size).toBe(names.length)
  })
})
