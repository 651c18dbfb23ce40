import { queryOptions } from '@tanstack/react-query'
import { readSingleSignOn } from '#contract/single-sign-on'
import { call } from '@/data/client'

const KEY = ['single-sign-on'] as const

/** Queries that changes of providers and domains make out of date: the sign-in page too. */
export const SIGN_ON_KEYS = [KEY, ['sign-on'], ['approvals']]

/** Whether a change waits for a second person. */
export const isHeld = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'approval_id' in answer && answer.approval_id !== null

export const signOnSettings = (id: string) =>
  queryOptions({ queryKey: [...KEY, id], queryFn: ({ signal }) => call(readSingleSignOn, { params: { id }, signal }) })
