import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyForm } from '../form-mapping.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { isSame } from '../creatives/wire-values.ts'
import { mergedForm, mergeFields, type FieldMerge, type Side } from './three-way.ts'

const EMPTY = emptyForm('awareness')
const word = fc.constantFrom('', 'a', 'b', 'c')
const banner = fc
  .tuple(fc.constantFrom('b1', 'b2', 'b3', 'b4'), word)
  .map(([fileId, creativeName]) => ({ id: null, width: 300, height: 250, fileId, url: null, creativeName }))

/** One or two fields of every kind: plain, within a group, a list that is one value, parts that belong together, creatives. */
const forms: fc.Arbitrary<CampaignFormValues> = fc
  .record({
    name: word,
    budget: word,
    appName: word,
    gender: fc.integer({ min: 1, max: 3 }),
    languages: fc.uniqueArray(word),
    monday: fc.uniqueArray(word),
    banners: fc.uniqueArray(banner, { selector: ({ fileId }) => fileId }),
  })
  .map(({ appName, gender, languages, monday, ...rest }) => ({
    ...EMPTY,
    ...rest,
    goalFields: { ...EMPTY.goalFields, appName },
    targeting: { ...EMPTY.targeting, gender, languages },
    frequency: { ...EMPTY.frequency, scheduling: { ...EMPTY.frequency.scheduling, '1': monday } },
  }))

const picking = (side: Side, merges: readonly FieldMerge[]) => new Map(merges.map(({ field }) => [field, side] as const))
/** A list of creatives is the same in any order: the order of banners says nothing. */
const inOrder = (values: CampaignFormValues) => ({
  ...values,
  banners: values.banners.toSorted((a, b) => a.fileId.localeCompare(b.fileId)),
})
const all = (check: (base: CampaignFormValues, mine: CampaignFormValues, theirs: CampaignFormValues) => void) =>
  fc.assert(fc.property(forms, forms, forms, check))

describe('two versions of a campaign', () => {
  it('two versions of a campaign that are the same have no conflict, and merge into themselves', () => {
    fc.assert(
      fc.property(forms, forms, (base, mine) => {
        const merges = mergeFields(base, mine, mine)
        expect(merges.filter(({ conflict }) => conflict)).toEqual([])
        expect(mergedForm(mine, merges, new Map())).toEqual(mine)
        expect(mergeFields(mine, mine, mine)).toEqual([])
      }),
    )
  })

  it('two versions of a campaign of which one was not touched merge into the other', () => {
    fc.assert(
      fc.property(forms, forms, (base, other) => {
        for (const [mine, theirs] of [
          [other, base],
          [base, other],
        ] as const) {
          const merges = mergeFields(base, mine, theirs)
          expect(merges.some(({ conflict }) => conflict)).toBe(false)
          expect(inOrder(mergedForm(theirs, merges, new Map()))).toEqual(inOrder(other))
        }
      }),
    )
  })

  it('two versions of a campaign are in conflict about a field if and only if both changed it, each to something else', () => {
    all((base, mine, theirs) => {
      const merges = mergeFields(base, mine, theirs)
      for (const { base: was, mine: here, theirs: there, conflict, by } of merges) {
        expect(conflict).toBe(!isSame(was, here) && !isSame(was, there) && !isSame(here, there))
        expect(by).toBe(isSame(was, there) ? 'mine' : isSame(was, here) ? 'theirs' : 'both')
      }
    })
  })

  it('two versions of a campaign merge into what keeps everything that only one of them changed', () => {
    all((base, mine, theirs) => {
      const merges = mergeFields(base, mine, theirs)
      const merged = mergedForm(theirs, merges, new Map())
      for (const { by, field } of merges) {
        if (by === 'both') continue
        // Seen from the merged version, that field is as the one who changed it left it.
        const left = mergeFields(merged, by === 'mine' ? mine : theirs, merged).map((one) => one.field)
        expect(left).not.toContain(field)
      }
    })
  })

  it('two versions of a campaign merge, picking mine throughout, into mine and other changes of theirs, and vice versa', () => {
    all((base, mine, theirs) => {
      const merges = mergeFields(base, mine, theirs)
      const mineFirst = mergedForm(theirs, merges, picking('mine', merges))
      const theirsFirst = mergedForm(theirs, merges, picking('theirs', merges))
      const swapped = mergeFields(base, theirs, mine)
      expect(inOrder(mergedForm(mine, swapped, picking('theirs', swapped)))).toEqual(inOrder(mineFirst))
      expect(inOrder(mergedForm(mine, swapped, picking('mine', swapped)))).toEqual(inOrder(theirsFirst))
      for (const { field, conflict } of merges) {
        if (!conflict) continue
        expect(mergeFields(mineFirst, mine, mineFirst).map((one) => one.field)).not.toContain(field)
        expect(mergeFields(theirsFirst, theirs, theirsFirst).map((one) => one.field)).not.toContain(field)
      }
    })
  })

  it('two versions of a campaign are left as they were', () => {
    all((base, mine, theirs) => {
      const before = JSON.stringify([base, mine, theirs])
      const merges = mergeFields(base, mine, theirs)
      mergedForm(theirs, merges, picking('mine', merges))
      expect(JSON.stringify([base, mine, theirs])).toBe(before)
    })
  })
})

describe('concurrent edits of one campaign', () => {
  const creative = (fileId: string, creativeName = fileId) => ({
    id: null,
    width: 300,
    height: 250,
    fileId,
    url: null,
    creativeName,
  })
  const merged = (
    mine: Partial<CampaignFormValues>,
    theirs: Partial<CampaignFormValues>,
    base: Partial<CampaignFormValues> = {},
  ) => {
    const [was, here, there] = [base, mine, theirs].map((patch) => ({ ...EMPTY, ...base, ...patch }))
    if (was === undefined || here === undefined || there === undefined) throw new Error('three forms')
    const merges = mergeFields(was, here, there)
    return {
      form: mergedForm(there, merges, new Map()),
      conflicts: merges.flatMap(({ field, conflict }) => (conflict ? [field] : [])),
    }
  }

  it('a campaign to which two people add a banner each has both', () => {
    const old = creative('old')
    const { form, conflicts } = merged(
      { banners: [old, creative('mine')] },
      { banners: [creative('theirs'), old] },
      { banners: [old] },
    )
    expect(form.banners.map(({ fileId }) => fileId)).toEqual(['theirs', 'old', 'mine'])
    expect(conflicts).toEqual([])
  })

  it('a banner that one user removes and another renames is asked about', () => {
    const { conflicts } = merged({ banners: [] }, { banners: [creative('b1', 'new')] }, { banners: [creative('b1')] })
    expect(conflicts).toEqual(['banners[b1]'])
  })

  it('the country is set for good by the first of two people who set it', () => {
    const { form, conflicts } = merged({ country: 'NGA' }, { country: 'EGY' })
    expect([form.country, conflicts]).toEqual(['EGY', []])
  })
})
