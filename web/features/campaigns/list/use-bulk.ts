import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListInput, ListRow } from '#contract/campaign-list'
import { BULK_ACTIONS, sendAction, takeBack, undoOf, type SentAction } from '@/app/actions'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { useUndo } from '@/app/shortcuts/use-undo'
import { campaignQueries, MOST_MATCHING, type ListScope } from '@/data/campaign-queries'
import { errorText } from '@/i18n/error-text'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { statusRefusal } from '@/session/can'
import { forEachBounded, WRITES_AT_ONCE } from '../quick-edit/bounded.ts'
import { useTakeBack } from '../quick-edit/use-take-back.ts'

type BulkEntry = (typeof BULK_ACTIONS)[number]
type BulkFailure = { readonly id: string; readonly name: string; readonly text: string }
type Acted = { readonly row: ListRow; readonly back: SentAction }
type Listed = { readonly rows: readonly ListRow[]; readonly total: number; readonly scope: ListScope; readonly input: ListInput }

/** Why an action does not apply, for statuses without a reason of their own. */
const NO_EFFECT = { run: 'bulk.runs', pause: 'bulk.doesNotRun', archive: 'bulk.archived' } as const

/**
 * Selected rows and their bulk actions. Each row has its own outcome; failed rows stay selected with the reason. Actions apply to rows on
 * the screen, or after `selectMatching` to those of every page, until the filters change.
 */
export function useBulk({ rows, total, scope, input }: Listed) {
  const { t } = useTranslation(['campaigns', 'status'])
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const takeBackAll = useTakeBack()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<readonly BulkFailure[]>([])
  /** Campaigns that an action was tried on; null while none is under way. */
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number } | null>(null)
  const running = progress !== null
  const [loading, setLoading] = useState(false)
  const matching = campaignQueries.matching(scope, input)
  const view = JSON.stringify(matching.queryKey)
  /** The list whose rows of every page are selected. */
  const [beyond, setBeyond] = useState<string | null>(null)
  // Also for one that was loaded after the filters had changed.
  if (beyond !== null && (beyond !== view || selected.size === 0)) {
    setBeyond(null)
    setSelected(new Set())
  }
  const { data: further } = useQuery({ ...matching, enabled: beyond === view })
  const shown = new Set(rows.map(({ id }) => id))
  // Rows on the screen may have been edited.
  const known = [...rows, ...(beyond === view ? (further?.data ?? []) : []).filter(({ id }) => !shown.has(id))]
  const here = known.filter(({ id }) => selected.has(id))

  const select = (ids: readonly string[], on: boolean) =>
    setSelected((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))
  const clear = () => {
    setSelected(new Set())
    setBeyond(null)
  }

  /** Resolves with whether they were found. */
  async function selectMatching(): Promise<boolean> {
    setLoading(true)
    try {
      const { data } = await queryClient.fetchQuery(matching)
      setBeyond(view)
      setSelected(new Set(data.map(({ id }) => id)))
      return true
    } catch (error) {
      errorToast(error)
      return false
    } finally {
      setLoading(false)
    }
  }

  function refusalOf({ id, name }: BulkEntry, row: ListRow): string | null {
    const refusal = statusRefusal(id, row)
    if (refusal === null) return null
    return refusal === 'other' ? t(`campaigns:${NO_EFFECT[name]}`) : t(`status:refusal.${refusal}`)
  }

  const refresh = () =>
    Promise.all(
      [campaignQueries.lists(), campaignQueries.details()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )

  async function undo(name: SentAction, acted: readonly Acted[]) {
    await takeBackAll(acted, {
      nameOf: ({ row }) => row.name,
      takeBack: ({ row, back }) => takeBack(name, back, row),
    })
    await refresh()
  }

  async function act(entry: BulkEntry) {
    const all = here.length
    let tried = 0
    setProgress({ done: tried, all })
    const failed = new Map<string, string>()
    const acted: Acted[] = []
    await forEachBounded(here, WRITES_AT_ONCE, async (row) => {
      const refusal = refusalOf(entry, row)
      try {
        if (refusal !== null) failed.set(row.id, refusal)
        else {
          const back = undoOf(entry.name, row, (await sendAction(entry.name, row.id)).status_key)
          if (back !== null) acted.push({ row, back })
        }
      } catch (error) {
        failed.set(row.id, errorText(error))
      }
      setProgress({ done: ++tried, all })
    })
    const done = all - failed.size
    const text = t(`campaigns:bulk.done.${entry.name}`, { count: done })
    if (acted.length > 0) offerUndo({ text, undo: () => undo(entry.name, acted) })
    else if (done > 0) toast.success(text)
    setFailures(here.flatMap(({ id, name }) => (failed.has(id) ? [{ id, name, text: failed.get(id) ?? '' }] : [])))
    setSelected(new Set(failed.keys()))
    setProgress(null)
    await refresh()
  }

  useShortcuts(
    BULK_ACTIONS.map((entry) => ({
      id: `${entry.id}.selected`,
      label: `${t(`campaigns:actions.${entry.name}`)} (${t('campaigns:bulk.chosen', { count: here.length })})`,
      keys: [entry.bulkKeys],
      when: () => here.length > 0 && !running,
      run: () => void act(entry),
    })),
  )

  /** How many rows of every page could be selected; null where the page is all, or not all of it is selected. */
  const more = beyond === null && total > rows.length && rows.every(({ id }) => selected.has(id)) ? total : null
  return {
    selected,
    here,
    known,
    select,
    clear,
    more: more === null ? null : { count: Math.min(more, MOST_MATCHING), isEverything: more <= MOST_MATCHING },
    loading,
    selectMatching,
    act,
    running,
    progress,
    failures,
    dismiss: () => setFailures([]),
  }
}
export type Bulk = ReturnType<typeof useBulk>
