import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attention } from '#contract/attention'
import { createKysely } from '#platform/database/pool'
import { failedPayments } from '#projections/account/attention-queries'
import { PERSONAS } from '../support/access-table.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

describe('the list of what needs the signed-in user', () => {
  let world: World
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
  })
  afterAll(() => world.stop())

  const query = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> =>
    (await world.product.database.pool.query<T>(text, [...values])).rows
  const attentionOf = async (name: string): Promise<Attention> => {
    const answer = await world.sessions[name]?.call<Attention>('GET', '/v1/attention')
    expect([name, answer?.code]).toEqual([name, 0])
    if (answer === undefined) throw new Error(`there is no user ${name}`)
    return answer.data
  }

  it.each(PERSONAS.map(({ name, roles }) => [name, roles] as const))(
    'the list of what needs the signed-in user is answered to %s within its rights',
    async (name, roles) => {
      const { campaigns, work } = await attentionOf(name)
      expect(work !== null).toBe(roles.some((role) => role === 'WL_OWNER' || role === 'SYSTEM_ADMIN'))
      // Staff act in the house of their white-label until they switch.
      expect(campaigns !== null).toBe(roles.some((role) => role === 'USER_OWNER' || role === 'USER_VIEWER'))
    },
  )

  it('counts for an owner the work of the own white-label alone, and for an administrator that of all', async () => {
    const { A1, B1 } = world.targets
    await query(
      `insert into rm_payments (id, space_id, whitelabel_id, amount, currency, card_id, origin, status, failure_code, actor, created_at, refunded, version)
       select 'failed-' || s.id || n, s.id, s.label, 7500000, 'USD', 'card', 'manual', 'failed', 'expired_card', 'u',
         to_char(now() - make_interval(mins => n), 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 0, 1
       from (values ($1, 'dsp'), ($2, 'other')) s(id, label), generate_series(1, 2) n`,
      [A1.spaceId, B1.spaceId],
    )
    await query(`update rm_campaign_list set status_key = 44 where id = any($1)`, [[A1.campaignId, B1.campaignId]])
    await query(`update rm_accounts set notices = '{empty}' where space_id = any($1)`, [[A1.spaceId, B1.spaceId]])
    const [a, b, all] = [await attentionOf('WL_OWNER'), await attentionOf('B WL_OWNER'), await attentionOf('SYSTEM_ADMIN')]
    const spaces = (found: Attention, of: 'low_accounts' | 'failed_payments') => found.work?.[of].first.map((one) => one.space_id)
    expect(spaces(a, 'low_accounts')).toContain(A1.spaceId)
    expect(spaces(a, 'low_accounts')).not.toContain(B1.spaceId)
    expect(spaces(b, 'low_accounts')).toEqual([B1.spaceId])
    // Two of one account count once.
    expect(spaces(a, 'failed_payments')).toEqual([A1.spaceId])
    expect(b.work?.failed_payments).toMatchObject({
      count: 1,
      first: [{ space_id: B1.spaceId, amount: 7.5, failure_code: 'expired_card' }],
    })
    expect(new Set(spaces(all, 'failed_payments'))).toEqual(new Set([A1.spaceId, B1.spaceId]))
    const waiting = async (label: string | null) => {
      const [row] = await query<{ reviews: number; registrants: number; chats: number }>(
        `select (select count(*)::int from rm_moderation_queue where submission is not null and not archived and ($1::text is null or whitelabel_id = $1)) as reviews,
           (select count(*)::int from identity.people where status_key = 1 and 'USER_OWNER' = any(roles) and ($1::text is null or whitelabel_id = $1)) as registrants,
           (select count(*)::int from app.chats where waiting and ($1::text is null or whitelabel_id = $1)) as chats`,
        [label],
      )
      return row
    }
    for (const [found, label] of [
      [a, 'dsp'],
      [b, 'other'],
      [all, null],
    ] as const)
      expect({
        reviews: found.work?.reviews.count,
        registrants: found.work?.registrants,
        chats: found.work?.unanswered_chats,
      }).toEqual(await waiting(label))
    expect(a.work?.reviews.count).toBeGreaterThan(0)

    // A later payment that succeeded settles the matter.
    await query(
      `insert into rm_payments (id, space_id, whitelabel_id, amount, currency, card_id, origin, status, actor, created_at, refunded, version)
       values ('paid', $1, 'other', 7500000, 'USD', 'card', 'manual', 'succeeded', 'u', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 0, 1)`,
      [B1.spaceId],
    )
    expect((await attentionOf('B WL_OWNER')).work?.failed_payments).toEqual({ count: 0, first: [] })
  })

  it('leaves out a payment that failed more than seven days ago', async () => {
    await query(
      `insert into rm_payments (id, space_id, whitelabel_id, amount, currency, card_id, origin, status, actor, created_at, refunded, version)
       values ('old', 'old', 'old', 7500000, 'USD', 'card', 'manual', 'failed', 'u', '2026-11-01T12:00:00.000Z', 0, 1)`,
    )
    const db = createKysely(world.product.database.pool)
    const foundAt = async (now: string) => (await failedPayments(db, 'old', now)).map(({ id }) => id)
    expect(await foundAt('2026-11-08T11:59:59.000Z')).toEqual(['old'])
    expect(await foundAt('2026-11-08T12:00:00.000Z')).toEqual([])
  })
})
