import { createHash } from 'node:crypto'
import type { Micros } from '#domain/kit/money'

export type Charge = {
  readonly batch_id: string
  readonly campaign_id: string
  readonly hour: Date
  readonly amount: Micros
}

/** SHA-256 in hex over the charges of a settlement, one line each, ordered by batch, campaign and hour. */
export function chargesHash(charges: readonly Charge[]): string {
  const hash = createHash('sha256')
  for (const { batch_id, campaign_id, hour, amount } of charges)
    hash.update(`${JSON.stringify([batch_id, campaign_id, hour.toISOString(), amount])}\n`)
  return hash.digest('hex')
}
