import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { CampaignEvent } from '#domain/campaign/events'
import { CONTENT, created, plain, RUNNING, submitted } from '#test/support/campaign-facts'
import { commit, given, minute } from '#test/support/given-events'
import { accounts } from '#projections/account/read-model'
import { audienceUses, namesAudience, servingUses } from './audience-queries.ts'
import { campaignList } from './read-model.ts'

const selection = (segments: object) => ({ includeAny: [], include: [], exclude: [], ...segments })
const naming = (id: string, segments: object, events: readonly CampaignEvent[]) => {
  const targeting = { ...CONTENT.targeting, segment_audiences: selection(segments) }
  return commit(`campaign-${id}`, [created({ targeting }, id), ...events])
}
const log = given(
  naming('including', { include: ['a', 'b'] }, RUNNING),
  naming('any', { includeAny: ['a'] }, RUNNING),
  naming('excluding', { exclude: ['a'] }, RUNNING),
  naming('other', { include: ['b'] }, RUNNING),
  naming('none', {}, RUNNING),
  naming('draft', { include: ['a'] }, []),
  naming('waiting', { include: ['a'] }, [submitted(1)]),
  naming('paused', { include: ['a'] }, [...RUNNING, plain('CampaignSwitchedOff')]),
  naming('archived', { include: ['a'] }, [...RUNNING, plain('CampaignArchived')]),
).project(campaignList, accounts)

// covers FP-62
it('campaigns that may serve with an audience are those that run and include or exclude it, in its white-label', async () => {
  const found = (whitelabelId: string, id: string) => log.read((db) => servingUses(db, whitelabelId, id))
  const uses = await found('dsp', 'a')
  expect(uses.map(({ id }) => id).toSorted()).toEqual(['any', 'excluding', 'including'])
  expect(uses.find(({ id }) => id === 'excluding')).toEqual({
    id: 'excluding',
    approvedAt: minute(2),
    audiences: selection({ exclude: ['a'] }),
  })
  expect(await found('ng', 'a')).toEqual([])
  expect(await found('dsp', 'c')).toEqual([])
})

it('campaigns that name an audience are found by an index, without reading the states of the others', async () => {
  const plan = await log.read(async (db) => {
    // As where the table is large.
    for (const scan of ['seqscan', 'indexscan']) await sql`set local ${sql.raw(`enable_${scan}`)} = off`.execute(db)
    return sql`explain select id from rm_campaign_states s where ${namesAudience('a')}`.execute(db)
  })
  expect(JSON.stringify(plan.rows)).toMatch(/Index Scan on \w+audiences_idx/)
})

it('campaigns that use audiences are all that name one, but those in the archive', async () => {
  const uses = await log.read((db) => audienceUses(db, ['nile']))
  expect(uses.map(({ id }) => id).toSorted()).toEqual(['any', 'draft', 'excluding', 'including', 'other', 'paused', 'waiting'])
})
