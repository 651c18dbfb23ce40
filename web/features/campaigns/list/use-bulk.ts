import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { pauseCampaign, runCampaign, toggleArchive } from '../../../../api/contract/campaign.ts'
import { call } from '@/data/client'
import { canArchive, runStateOf } from '@/data/campaign-status'
import { errorText } from '@/i18n/error-text'
import { campaignQueries } from '../campaign-queries.ts'

export type BulkAction = 'run' | 'pause' | 'archive'
export type BulkFailure = { readonly id: string; readonly name: string; readonly text: string }

const CALLS = { run: runCampaign, pause: pauseCampaign, archive: toggleArchive } as const

/** Chosen rows, and one action for all of them: each has its own outcome, and what failed says why. */
export function useBulk(rows: readonly ListRow[]) {
  const { t } = useTranslation(['campaigns', 'status'])
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<readonly BulkFailure[]>([])
  const [running, setRunning] = useState<BulkAction | null>(null)
  // Rows of another page or filter are not acted on unseen.
  const here = rows.filter(({ id }) => chosen.has(id))

  const choose = (ids: readonly string[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))

  /** Why an action cannot be meant for a row; null when it is sent. */
  function refusalOf(action: BulkAction, { status_key }: ListRow): string | null {
    if (action === 'archive') return canArchive(status_key) ? null : t('campaigns:bulk.archived')
    const { action: offered, refusal } = runStateOf(status_key)
    if (refusal !== null) return t(`status:refusal.${refusal}`)
    return offered === action ? null : t(action === 'run' ? 'campaigns:bulk.runs' : 'campaigns:bulk.doesNotRun')
  }

  async function act(action: BulkAction) {
    setRunning(action)
    const failed: BulkFailure[] = []
    for (const row of here) {
      const refusal = refusalOf(action, row)
      if (refusal !== null) failed.push({ id: row.id, name: row.name, text: refusal })
      else
        await call(CALLS[action], { body: row.id }).catch((error: unknown) => {
          failed.push({ id: row.id, name: row.name, text: errorText(error) })
        })
    }
    const done = here.length - failed.length
    if (done > 0) toast.success(t(`campaigns:bulk.done.${action}`, { count: done }))
    setFailures(failed)
    // What failed stays chosen, so that it can be tried again.
    setChosen(new Set(failed.map(({ id }) => id)))
    setRunning(null)
    await queryClient.invalidateQueries({ queryKey: campaignQueries.lists() })
    await queryClient.invalidateQueries({ queryKey: campaignQueries.details() })
  }

  return { chosen, here, choose, act, running, failures, dismiss: () => setFailures([]) }
}
export type Bulk = ReturnType<typeof useBulk>
