import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { updateCampaign } from '#contract/campaign'
import { call } from '@/data/client'
import { createLimit, WRITES_AT_ONCE } from './bounded.ts'
import { refusalLines } from './refusal-lines.ts'
import type { QuickValues } from './save-fields.ts'

type Asked = { readonly id: string; readonly revision: number; readonly fields: QuickValues }

/** Prediction of the server: refuse, with the reasons, or save, which may change the status or need a review. */
export type Trial =
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  | { readonly kind: 'accepted'; readonly status: number; readonly review: boolean }

/** Asks the server about each change by a dry run, a few at once. Undefined until it has answered. */
export function useTrials(asked: readonly Asked[]): ReadonlyMap<string, Trial> {
  const [limit] = useState(() => createLimit(WRITES_AT_ONCE))
  const answers = useQueries({
    queries: asked.map(({ id, revision, fields }) => ({
      queryKey: ['campaigns', 'trial', id, revision, fields],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        limit(async (): Promise<Trial> => {
          // Text that was typed since needs no answer.
          signal.throwIfAborted()
          try {
            const body = { id, revision, ...fields }
            const answer = await call(updateCampaign, { body, query: { dry_run: 'true' }, signal })
            if (!('diff' in answer)) throw new Error('a dry run answered like a save')
            return { kind: 'accepted', status: answer.status_key, review: answer.moderator_needed }
          } catch (error) {
            if (signal.aborted) throw error
            return { kind: 'refused', lines: await refusalLines(error, Object.keys(fields)) }
          }
        }),
      retry: false,
      gcTime: 0,
      staleTime: Infinity,
    })),
  })
  return new Map(answers.flatMap(({ data }, place) => (data === undefined ? [] : [[asked[place]?.id ?? '', data] as const])))
}
