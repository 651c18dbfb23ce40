import type { AccountState } from '#domain/account/account'
import type { MovementEvent } from '#domain/account/movements'
import { plus, type Sum } from '#domain/kit/money'

/** Two records of the same money that do not agree. Amounts are micros of the account's currency. */
export type Difference = {
  readonly space_id: string
  /** Name of the comparison, such as `settlement`. */
  readonly check: string
  /** Which one: the number of a settlement, the id of a campaign, payment or invoice; empty for the account itself. */
  readonly id: string
  readonly ledger: Sum
  /** The other record: `charges`, `facts`, `screen`, `gateway` or `invoice`. */
  readonly against: string
  readonly other: Sum
}

/** An account as its ledger has it. */
export type Ledger = {
  readonly spaceId: string
  readonly state: AccountState
  readonly movements: readonly MovementEvent[]
  /** Where its books contradict themselves: a chain that is broken, or a month that does not start or end at its sum. */
  readonly faults: readonly Difference[]
}

/** Compares the ledger of an account with one other record. */
export type Check = (ledger: Ledger) => Promise<readonly Difference[]>

/** Differences of sums by id; an id that one side lacks has 0 there. */
export function differencesOf(
  { spaceId }: Pick<Ledger, 'spaceId'>,
  { check, against }: Pick<Difference, 'check' | 'against'>,
  ledger: ReadonlyMap<string, Sum>,
  other: ReadonlyMap<string, Sum>,
): readonly Difference[] {
  return [...new Set([...ledger.keys(), ...other.keys()])]
    .map((id) => ({ space_id: spaceId, check, id, ledger: ledger.get(id) ?? 0, against, other: other.get(id) ?? 0 }))
    .filter((one) => one.ledger !== one.other)
}

/** Sums amounts by id. */
export function sumsBy<T>(rows: Iterable<T>, idOf: (row: T) => string, amountOf: (row: T) => Sum): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const row of rows) sums.set(idOf(row), plus(sums.get(idOf(row)) ?? 0, amountOf(row)))
  return sums
}
