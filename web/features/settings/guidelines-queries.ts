import { queryOptions } from '@tanstack/react-query'
import { readWhiteLabel, saveWhiteLabel } from '#contract/white-label'
import type { CannedReason, ChecklistLine } from '#contract/review-guidelines'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'

const KEY = ['review-guidelines'] as const

/** Queries that changes of guidelines make out of date: the form of the white-label and open reviews too. */
export const GUIDELINE_KEYS = [KEY, ['white-labels'], moderationQueries.guidelinesOfAll()]

export type Guidelines = {
  readonly reject_reasons: CannedReason[]
  readonly review_checklist: ChecklistLine[]
  /** Percent. */
  readonly second_look_share: number
  readonly banned_words: string[]
}

export const guidelines = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call(readWhiteLabel, { params: { id }, signal }),
    select: ({ whitelabel_settings }): Guidelines => whitelabel_settings,
  })

export const saveGuidelines = (id: string, changes: Partial<Guidelines>) =>
  call(saveWhiteLabel, { params: { id }, body: { whitelabel_settings: changes } })

/** The field of a dialog that a fault of the server is about; the list as a whole stands at the first one. */
export function fieldOf(path: string): string {
  const [, own] = /^whitelabel_settings\.(second_look_share|banned_words)\b/.exec(path) ?? []
  if (own !== undefined) return own
  const [, list = '', rest = ''] = /^whitelabel_settings\.(reject_reasons|review_checklist)(?:\[\d+\])?\.?(.*)$/.exec(path) ?? []
  const first = list === 'review_checklist' ? 'line_en' : 'title_en'
  if (rest === '') return first
  return list === 'review_checklist' ? `line_${rest}` : rest.replace('.', '_')
}

/** Changes one entry: faults name the fields of its dialog. */
export async function saveEntry(id: string, changes: Partial<Guidelines>): Promise<unknown> {
  try {
    return await saveGuidelines(id, changes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, key, message, status, data, requestId, faults } = error
    const named = faults.map((fault) => ({ ...fault, path: fieldOf(fault.path) }))
    throw new AppError({ code, key, message, status, data, requestId, faults: named })
  }
}

/** The list with an entry at this place instead of the one there; after the last one, it is added. */
export const withEntry = <Entry>(list: readonly Entry[], at: number, entry: Entry): Entry[] => [
  ...list.slice(0, at),
  entry,
  ...list.slice(at + 1),
]
