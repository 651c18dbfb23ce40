import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_TRENDS, TREND_DAYS, type CampaignTrends } from '#contract/campaign-list'
import { DIMENSIONS, MEASURES, type Fact } from '#domain/delivery/batch'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'
import { testClock } from '../support/test-clock.ts'

const DAY_MS = 86_400_000
let today = 0
/** The first hour of the UTC day so many days before today. */
const dayBefore = (n: number) => new Date(today - n * DAY_MS).toISOString()

describe('trends of the campaigns of a page', () => {
  let world: World
  const ids = () => {
    const { A1, A2, B1 } = world.targets
    return [A1, A2, B1].map(({ campaignId }) => campaignId)
  }

  beforeAll(async () => {
    today = Math.floor(testClock.now() / DAY_MS) * DAY_MS
    world = await startTwoWhiteLabels()
    const { campaignId, spaceId } = world.targets.A1
    const factOf = (hour: string, more: Partial<Fact>) =>
      ({
        ...Object.fromEntries(DIMENSIONS.map((name) => [name, name === 'device_type_key' ? 3 : name])),
        ...Object.fromEntries(MEASURES.map((name) => [name, 0])),
        spent: 0,
        billed: 0,
        overdelivered: 0,
        hour,
        campaign_id: campaignId,
        space_id: spaceId,
        whitelabel_id: 'dsp',
        ...more,
      }) as Fact
    await createPostgresFactStore(createKysely(world.product.database.pool)).store({
      id: newId(),
      facts: [
        factOf(dayBefore(0), { impressions: 400, clicks: 4, billed: 2_500_000 }),
        factOf(dayBefore(3), { impressions: 100, clicks: 9, conversions: 1, billed: 1_250_000 }),
        factOf(dayBefore(3).replace('T00', 'T23'), { impressions: 50, os: 'Android' }),
        factOf(dayBefore(TREND_DAYS - 1), { impressions: 7 }),
        factOf(dayBefore(TREND_DAYS).replace('T00', 'T23'), { impressions: 5000 }),
      ],
    })
  })
  afterAll(() => world.stop())

  const as = (name: string) => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no ${name}`)
    return session
  }
  const ask = (name: string, body: object) => as(name).call<CampaignTrends>('POST', '/v1/campaign/list/trends', body)
  const zeros = Array.from({ length: TREND_DAYS }, () => 0)
  const withDays = (values: Readonly<Record<number, number>>) => zeros.map((_, n) => values[TREND_DAYS - 1 - n] ?? 0)

  // covers FP-109
  it('trends of the campaigns of a page have a value for each of the last days, the oldest first, for every metric', async () => {
    const [one = '', other = ''] = ids()
    const { days, trends } = (await ask('WL_OWNER', { ids: [one, other], metric: 'impressions' })).data
    expect(days).toEqual(zeros.map((_, n) => dayBefore(TREND_DAYS - 1 - n).slice(0, 10)))
    expect(trends).toEqual([
      { id: one, values: withDays({ 0: 400, 3: 150, [TREND_DAYS - 1]: 7 }) },
      { id: other, values: zeros },
    ])
    const valuesOf = async (metric: string) => (await ask('USER_OWNER', { ids: [one], metric })).data.trends[0]?.values
    expect(await valuesOf('clicks')).toEqual(withDays({ 0: 4, 3: 9 }))
    expect(await valuesOf('conversions')).toEqual(withDays({ 3: 1 }))
    expect(await valuesOf('spent')).toEqual(withDays({ 0: 2.5, 3: 1.25 }))
  })

  // covers FP-109
  it('trends of the campaigns of a page keep the order of the ids and name each once', async () => {
    const [one = '', other = ''] = ids()
    const { trends } = (await ask('WL_OWNER', { ids: [other, one, other], metric: 'clicks' })).data
    expect(trends.map(({ id }) => id)).toEqual([other, one])
  })

  // covers FP-109
  it('trends of the campaigns of a page leave out what the caller may not read', async () => {
    const all = ids()
    const shown = async (name: string) => {
      const answer = await ask(name, { ids: [...all, 'no-such-campaign'], metric: 'clicks' })
      return answer.code === 0 ? answer.data.trends.map(({ id }) => id) : answer.code
    }
    expect(await shown('SYSTEM_ADMIN')).toEqual(all)
    for (const staff of ['WL_OWNER', 'WL_MODERATOR', 'AUDITOR']) expect(await shown(staff)).toEqual(all.slice(0, 2))
    for (const advertiser of ['USER_OWNER', 'USER_VIEWER']) expect(await shown(advertiser)).toEqual(all.slice(0, 1))
    expect(await shown('A2 USER_OWNER')).toEqual([all[1]])
    for (const other of ['B WL_OWNER', 'B1 USER_OWNER']) expect(await shown(other)).toEqual([all[2]])
    for (const none of ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT']) expect(await shown(none)).toBe(3)
  })

  // covers FP-109
  it('trends of the campaigns of a page are asked for a page at most, and for the figures of the list alone', async () => {
    const code = async (body: object) => (await ask('USER_OWNER', body)).code
    const many = Array.from({ length: MOST_TRENDS + 1 }, (_, n) => `campaign-${n}`)
    expect(await code({ ids: many, metric: 'clicks' })).toBe(2)
    expect(await code({ ids: many.slice(1), metric: 'clicks' })).toBe(0)
    expect(await code({ ids: [], metric: 'clicks' })).toBe(0)
    expect(await code({ ids: ids(), metric: 'reach' })).toBe(2)
  })
})
