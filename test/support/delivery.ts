import { expect } from 'vitest'
import { newId } from '#platform/ids'
import { eventually, publishable, sessionOf, type Session, type TestProduct } from './product.ts'
import { SERVICE } from './demo-config.ts'
import { testClock } from './test-clock.ts'

export { DELIVERED, SERVICE } from './demo-config.ts'

const HOUR_MS = 3_600_000

/** The UTC hour that runs now, or so many hours before. */
export const hour = (before = 0): string => new Date((Math.floor(testClock.now() / HOUR_MS) - before) * HOUR_MS).toISOString()

export type Row = Readonly<Record<string, unknown>>
type Sent = {
  readonly rows: number
  readonly repeated: boolean
  readonly errors: readonly { readonly path: string; readonly code: number }[]
}

/** Ada's campaigns in a product, approved and running, and a bidder that delivers them. */
export async function deliveryIn(product: TestProduct) {
  const ada: Session = await product.as('ada@nile.example')
  const moderator = await product.as('moderator@dsp.example')
  const bidder = sessionOf(product.base, SERVICE)
  const space = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id

  /** Waits until policies have recorded what leads to the status. */
  async function status(id: string, wanted: number): Promise<void> {
    await eventually(
      () => ada.call('GET', `/v1/campaign/${id}`),
      ({ data }) => data.status_key === wanted,
    )
  }

  const send = (id: string, rows: readonly Row[]) => bidder.call<Sent>('POST', '/v1/delivery/batches', { batch_id: id, rows })

  return {
    ada,
    bidder,
    space,
    status,

    /** A campaign that a moderator approved and the built-in exchanges let run. */
    running: async (fields: Row = {}): Promise<string> => {
      const content = await publishable(product.base, ada, { name: `Delivered ${newId()}`, ...fields })
      const made = await ada.call('POST', '/v1/campaign/saveAndPublish', content)
      expect(made.code).toBe(0)
      const { id } = made.data
      const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${id}`)).data
      const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
        campaign_id: id,
        moderation_start_at,
      })
      expect(approved.code).toBe(0)
      await status(id, 3)
      return id
    },

    send,

    /** Delivers for so much, and waits until the ledger has the charge. */
    charge: async (campaign_id: string, spent: number, impressions = 100): Promise<void> => {
      const settled = async () => {
        const { rows } = await product.database.pool.query<{ n: number }>(
          `select count(*)::int as n from app.delivery_charges c join app.settlements s on s.space_id = c.space_id
             and s.number = c.settlement and s.recorded where c.space_id = $1`,
          [space],
        )
        return rows[0]?.n ?? 0
      }
      const before = await settled()
      expect((await send(newId(), [{ hour: hour(), campaign_id, impressions, spent }])).code).toBe(0)
      await eventually(settled, (now) => now === before + 1)
    },
  }
}
