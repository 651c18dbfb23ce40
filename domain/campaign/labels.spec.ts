import { nameKey } from '#domain/kit/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_LABELS_OF_CAMPAIGN, relabelled } from './labels.ts'

const ids = Array.from({ length: 24 }, (_, n) => `label-${n}`)
const known = new Set(ids.slice(0, 20))
const some = (most: number) => fc.uniqueArray(fc.constantFrom(...ids), { maxLength: most })
const had = fc.uniqueArray(fc.constantFrom(...known), { maxLength: MOST_LABELS_OF_CAMPAIGN }).map((list) => new Set(list))

describe('an edit of the labels of a campaign', () => {
  it('an edit of the labels of a campaign has a way back, has no further effect when it is repeated, and keeps within the bound', () => {
    fc.assert(
      fc.property(had, some(12), some(12), (has, add, remove) => {
        const edit = relabelled(has, { add, remove }, known)
        if (edit.kind === 'unknown') expect(add.some((id) => !known.has(id))).toBe(true)
        if (edit.kind === 'full') expect(new Set([...has, ...add]).size).toBeGreaterThan(MOST_LABELS_OF_CAMPAIGN)
        if (edit.kind !== 'done') return
        expect(edit.labels.size).toBeLessThanOrEqual(MOST_LABELS_OF_CAMPAIGN)
        for (const id of add) expect(edit.labels).toContain(id)
        for (const id of remove) expect(edit.labels.has(id)).toBe(add.includes(id))
        const again = relabelled(edit.labels, { add, remove }, known)
        expect(again).toEqual({ kind: 'done', labels: edit.labels, added: [], removed: [] })
        const back = relabelled(edit.labels, { add: edit.removed, remove: edit.added }, known)
        expect(back.kind === 'done' && [...back.labels].sort()).toEqual([...has].sort())
      }),
      { numRuns: 500 },
    )
  })

  it('an edit of the labels of a campaign that adds a label of no account, or too many, changes nothing', () => {
    expect(relabelled(new Set(), { add: ['label-0', 'label-23'], remove: [] }, known)).toEqual({ kind: 'unknown' })
    const full = new Set(ids.slice(0, 10))
    expect(relabelled(full, { add: ['label-10'], remove: [] }, known)).toEqual({ kind: 'full' })
    expect(relabelled(full, { add: ['label-10'], remove: ['label-0'] }, known)).toMatchObject({
      kind: 'done',
      added: ['label-10'],
      removed: ['label-0'],
    })
  })
})

describe('names of labels', () => {
  it('names that differ in case or composition are the same label', () => {
    expect(nameKey(' Café ')).toBe(nameKey('CAFE\u0301'))
    expect(nameKey('Sale')).not.toBe(nameKey('Sales'))
  })
})
