import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** A newer build ran beside this one and appended an event that this build cannot decode. */
describe('an event of a newer build', () => {
  let product: TestProduct
  let ada: Session
  let id: string
  beforeAll(async () => {
    product = await startTestProduct({ LOG_LEVEL: 'silent' })
    ada = await product.as('ada@nile.example')
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
    await ada.call('GET', `/v1/campaign/${id}`)
    await product.database.pool.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       select stream_id, version + 1, gen_random_uuid(), 'CampaignUpdated', 2, data, metadata
       from es.events where stream_id = $1 order by version desc limit 1`,
      [`campaign-${id}`],
    )
  })
  afterAll(() => product.stop())

  it('blocks changes of its campaign: the call fails and appends nothing', async () => {
    const before = await product.stored()
    const save = await ada.call('PUT', '/v1/campaign', { id, budget: 60 }, { 'x-position': '0' })
    expect([save.status, save.code]).toEqual([500, 1])
    expect(await product.stored()).toEqual(before)
  })

  it('stops the affected read models, which report the event', async () => {
    const reasons = async () => {
      const { rows } = await product.database.pool.query<{ name: string; message: string | null }>(
        `select name, error ->> 'message' as message from es.subscriptions where status = 'live' order by name`,
      )
      return rows
    }
    const stopped = await eventually(reasons, (rows) => rows.filter(({ message }) => message !== null).length === 4)
    const message = expect.stringMatching(
      /^waiting for a newer version: cannot read CampaignUpdated, schema version 2, at position \d+ \(version \d+ of campaign-.*\): this build knows versions up to 1$/,
    )
    expect(stopped.filter((row) => row.message !== null)).toEqual([
      { name: 'audit-log', message },
      { name: 'campaign-list', message },
      { name: 'campaign-revisions', message },
      { name: 'moderation-queue', message },
    ])
  })

  // covers FP-53
  it('fails only the reads of those read models: all others answer at once, however long the log is', async () => {
    const { space_id } = (await ada.call<{ space_id: string }>('GET', '/v1/user/me', undefined, { 'x-position': '0' })).data
    const [{ head } = { head: '0' }] = (
      await product.database.pool.query<{ head: string }>('select max(position)::text as head from es.events')
    ).rows
    const at = { 'x-position': head }
    const statuses = await Promise.all(
      [
        `/v1/space/balance/${space_id}`,
        '/v1/user/me',
        '/v1/geo/country',
        `/v1/campaign/whitelists/${space_id}`,
        `/v1/campaign/${id}`,
      ].map(async (path) => (await ada.call('GET', path, undefined, at)).status),
    )
    expect(statuses).toEqual([200, 200, 200, 200, 503])
  })

  it('keeps earlier data readable and all other campaigns writable', async () => {
    const read = await ada.call('GET', `/v1/campaign/${id}`, undefined, { 'x-position': '0' })
    expect(read.data).toMatchObject({ id, revision: 1 })
    const other = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada), { 'x-position': '0' })
    expect(other.code).toBe(0)
  })
})
