import { beforeEach, expect, it } from 'vitest'
import { MONEY_KEYS } from '#domain/campaign/content/content'
import { EVERY_EVENT } from '#domain/every-event'
import { auditFeed } from '#contract/audit-feed'
import { auditFilters, questionOf, sameFilters } from './audit-search.ts'
import { QUESTION_NAMES, QUESTIONS, readQuestions, removeQuestion, saveQuestion } from './questions.ts'

beforeEach(() => localStorage.clear())

it.each(QUESTION_NAMES)('the question "%s" survives the address, and the server takes it', (name) => {
  const read = auditFilters.parse(QUESTIONS[name])
  expect(sameFilters(read, auditFilters.parse({ ...QUESTIONS[name] }))).toBe(true)
  expect(auditFeed.query.safeParse(questionOf(read)).success).toBe(true)
  for (const type of read.type?.split(',') ?? []) expect(EVERY_EVENT).toHaveProperty(type)
})

it('asks for every money field of a campaign', () => {
  expect(QUESTIONS.money.field.split(',')).toEqual(expect.arrayContaining([...MONEY_KEYS]))
})

it('asks from the beginning of the first day to the end of the last one, by the clock of the user', () => {
  const { from, to } = questionOf(auditFilters.parse({ from: '2026-11-03', to: '2026-11-03' }))
  expect(new Date(from ?? '').getTime()).toBe(new Date(2026, 10, 3).getTime())
  expect(new Date(to ?? '').getTime()).toBe(new Date(2026, 10, 4).getTime())
})

it('keeps the saved questions of each person apart, and replaces one of the same name', () => {
  const budget = auditFilters.parse({ field: 'budget' })
  saveQuestion('ada', 'Mine', budget)
  saveQuestion('ada', 'Mine', auditFilters.parse({ by: 'staff' }))
  expect(readQuestions('ada')).toEqual([{ name: 'Mine', filters: { by: 'staff' } }])
  expect(readQuestions('olga')).toEqual([])
  expect(removeQuestion('ada', 'Mine')).toEqual([])
})

it('ignores what another version or a hand wrote into the store', () => {
  localStorage.setItem('DSP_AUDIT_QUESTIONS ada', '{"broken":')
  expect(readQuestions('ada')).toEqual([])
})
