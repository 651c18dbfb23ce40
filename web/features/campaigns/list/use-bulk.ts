import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { BULK_ACTIONS, sendAction } from '@/app/actions'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { campaignQueries } from '@/data/campaign-queries'
import { errorText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { statusRefusal } from '@/session/can'

type BulkEntry = (typeof BULK_ACTIONS)[number]
type BulkFailure = { readonly id: string; readonly name: string; readonly text: string }

/** Why an action does not apply, for statuses without a reason of their own. */
const NO_EFFECT = { run: 'bulk.runs', pause: 'bulk.doesNotRun', archive: 'bulk.archived' } as const

/** Selected rows and their bulk actions. Each row has its own outcome; failed rows stay selected with the reason. */
export function useBulk(rows: readonly ListRow[]) {
  const { t } = useTranslation(['campaigns', 'status'])
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<readonly BulkFailure[]>([])
  const [running, setRunning] = useState(false)
  // Actions apply only to rows on the screen.
  const here = rows.filter(({ id }) => selected.has(id))

  const select = (ids: readonly string[], on: boolean) =>
    setSelected((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))

  function refusalOf({ id, name }: BulkEntry, row: ListRow): string | null {
    const refusal = statusRefusal(id, row)
    if (refusal === null) return null
    return refusal === 'other' ? t(`campaigns:${NO_EFFECT[name]}`) : t(`status:refusal.${refusal}`)
  }

  async function act(entry: BulkEntry) {
    setRunning(true)
    const failed: BulkFailure[] = []
    for (const row of here) {
      const refusal = refusalOf(entry, row)
      if (refusal !== null) failed.push({ id: row.id, name: row.name, text: refusal })
      else
        await sendAction(entry.name, row.id).catch((error: unknown) => {
          failed.push({ id: row.id, name: row.name, text: errorText(error) })
        })
    }
    const done = here.length - failed.length
    if (done > 0) toast.success(t(`campaigns:bulk.done.${entry.name}`, { count: done }))
    setFailures(failed)
    setSelected(new Set(failed.map(({ id }) => id)))
    setRunning(false)
    await queryClient.invalidateQueries({ queryKey: campaignQueries.lists() })
    await queryClient.invalidateQueries({ queryKey: campaignQueries.details() })
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

  return { selected, here, select, act, running, failures, dismiss: () => setFailures([]) }
}
export type Bulk = ReturnType<typeof useBulk>
