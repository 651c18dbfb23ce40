import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { CALLS } from '../support/access-calls.ts'
import { each, makeContent, REACHED, run, titleOf, type Cell, type Content } from '../support/access-runner.ts'
import { expected, PERSONAS, SINGLE, SPACES, type Persona, type RoleName } from '../support/access-table.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

/** A change of rights works within 5 s in sessions that are open. */
const WORKS_MS = 5000

const DOWNLOADS = new Set(ENDPOINTS.filter(({ download }) => download === true).map(({ id }) => id))

/** The users with one role of these, and the single rights that each gets or loses. */
const changedBy = (which: 'for' | 'from') =>
  PERSONAS.flatMap((persona) => {
    const [role, ...others] = persona.roles
    const rights = Object.keys(SINGLE).filter((right) => SINGLE[right]?.[which].includes(role as RoleName))
    return others.length > 0 || rights.length === 0 ? [] : [{ persona, rights }]
  })
const actionsOf = (rights: readonly string[]) => rights.flatMap((right) => SINGLE[right]?.actions ?? [])

/** Fine print 89. */
describe('the access matrix with single rights', () => {
  let world: World
  let content: Content
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
    content = await makeContent()
  })
  afterAll(() => world.stop())

  const idOf = async (name: string) => (await world.sessions[name]?.call<{ id: string }>('GET', '/v1/user/me'))?.data.id ?? ''

  async function change({ name, home }: Persona, rights: readonly string[], what: 'rights' | 'rights/take') {
    const path = `/v1/space/${world.targets[home].spaceId}/team/${await idOf(name)}/${what}`
    for (const right of rights) {
      const answer = await world.sessions['WL_OWNER']?.call('POST', path, what === 'rights' ? { right, until: null } : { right })
      expect([name, right, answer?.code]).toEqual([name, right, 0])
    }
  }

  async function mismatches(persona: Persona): Promise<readonly string[]> {
    const self = await idOf(persona.name)
    const cells = CALLS.flatMap((call) => SPACES.map((space): Cell => ({ persona, call, space })))
    const ask = async (cell: Cell) => ({ cell, answer: await run(world, content, cell) })
    const some = (isDownload: boolean) => cells.filter(({ call }) => DOWNLOADS.has(call.endpoint) === isDownload)
    const received = [...(await each(some(false), ask))]
    // A user has four downloads at once.
    for (const cell of some(true)) received.push(await ask(cell))
    return received.flatMap(({ cell, answer: { status, code } }) => {
      const want = expected(persona, cell.call, cell.space, self === world.targets[cell.space].userId)
      const agrees = want === 'allowed' ? REACHED.includes(code) : status === want.status && code === want.code
      return agrees ? [] : [`${titleOf(cell)}: ${JSON.stringify(want)}, but ${status} with ${code}`]
    })
  }

  it('lets users with what was granted do its calls in their own reach, and nowhere else', async () => {
    const all = changedBy('for')
    expect(all.length).toBe(4)
    for (const { persona, rights } of all) await change(persona, rights, 'rights')
    await new Promise((resolve) => setTimeout(resolve, WORKS_MS))
    for (const { persona, rights } of all) expect(await mismatches({ ...persona, granted: actionsOf(rights) })).toEqual([])
    for (const { persona, rights } of all) await change(persona, rights, 'rights/take')
  })

  it('refuses users what was taken from them, and nothing else', async () => {
    const all = changedBy('from')
    expect(all.length).toBe(4)
    for (const { persona, rights } of all) await change(persona, rights, 'rights/take')
    await new Promise((resolve) => setTimeout(resolve, WORKS_MS))
    for (const { persona, rights } of all) expect(await mismatches({ ...persona, taken: actionsOf(rights) })).toEqual([])
    for (const { persona, rights } of all) await change(persona, rights, 'rights')
  })
})
