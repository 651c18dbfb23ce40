import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { labelCampaigns } from '#contract/labels'
import { useUndo } from '@/app/shortcuts/use-undo'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { LABELLED } from './label-queries.ts'
import '@/i18n/texts/labels'

export type LabelChange = { readonly campaign_id: string; readonly add: readonly string[]; readonly remove: readonly string[] }
type Result = Awaited<ReturnType<typeof send>>['results'][number]

const send = (changes: readonly LabelChange[]) =>
  call(labelCampaigns, {
    body: { changes: changes.map(({ campaign_id, add, remove }) => ({ campaign_id, add: [...add], remove: [...remove] })) },
  })

/** Changes labels of campaigns in one call: each row has its own outcome, and one Undo takes back what has changed. */
export function useLabelChanges() {
  const { t } = useTranslation('labels')
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const refresh = () => Promise.all(LABELLED.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

  async function undo(done: readonly Result[]) {
    try {
      const { results } = await send(
        done.map(({ campaign_id, added, removed }) => ({ campaign_id, add: removed, remove: added })),
      )
      const failed = results.filter(({ code }) => code !== 0).length
      if (failed === 0) toast.success(t('undone', { count: done.length }))
      else toast.error(t('notUndone', { count: failed }))
    } catch (error) {
      errorToast(error)
    }
    await refresh()
  }

  return async (changes: readonly LabelChange[]): Promise<readonly Result[]> => {
    const { results } = await send(changes)
    await refresh()
    const done = results.filter(({ code, added, removed }) => code === 0 && added.length + removed.length > 0)
    if (done.length > 0) offerUndo({ text: t('done', { count: done.length }), undo: () => undo(done) })
    return results
  }
}
export type LabelChanges = ReturnType<typeof useLabelChanges>
