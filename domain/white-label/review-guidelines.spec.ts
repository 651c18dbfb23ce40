import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  GUIDELINE_LIMITS,
  guidelineFaults,
  tidiedGuidelines,
  type CannedReason,
  type ReviewGuidelines,
} from './review-guidelines.ts'

const texts = (text: string) => ({ en: text, ru: text })
const reason = (patch: Partial<CannedReason> = {}): CannedReason => ({
  topic: 'Alcohol',
  active: true,
  title: texts('Alcohol'),
  text: texts('Alcohol is not advertised here.'),
  ...patch,
})
const NONE: ReviewGuidelines = { reject_reasons: [], review_checklist: [], second_look_share: 5, banned_words: [] }
const faults = (sent: Parameters<typeof guidelineFaults>[0]) => guidelineFaults(sent).map(({ path, key }) => `${path} ${key}`)

/** Fine print 101. */
describe('guidelines of moderators', () => {
  it('guidelines of moderators have at most 100 reasons and 30 lines', () => {
    const reasons = (count: number) => Array.from({ length: count }, () => reason())
    expect(faults({ reject_reasons: reasons(100), review_checklist: reasons(30).map(({ title }) => title) })).toEqual([])
    expect(faults({ reject_reasons: reasons(101) })).toEqual(['reject_reasons tooMany'])
    expect(faults({ review_checklist: reasons(31).map(({ title }) => title) })).toEqual(['review_checklist tooMany'])
  })

  it('guidelines of moderators need every text in both languages, but for the topic', () => {
    expect(faults({ reject_reasons: [reason({ topic: '' })] })).toEqual([])
    expect(faults({ reject_reasons: [reason(), reason({ title: { en: '', ru: 'Алкоголь' } })] })).toEqual([
      'reject_reasons[1].title.en required',
    ])
    expect(faults({ review_checklist: [{ en: 'Price', ru: '' }] })).toEqual(['review_checklist[0].ru required'])
  })

  it('guidelines of moderators have texts of limited length', () => {
    const long = (max: number) => texts('x'.repeat(max))
    const { title, text, topic, line } = GUIDELINE_LIMITS
    const longest = reason({ title: long(title), text: long(text), topic: 'x'.repeat(topic) })
    expect(faults({ reject_reasons: [longest], review_checklist: [long(line)] })).toEqual([])
    const longer = reason({ title: long(title + 1), text: long(text + 1), topic: 'x'.repeat(topic + 1) })
    expect(faults({ reject_reasons: [longer], review_checklist: [long(line + 1)] })).toHaveLength(7)
  })

  it('guidelines of moderators are trimmed, keep their order, and stay the same object where nothing differs', () => {
    const known = { ...NONE, reject_reasons: [reason(), reason({ active: false })], review_checklist: [texts('Price')] }
    const sent = {
      reject_reasons: [reason({ topic: ' Alcohol ' }), reason({ active: false })],
      review_checklist: [texts(' Price')],
    }
    const tidied = tidiedGuidelines(sent, known)
    expect(tidied.reject_reasons).toBe(known.reject_reasons)
    expect(tidied.review_checklist).toBe(known.review_checklist)
    expect(tidiedGuidelines({ reject_reasons: known.reject_reasons.toReversed() }, known).reject_reasons).toEqual(
      known.reject_reasons.toReversed(),
    )
    expect(tidiedGuidelines({}, known)).toEqual({})
  })

  it('guidelines of moderators are tidied once: tidying again changes nothing', () => {
    const some = fc.record({
      topic: fc.string(),
      active: fc.boolean(),
      title: fc.record({ en: fc.string(), ru: fc.string() }),
      text: fc.record({ en: fc.string(), ru: fc.string() }),
    })
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 5 }), (reject_reasons) => {
        const once = tidiedGuidelines({ reject_reasons }, NONE)
        const known = { ...NONE, ...once }
        return tidiedGuidelines(once, known).reject_reasons === known.reject_reasons
      }),
    )
  })

  it('guidelines of moderators take a whole percentage of second looks', () => {
    for (const second_look_share of [0, 5, 100]) expect(faults({ second_look_share })).toEqual([])
    for (const second_look_share of [-1, 101, 2.5, Number.NaN])
      expect(faults({ second_look_share })).toEqual(['second_look_share wholeNumber'])
  })

  it('guidelines of moderators have at most 500 banned words of 100 characters, each of them once', () => {
    const words = (count: number, length = 10) => Array.from({ length: count }, (_, i) => String(i).padStart(length, 'x'))
    expect(faults({ banned_words: words(500, 100) })).toEqual([])
    expect(faults({ banned_words: words(501) })).toEqual(['banned_words tooMany'])
    expect(faults({ banned_words: ['fine', 'x'.repeat(101)] })).toEqual(['banned_words[1] maxLength'])
    expect(tidiedGuidelines({ banned_words: [' Vodka ', '', 'водка', 'VODKA', '  '] }, NONE)).toEqual({
      banned_words: ['Vodka', 'водка'],
    })
    const known = { ...NONE, banned_words: ['Vodka'] }
    expect(tidiedGuidelines({ banned_words: ['Vodka', 'vodka'] }, known).banned_words).toBe(known.banned_words)
  })
})
