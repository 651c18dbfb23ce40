import { systemContext } from '#domain/kit/event-metadata'
import { noticesOf, type BalanceNotice, type Funds } from '#domain/account/low-balance'
import { FULL_SCAN, type Sweep } from '../sweep.ts'
import type { AccountCommands } from './account-commands.ts'

export type LowBalanceDeps = {
  readonly accounts: AccountCommands
  readonly fundsOf: (
    spaceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Funds & { readonly notices: readonly BalanceNotice[] }>>
  /** Space ids after this one, in their order. */
  readonly idsAfter: (spaceId: string, limit: number) => Promise<readonly string[]>
  /** Accounts whose money moved, once read models show it; the policy empties it. */
  readonly changed: Set<string>
  readonly newId: () => string
}

/**
 * Records notices of a low balance (decisions G-207): of every account after a start, then of those whose money moved. The account decides
 * against the notices that it has, so nothing is recorded twice.
 */
export function lowBalancePolicy({ accounts, fundsOf, idsAfter, changed, newId }: LowBalanceDeps): Sweep {
  /** Accounts up to here were looked at since the start; null once all were. */
  let through: string | null = ''

  async function next(): Promise<readonly string[]> {
    if (through !== null) {
      const ids = await idsAfter(through, FULL_SCAN)
      through = ids.length < FULL_SCAN ? null : (ids.at(-1) ?? null)
      for (const id of ids) changed.add(id)
    }
    return [...changed].slice(0, FULL_SCAN)
  }

  return {
    name: 'low-balance',
    scan: async (except) => {
      const ids = (await next()).filter((id) => !except.includes(id))
      if (ids.length === 0) return []
      // Before the read: money that moves during it is read in the next round.
      for (const id of ids) changed.delete(id)
      const funds = await fundsOf(ids).catch((error: unknown) => {
        for (const id of ids) changed.add(id)
        throw error
      })
      return [...funds]
        .filter(([, { notices, ...fund }]) => noticesOf(fund, notices).join() !== notices.join())
        .map(([id, { available, daily }]) => ({
          key: id,
          act: async () => {
            try {
              await accounts.execute(id, systemContext('funding', newId()), { type: 'NoteFunds', available, daily })
            } catch (error) {
              changed.add(id)
              throw error
            }
          },
        }))
    },
  }
}
