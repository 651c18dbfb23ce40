import { useQueryClient } from '@tanstack/react-query'
import type { Campaign } from '#contract/campaign-body'
import type { ListRow } from '#contract/campaign-list'
import { useUndo } from '@/app/shortcuts/use-undo'
import { campaignQueries } from '@/data/campaign-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { saveAt, saveFields, type FieldsSave } from './save-fields.ts'
import type { KeptPlaces } from './use-kept-places.ts'
import { useTakeBack } from './use-take-back.ts'

/** A save that has succeeded. */
export type Saved = { readonly save: FieldsSave; readonly campaign: Campaign }

/** Values of a saved campaign that a row of the list shows. */
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
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const takeBack = useTakeBack()

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
    await takeBack(saved, {
      nameOf: ({ campaign }) => campaign.name,
      takeBack: async ({ save, campaign: { revision } }) => show(await saveAt({ id: save.id, revision, fields: save.was })),
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
