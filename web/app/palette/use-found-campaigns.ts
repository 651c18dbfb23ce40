import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/session/can'
import { shownSpace } from '@/session/identity'
import { useDebounced } from '@/lib/use-debounced'
import { campaignQueries } from '@/data/campaign-queries'

const CALM_MS = 200
const SHOWN = 5

/** Returns campaigns by a part of their name, in the accounts that the user may read. Queries when typing pauses. */
export function useFoundCampaigns(typed: string) {
  const can = useCan()
  const name = useDebounced(typed.trim(), CALM_MS)
  const scope = can('campaign.admin-list') ? 'all' : 'account'
  const { data, isFetching } = useQuery({
    ...campaignQueries.list(scope, { page: 0, pageSize: SHOWN, name, space_id: scope === 'all' ? null : shownSpace() }),
    enabled: name !== '' && can('campaign.read'),
    refetchInterval: false,
  })
  return {
    found:
      typed.trim() === '' || name === ''
        ? []
        : (data?.data ?? []).map(({ id, name: label, space_name: account }) => ({
            id,
            label,
            account: scope === 'all' ? account : null,
          })),
    busy: typed.trim() !== name || isFetching,
  }
}

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Returns the pasted campaign id, or null when the text is not an id. */
export const idIn = (typed: string): string | null => (ID.test(typed.trim()) ? typed.trim().toLowerCase() : null)
