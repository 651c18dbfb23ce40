import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_AUTHORS, type LogEntry, type RevisionAuthor, type RevisionLine } from '#contract/audit'
import { EXCHANGES } from '#domain/campaign/content/options'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Page = { readonly current_page: number; readonly total_size: number; readonly data: readonly LogEntry[] }

describe('search in the change log', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let id: string
  let everything: Page

  const log = async (query: Record<string, string | number>, session = owner): Promise<Page> => {
    const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
    return (await session.call<Page>('GET', `/v1/campaign/revision/snapshot/${id}?${search}`)).data
  }
  /** Later reads include the write. */
  const written = async (body: Record<string, unknown>) => {
    const { data } = await ada.call('PUT', '/v1/campaign', body)
    await owner.call('GET', `/v1/campaign/revision/count/${id}`, undefined, { 'x-position': data.position })
  }
  const revisions = (page: Page) => page.data.map(({ revision }) => revision)
  /** Revisions that a filter should return, computed from the whole log. */
  const expected = (keep: (entry: LogEntry) => boolean) => everything.data.filter(keep).map(({ revision }) => revision)

  beforeAll(async () => {
    product = await startTestProduct()
    ;[ada, owner, moderator] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('owner@dsp.example'),
      product.as('moderator@dsp.example'),
    ])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, {}))).data.id
    await ada.call('PUT', '/v1/campaign', { id, budget: 61 })
    await ada.call('PUT', '/v1/campaign', { id, targeting: { gender: 2 } })
    await owner.call('POST', `/v1/campaign/admin/${id}`, { margin: 9, comment: 'A word among us' })
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', { id })
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: id,
      moderation_start_at: data.moderation_start_at,
    })
    // No more entries follow once every exchange has decided.
    await eventually(
      () => log({ 'page-size': 1 }),
      ({ data }) => Object.keys(data[0]?.current_state['exchange_decisions'] ?? {}).length === EXCHANGES.length,
    )
    await written({ id, budget: 62, targeting: { gender: 3 } })
    everything = await log({ 'page-size': 150 })
  })
  afterAll(() => product.stop())

  it('filters by user', async () => {
    const ids = new Map(everything.data.map((entry) => [entry.author, entry.author_id]))
    const author = [...ids.values()].find((one) => one !== null && one === everything.data.at(-1)?.author_id) ?? ''
    const page = await log({ author })
    expect(revisions(page)).toEqual(expected((entry) => entry.author_id === author))
    expect([page.total_size, page.data.length < everything.data.length]).toEqual([page.data.length, true])
    expect((await log({ author: 'unknown' })).data).toEqual([])
  })

  it('separates users from the system', async () => {
    const [people, system] = [await log({ source: 'people' }), await log({ source: 'system' })]
    expect(revisions(people)).toEqual(expected((entry) => entry.author_id !== null))
    expect(revisions(system)).toEqual(expected((entry) => entry.author_id === null))
    expect(people.total_size + system.total_size).toBe(everything.total_size)
    expect(system.total_size).toBeGreaterThan(0)
  })

  // covers FP-32
  it('stores a full state every 50 revisions, from which the states after it are folded', async () => {
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    let position = ''
    for (let budget = 52; budget <= 102; budget += 1)
      position = (await ada.call('PUT', '/v1/campaign', { id: data.id, budget })).data.position
    const budgets = async () => {
      const path = `/v1/campaign/revision/snapshot/${data.id}?page-num=1&page-size=2`
      const page = await owner.call<Page>('GET', path, undefined, { 'x-position': position })
      return page.data.data.map(({ previous_state, current_state }) => [previous_state?.['budget'], current_state['budget']])
    }
    const before = await budgets()
    expect(before).toEqual([
      [101, 102],
      [100, 101],
    ])
    const full = `select revision, full_state ->> 'budget' as budget from rm_campaign_revisions where campaign_id = $1 and full_state is not null`
    expect((await product.database.pool.query(full, [data.id])).rows).toEqual([{ revision: 50, budget: '100000000' }])
    // Differences before the full state are not needed.
    await product.database.pool.query(
      `update rm_campaign_revisions set changes = '[]' where campaign_id = $1 and revision < 50`,
      [data.id],
    )
    expect(await budgets()).toEqual(before)
  })

  it('counts and pages the filtered entries', async () => {
    const all = revisions(await log({ source: 'people' }))
    const second = await log({ source: 'people', 'page-num': 2, 'page-size': 2 })
    expect(revisions(second)).toEqual(all.slice(2, 4))
    expect([second.current_page, second.total_size]).toEqual([2, all.length])
  })

  it('combines filters', async () => {
    expect(revisions(await log({ source: 'system', field: 'budget' }))).toEqual([])
    expect((await owner.call('GET', `/v1/campaign/revision/snapshot/${id}?source=unknown`)).code).not.toBe(0)
  })

  it('lists the authors of revisions as choices', async () => {
    const { data } = await owner.call<RevisionLine[]>('GET', `/v1/campaign/revision/index/${id}`)
    const page = await log({ 'page-size': 150 })
    expect(data).toEqual(
      page.data.map(({ revision, author, author_id, commit_date }) => ({ revision, author, author_id, commit_date })),
    )
    expect((await ada.call('GET', `/v1/campaign/revision/index/${id}`)).code).toBe(3)
  })

  // covers FP-28 FP-105
  it('says who saved since a revision to those who may read the campaign, without what changed', async () => {
    const since = async (session: Session, after: number) =>
      (await session.call<RevisionAuthor[]>('GET', `/v1/campaign/revision/authors/${id}?after=${after}`)).data
    const { data: lines } = await owner.call<RevisionLine[]>('GET', `/v1/campaign/revision/index/${id}`)
    const adas = lines.at(-1)?.author_id ?? ''
    // Staff read every name; an advertiser those of the account, and what the others are.
    for (const [session, own] of [
      [owner, lines.find(({ author }) => author === 'Olivia Mbeki')?.author_id],
      [ada, adas],
    ] as const)
      for (const after of [0, 2, lines.length - 1, lines.length])
        expect(await since(session, after)).toEqual(
          lines
            .filter(({ revision }) => revision > after)
            .slice(0, MOST_AUTHORS)
            .map(({ revision, author, author_id, commit_date }) => ({
              revision,
              author: session === owner || author_id === adas ? author : expect.stringMatching(/^(Exchange|Platform|Moderator)$/),
              own: author_id !== null && author_id === own,
              commit_date,
            })),
        )
    const kinds = new Set((await since(ada, 0)).map(({ author }) => author))
    expect(kinds).toContain('Moderator')
    expect(kinds).toContain('Platform')
    expect((await ada.call('GET', `/v1/campaign/revision/authors/${id}?after=-1`)).code).toBe(2)
    expect((await (await product.as('bola@lagos.example')).call('GET', `/v1/campaign/revision/authors/${id}?after=0`)).code).toBe(
      130,
    )
  })
})
