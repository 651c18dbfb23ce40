import { describe, expect, it } from 'vitest'
import { asAsker, createLanes, type Asker } from './lanes.ts'

const lanes = () => createLanes({ calls: 4, policies: 1 })
const of = (account: string | null, purpose: Asker['purpose'] = 'calls'): Asker => ({ purpose, account })

/** Asks, and notes the name when a connection is given. */
function noting({ take }: ReturnType<typeof createLanes>) {
  const given: string[] = []
  const backs = new Map<string, () => void>()
  return {
    given,
    ask: (name: string, asker: Asker) =>
      void asAsker(asker, take).then((back) => {
        given.push(name)
        backs.set(name, back)
      }),
    giveBack: (name: string) => backs.get(name)?.(),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

describe('connections by purpose', () => {
  it('connections by purpose leave those of policies free while calls use up theirs', async () => {
    const { ask, given, settled } = noting(lanes())
    for (let n = 0; n < 6; n++) ask(`call ${n}`, of(`account ${n}`))
    ask('policy', of(null, 'policies'))
    await settled()
    expect(given).toEqual(['call 0', 'call 1', 'call 2', 'call 3', 'policy'])
  })

  it('connections by purpose give one account at most three quarters of a lane', async () => {
    const all = lanes()
    const { ask, given, settled } = noting(all)
    for (let n = 0; n < 9; n++) ask(`one ${n}`, of('one'))
    await settled()
    expect(given).toEqual(['one 0', 'one 1', 'one 2'])
    expect([asAsker(of('one'), all.isFull), asAsker(of('other'), all.isFull)]).toEqual([true, false])
    ask('other', of('other'))
    await settled()
    expect(given.at(-1)).toBe('other')
  })

  it('connections by purpose give one account at most half of the connections for reports', async () => {
    const { ask, given, settled } = noting(createLanes({ reports: 3 }))
    for (let n = 0; n < 3; n++) ask(`one ${n}`, { purpose: 'reports', account: 'one' })
    ask('other', { purpose: 'reports', account: 'other' })
    await settled()
    expect(given).toEqual(['one 0', 'other'])
  })

  it('connections by purpose go to waiting accounts in turn, however many requests one of them has', async () => {
    const { ask, given, giveBack, settled } = noting(lanes())
    for (let n = 0; n < 9; n++) ask(`one ${n}`, of('one'))
    for (let n = 0; n < 3; n++) ask(`other ${n}`, of('other'))
    ask('third', of('third'))
    await settled()
    expect(given).toEqual(['one 0', 'one 1', 'one 2', 'other 0'])
    for (const name of ['one 0', 'one 1', 'one 2', 'other 0']) {
      giveBack(name)
      await settled()
    }
    expect(given.slice(4)).toEqual(['one 3', 'other 1', 'third', 'one 4'])
  })

  it('connections by purpose come back once, however often they are given back', async () => {
    const { ask, given, giveBack, settled } = noting(createLanes({ calls: 1 }))
    for (const name of ['first', 'second', 'third']) ask(name, of(null))
    await settled()
    giveBack('first')
    giveBack('first')
    await settled()
    expect(given).toEqual(['first', 'second'])
  })

  it('connections of a purpose that the process does not have are those of its own work', async () => {
    const all = createLanes({ policies: 1 })
    expect(asAsker(of('one'), all.purpose)).toBe('policies')
    expect(all.size).toBe(1)
  })
})
