import type { FastifyInstance } from 'fastify'
import { reachOf, type Action, type Actor } from '#domain/kit/access'
import { searchAccounts, searchBoth, waitingCounts, type FoundAccount, type SearchScope } from '#projections/account/search'
import { accountSearch, adminSearch, SEARCH_LIMIT, type FoundAccountItem } from '#contract/accounts'
import type { Served } from '#api/areas/services'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'

/** Rows of each column before anything is typed. */
const BEFORE_TYPING = 20

/** The search drawer and the account finder (platform.md §2). */
export function registerSearchRoutes(app: FastifyInstance, { db, guards }: Served<'db'>): void {
  register(app, guards, adminSearch, async (call) => {
    const actor = personOf(call)
    const scope = scopeOf(actor, 'account.search')
    const [query, limit] = asked(call.body.name)
    const [{ accounts, campaigns }, waiting] = await Promise.all([searchBoth(db, scope, query, limit), waitingCounts(db, scope)])
    const found = {
      campaigns: campaigns.map(({ rank: _, ...campaign }) => ({ type_key: 1 as const, ...campaign })),
      accounts: accounts.map((account) => itemOf(account, actor)),
    }
    // By how well they match, accounts first among equals; the sort keeps the order of each kind.
    const rankOf = [...accounts, ...campaigns].map(({ rank }) => rank)
    const all = [...found.accounts, ...found.campaigns]
    return {
      ...found,
      all: all
        .map((item, i) => ({ item, rank: rankOf[i] ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
      campaigns_in_moderation_count: waiting.campaigns,
      registrants_in_moderation_count: waiting.registrants,
    }
  })

  register(app, guards, accountSearch, async (call) => {
    const actor = personOf(call)
    const accounts = await searchAccounts(db, scopeOf(actor, 'account.list'), ...asked(call.body.name))
    return { accounts: accounts.map((account) => itemOf(account, actor)) }
  })
}

/** The query, and the number of results. */
const asked = (name: string | null | undefined): [query: string, limit: number] => {
  const query = name?.trim() ?? ''
  return [query, query === '' ? BEFORE_TYPING : SEARCH_LIMIT]
}

function scopeOf(actor: Actor, action: Action): SearchScope {
  const reach = reachOf(actor, action)
  return {
    whitelabelId: reach === 'all' ? null : actor.whitelabelId,
    spaceId: reach === 'space' ? actor.homeSpaceId : null,
    ownId: actor.homeSpaceId,
  }
}

const itemOf = ({ house: _, rank: __, ...account }: FoundAccount, actor: Actor): FoundAccountItem => ({
  type_key: 2,
  ...account,
  own: account.space_id === actor.homeSpaceId,
})
