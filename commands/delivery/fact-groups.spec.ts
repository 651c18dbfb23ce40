import { describe, expect, it } from 'vitest'
import type { Fact } from '#domain/delivery/batch'
import type { FactBatch } from '#factstore/fact-store'
import type { BatchInbox } from './delivery-port.ts'
import { createFactGroups, ROWS_OF_A_GROUP } from './fact-groups.ts'

/** An inbox whose batches are free, but for some that another process has, and a store that finishes when a test says so. */
function place(taken: readonly string[] = []) {
  const inserts: FactBatch[] = []
  const marked: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const inbox = {
    group: async (ids: readonly string[]) => ids.filter((id) => !taken.includes(id)),
    stored: async (group: string) => void marked.push(group),
  } as Pick<BatchInbox, 'group' | 'stored'> as BatchInbox
  const store = {
    store: (batch: FactBatch) =>
      new Promise<void>((resolve, reject) => {
        inserts.push(batch)
        ends.push((error) => (error === undefined ? resolve() : reject(error)))
      }),
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1))
  return { ...createFactGroups({ inbox, store }), inserts, marked, ends, settle }
}

const batch = (id: string, rows = 1) => ({ id, facts: Array.from({ length: rows }, () => ({ creative_id: id })) as Fact[] })
const shown = ({ id, facts }: FactBatch) => [id, facts.map(({ creative_id }) => creative_id).join('')]

describe('batches for a fact store outside', () => {
  it('batches are stored at once when they come alone, and together when they come while another is being stored', async () => {
    const { add, ends, inserts, marked, settle } = place()
    const added = [add(batch('a')), add(batch('b')), add(batch('c'))]
    await settle()
    expect(inserts.map(shown)).toEqual([['a', 'a']])
    ends[0]?.()
    await added[0]
    await settle()
    expect(inserts.map(shown)).toEqual([
      ['a', 'a'],
      ['b', 'bc'],
    ])
    expect(marked).toEqual(['a'])
    ends[1]?.()
    await Promise.all(added)
    expect(marked).toEqual(['a', 'b'])
  })

  it('batches for a fact store outside are as many as one insert takes well, and one at least', async () => {
    const { add, ends, inserts, settle } = place()
    const added = [1, ROWS_OF_A_GROUP + 1, ROWS_OF_A_GROUP - 1, 1, 1].map((rows, n) => add(batch(String(n), rows)))
    for (let n = 0; n < 4; n++) {
      await settle()
      ends[n]?.()
    }
    await Promise.all(added)
    expect(inserts.map(({ id, facts }) => [id, facts.length])).toEqual([
      ['0', 1],
      ['1', ROWS_OF_A_GROUP + 1],
      ['2', ROWS_OF_A_GROUP],
      ['4', 1],
    ])
  })

  it('batches for a fact store outside fail together, and the next ones are stored all the same', async () => {
    const { add, ends, inserts, marked, settle } = place()
    const first = add(batch('a'))
    const failed = Promise.allSettled([add(batch('b')), add(batch('c'))])
    await settle()
    ends[0]?.()
    await first
    await settle()
    ends[1]?.(new Error('away'))
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = add(batch('d'))
    await settle()
    ends[2]?.()
    await next
    expect([inserts.length, marked]).toEqual([3, ['a', 'd']])
  })

  it('batches of a group of another process are left to that process', async () => {
    const { add, ends, inserts, settle } = place(['a'])
    await add(batch('a'))
    expect(inserts).toEqual([])
    const both = Promise.all([add(batch('b')), add(batch('a')), add(batch('c'))])
    await settle()
    ends[0]?.()
    await both
    expect(inserts.map(shown)).toEqual([['b', 'bc']])
  })
})
