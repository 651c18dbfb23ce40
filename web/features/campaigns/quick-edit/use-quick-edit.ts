import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { ListRow } from '#contract/campaign-list'
import { UNDO_MS, useUndo } from '@/app/shortcuts/use-undo'
import { campaignQueries } from '@/data/campaign-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { errorText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { forEachBounded } from './bounded.ts'
import { isChangedSince, saveAt, saveFields, type FieldsSave } from './save-fields.ts'
import type { KeptPlaces } from './use-kept-places.ts'

/** Writes of an account that the server works on at once. */
export const WRITES_AT_ONCE = 3

/** Campaigns that a message names. */
const MOST_NAMED = 3

/** A save that has succeeded. */
export type Saved = { readonly save: FieldsSave; readonly campaign: Campaign }

/** What a row of the list shows of a saved campaign. */
const shownOf = ({ name, budget, campaign_start_at, campaign_end_at, status_key, status_reasons, revision }: Campaign) => ({
  name,
  budget,
  campaign_start_at,
  campaign_end_at,
  status_key,
  status_reasons: [...status_reasons],
  revision,
})

/** Saves fields of campaigns from the list: the rows show them at once and stay in their places, and one Undo takes them back. */
export function useQuickEdit(places: KeptPlaces) {
  const { t } = useTranslation('campaigns')
  const queryClient = useQueryClient()
  const offerUndo = useUndo()

  async function show(campaign: Campaign) {
    const { queryKey } = campaignQueries.detail(campaign.id)
    // Reads that began before the save would bring the old values back.
    await Promise.all([
      queryClient.cancelQueries({ queryKey, exact: true }),
      queryClient.cancelQueries({ queryKey: campaignQueries.lists() }),
    ])
    queryClient.setQueryData(queryKey, campaign)
    places.keep(campaign.id, (row) => ({ ...row, ...shownOf(campaign) }))
    queryClient.setQueriesData<{ readonly data: readonly ListRow[] }>({ queryKey: campaignQueries.lists() }, (page) =>
      page === undefined
        ? undefined
        : { ...page, data: page.data.map((row) => (row.id === campaign.id ? { ...row, ...shownOf(campaign) } : row)) },
    )
  }

  const refresh = () =>
    Promise.all(
      [campaignQueries.lists(), campaignQueries.logs(), moderationQueries.all()].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )

  /** Puts back what the saves changed, where the revision is still theirs. */
  async function undo(saved: readonly Saved[]) {
    const failures: string[] = []
    await forEachBounded(saved, WRITES_AT_ONCE, async ({ save, campaign }) => {
      try {
        await show(await saveAt({ id: save.id, revision: campaign.revision, fields: save.was }))
      } catch (error) {
        failures.push(`${campaign.name}: ${isChangedSince(error) ? t('edit.changedSince') : errorText(error)}`)
      }
    })
    const done = saved.length - failures.length
    if (failures.length === 0) toast.success(t('edit.undone', { count: done }))
    else
      toast.error(t('edit.notUndone', { done, count: failures.length }), {
        description: failures.slice(0, MOST_NAMED).join(' '),
        duration: UNDO_MS,
      })
    await refresh()
  }

  return {
    /** Saves one campaign. Throws refusals, and `FieldsChanged` after a concurrent change of the same fields. */
    save: async (save: FieldsSave): Promise<Saved> => {
      const campaign = await saveFields(save)
      await show(campaign)
      return { save, campaign }
    },
    /** Reports finished saves and offers to undo them. */
    report: (text: string, saved: readonly Saved[]) => {
      void refresh()
      offerUndo({ text, undo: () => undo(saved) })
    },
    refresh,
  }
}
export type QuickEdit = ReturnType<typeof useQuickEdit>
