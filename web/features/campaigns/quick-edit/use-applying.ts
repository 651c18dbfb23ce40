import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forEachBounded, WRITES_AT_ONCE } from './bounded.ts'
import { refusalLines } from './refusal-lines.ts'
import { FieldsChanged, type QuickValues } from './save-fields.ts'
import type { QuickEdit, Saved } from './use-quick-edit.ts'
import '@/i18n/texts/quick-edit'

/** Saved values of one campaign. */
type Applied = { readonly was: QuickValues; readonly fields: QuickValues }
type Ready<Plan> = { readonly id: string; readonly revision: number; readonly plan: Plan }

/** How an applied row ended; `plan` is what was applied. */
export type Outcome<Plan> = {
  readonly kind: 'saving' | 'saved' | 'failed'
  readonly plan: Plan
  readonly lines: readonly string[]
}

/** Saves changes of many campaigns, a few at once. Each has its own outcome, and one Undo takes all of them back. */
export function useApplying<Plan extends Applied>(edit: QuickEdit) {
  const { t } = useTranslation('quickEdit')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<Plan>>>(new Map())
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  const count = (kind: Outcome<Plan>['kind']) => [...outcomes.values()].filter((outcome) => outcome.kind === kind).length

  /** Resolves with the ids of those that were saved; none while others are being saved: two presses of Enter must not apply twice. */
  async function apply(ready: readonly Ready<Plan>[]): Promise<readonly string[]> {
    if (busy.current || ready.length === 0) return []
    busy.current = true
    setRunning(true)
    const done: Saved[] = []
    const end = (id: string, outcome: Outcome<Plan>) => setOutcomes((before) => new Map(before).set(id, outcome))
    await forEachBounded(ready, WRITES_AT_ONCE, async ({ id, revision, plan }) => {
      end(id, { kind: 'saving', plan, lines: [] })
      try {
        done.push(await edit.save({ id, revision, was: plan.was, fields: plan.fields }))
        end(id, { kind: 'saved', plan, lines: [] })
      } catch (error) {
        const lines = error instanceof FieldsChanged ? [t('changedSince')] : await refusalLines(error, Object.keys(plan.fields))
        end(id, { kind: 'failed', plan, lines })
      }
    })
    busy.current = false
    setRunning(false)
    if (done.length === 0) void edit.refresh()
    else edit.report(t('done', { count: done.length }), done)
    return done.map(({ save: { id } }) => id)
  }

  return {
    outcomes,
    running,
    saved: count('saved'),
    failed: count('failed'),
    apply,
    /** Failures belong to another change. */
    forgetFailures: () => setOutcomes((before) => new Map([...before].filter(([, { kind }]) => kind === 'saved'))),
  }
}
