import { useQuery } from '@tanstack/react-query'
import { mayEnter } from '@/session/permissions'
import { useMe } from '@/session/session-queries'
import { useDebounced } from '@/lib/use-debounced'
import { campaignQueries } from '@/features/campaigns/campaign-queries'
import { LIST_DEFAULTS } from '@/features/campaigns/list/campaign-list-search'

const CALM_MS = 200
const SHOWN = 5

/** Campaigns by a part of their name, of whatever accounts this person may see; asked once the typing rests. */
export function useFoundCampaigns(typed: string) {
  const { roles } = useMe()
  const name = useDebounced(typed.trim(), CALM_MS)
  const scope = mayEnter(roles, 'campaign.admin-list') ? 'all' : 'account'
  const { data, isFetching } = useQuery({
    ...campaignQueries.list(scope, { ...LIST_DEFAULTS, rows: SHOWN, q: name }),
    enabled: name !== '' && mayEnter(roles, 'campaign.read'),
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

/** The campaign id in what was pasted; null when it is none. */
export const idIn = (typed: string): string | null => (ID.test(typed.trim()) ? typed.trim().toLowerCase() : null)
