import { MONEY_KEYS } from '#domain/campaign/content/content'
import { z } from '#contract/zod'
import { auditFilters, filtersOf, type AuditFilters } from './audit-search.ts'

/** Questions that auditors ask often, and those that a user saved. */

export const QUESTIONS = {
  money: { by: 'staff', field: [...MONEY_KEYS, 'credit_limit'].join(',') },
  budget: { field: 'budget' },
  decisions: { type: 'CampaignApproved,CampaignRejected,RegistrationApproved,RegistrationRejected' },
  credit: { type: 'CreditLimitChanged,FundsCredited,FundsCorrected' },
} as const satisfies Readonly<Record<string, Partial<AuditFilters>>>
export const QUESTION_NAMES = ['money', 'budget', 'decisions', 'credit'] as const satisfies readonly (keyof typeof QUESTIONS)[]

const saved = z.object({ name: z.string().check(z.minLength(1), z.maxLength(100)), filters: auditFilters })
export type SavedQuestion = z.output<typeof saved>

const MOST = 30
const keyOf = (person: string) => `DSP_AUDIT_QUESTIONS ${person}`

export function readQuestions(person: string): readonly SavedQuestion[] {
  try {
    const read = z.array(saved).safeParse(JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]'))
    return read.success ? read.data.slice(0, MOST) : []
  } catch {
    return []
  }
}

const write = (person: string, questions: readonly SavedQuestion[]) => {
  localStorage.setItem(keyOf(person), JSON.stringify(questions.slice(0, MOST)))
  return questions.slice(0, MOST)
}

/** Saves a question; one of the same name is replaced. */
export const saveQuestion = (person: string, name: string, filters: AuditFilters): readonly SavedQuestion[] =>
  write(person, [...readQuestions(person).filter((known) => known.name !== name), { name, filters: filtersOf(filters) }])

export const removeQuestion = (person: string, name: string): readonly SavedQuestion[] =>
  write(
    person,
    readQuestions(person).filter((known) => known.name !== name),
  )
