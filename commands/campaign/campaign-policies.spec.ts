import { describe, expect, it } from 'vitest'
import type { CampaignCommands, Issue } from './campaign-commands.ts'
import { accountFundingPolicy, clockPolicy, type PolicyDeps } from './campaign-policies.ts'

/** Campaigns that are due in the list; `frozen` ones stay due, like rows of parked streams. */
function world({ due, frozen = [], broken = [] }: { due: string[]; frozen?: readonly string[]; broken?: readonly string[] }) {
  const asked: string[] = []
  const ids: string[] = []
  const revisions = new Map<string, number>()
  const revisionOf = (id: string) => revisions.get(id) ?? 1
  const commands = {
    keepClock: async (id: string, { commandIdAt }: Issue) => {
      asked.push(id)
      ids.push(commandIdAt?.(revisionOf(id)) ?? '')
      if (broken.includes(id)) throw new Error('cannot be read')
      if (frozen.includes(id)) return { kind: 'done', events: [] }
      due.splice(due.indexOf(id), 1)
      return { kind: 'done', events: ['FlightChanged'] }
    },
  } as unknown as CampaignCommands
  const deps: PolicyDeps = { commands, now: () => '2030-01-01T00:00:00.000Z', commandId: (...parts) => parts.join(' ') }
  const sweep = clockPolicy(deps, async (_, limit, except) =>
    due
      .filter((id) => !except.includes(id))
      .slice(0, limit)
      .map((id) => ({ id })),
  )
  const round = async () => {
    asked.length = 0
    const found = await sweep.scan([])
    const outcomes = await Promise.allSettled(found.map(({ act }) => act()))
    const failed = outcomes.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return [...asked]
  }
  return { round, ids, moveOn: (id: string) => revisions.set(id, revisionOf(id) + 1) }
}

const campaigns = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`)

describe('the clock policy', () => {
  it('reaches a due campaign behind any number of campaigns that it cannot change', async () => {
    const frozen = campaigns('frozen', 2250)
    const { round } = world({ due: [...frozen, 'late'], frozen })
    const rounds = [await round(), await round(), await round()]
    expect(rounds.map((asked) => asked.length)).toEqual([1000, 1000, 251])
    expect(rounds[2]).toContain('late')
    // Then all of them are scanned again.
    expect([...(await round()), ...(await round()), ...(await round())]).toEqual(frozen)
  })

  it('reaches a due campaign behind campaigns whose commands fail', async () => {
    const broken = campaigns('broken', 3)
    const due = [...broken, 'late']
    const { round } = world({ due, broken })
    await expect(round()).rejects.toThrow('cannot be read')
    expect(due).toEqual(broken)
    await expect(round()).rejects.toThrow('cannot be read')
  })

  it('retries a skipped campaign although other campaigns are due in every scan', async () => {
    const due = ['stale']
    const frozen = ['stale']
    const { round } = world({ due, frozen })
    await round()
    // Its row is current now, and it is due again.
    frozen.length = 0
    const rounds = []
    for (let n = 0; n < 3; n++) {
      due.push(`other-${n}`)
      rounds.push(...(await round()))
    }
    expect(rounds).toContain('stale')
  })

  it('reuses the command id until the stream changes, and issues a new one afterwards although the row is stale', async () => {
    const { round, ids, moveOn } = world({ due: ['frozen'], frozen: ['frozen'] })
    await round()
    await round()
    moveOn('frozen')
    await round()
    expect(ids).toEqual(['clock frozen 1', 'clock frozen 1', 'clock frozen 2'])
  })
})

describe('the funding policy of accounts with a changed balance', () => {
  it('reaches all campaigns of an account that has more of them than one scan takes', async () => {
    const short = campaigns('short', 2500)
    const commands = {
      keepFunding: async (id: string) => {
        short.splice(short.indexOf(id), 1)
        return { kind: 'done', events: ['FundingRestored'] }
      },
    } as unknown as CampaignCommands
    const deps: PolicyDeps = { commands, now: () => '2030-01-01T00:00:00.000Z', commandId: (...parts) => parts.join(' ') }
    const changed = new Set(['one', 'two'])
    const asked: (readonly string[] | null)[] = []
    const sweep = accountFundingPolicy(
      deps,
      async ({ spaceIds }, limit, except) => {
        asked.push(spaceIds)
        const found = short.filter((id) => !except.includes(id)).slice(0, limit)
        return found.map((id) => ({ id }))
      },
      changed,
    )
    for (let round = 0; round < 4; round++) for (const { act } of await sweep.scan([])) await act()
    expect(short).toEqual([])
    expect(changed).toEqual(new Set())
    // Once they were reached, a round asks the database nothing.
    expect(asked).toEqual([
      ['one', 'two'],
      ['one', 'two'],
      ['one', 'two'],
    ])
  })
})
