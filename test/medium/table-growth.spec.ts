import { expect, it, onTestFinished } from 'vitest'
import { eventually, publishable, startTestProduct } from '../support/product.ts'

it('tables of read models do not grow with every save of a campaign', async () => {
  const product = await startTestProduct()
  onTestFinished(() => product.stop())
  const { pool } = product.database
  const room = async () => {
    const { rows } = await pool.query<{ base: string; pages: number; out_of_line: number }>(`
      select split_part(relname, '__', 1) as base, (pg_relation_size(oid) / 8192)::int as pages,
        (pg_relation_size(reltoastrelid) / 8192)::int as out_of_line
      from pg_class where relkind = 'r' and relname similar to 'rm_campaign_(states|revision_heads|list)\\_\\_%' order by 1`)
    return rows
  }
  const ada = await product.as('ada@nile.example')
  const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
  let budget = 100
  const grownBySaves = async () => {
    const before = await room()
    for (const end = budget + 200; budget < end; budget++)
      expect(await ada.call('PUT', '/v1/campaign', { id: data.id, budget })).toMatchObject({ code: 0 })
    const seen = await eventually(
      () => ada.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.budget === budget - 1,
    )
    expect(seen.data.budget).toBe(budget - 1)
    const after = await room()
    expect(after.map(({ base }) => base)).toEqual(['rm_campaign_list', 'rm_campaign_revision_heads', 'rm_campaign_states'])
    expect(after.map(({ out_of_line }) => out_of_line)).toEqual([0, 0, 0])
    return Math.max(...after.map(({ pages }, i) => pages - (before[i]?.pages ?? 0)))
  }
  // An open reader delays the reuse of space; a table that grows with saves grows in every round.
  const grown: number[] = []
  while (grown.length < 4 && (grown.at(-1) ?? Infinity) > 3) grown.push(await grownBySaves())
  expect(grown.at(-1), `pages by round: ${grown.join(', ')}`).toBeLessThanOrEqual(3)
})
