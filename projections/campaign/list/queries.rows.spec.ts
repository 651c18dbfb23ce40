import { describe, expect, it } from 'vitest'
import { accounts } from '#projections/account/read-model'
import { CONTENT, created, flight, plain, rejected, RUNNING, submitted } from '#test/support/campaign-facts'
import { commit, given } from '#test/support/given-events'
import { listCampaigns, type ListFilter } from './queries.ts'
import { campaignList } from './read-model.ts'

const NAMES = { draft: '100 % Весна_1', waiting: 'Moderated', rejected: 'Loud', running: 'Autumn', paused: 'beach', ended: 'Old' }
const EVENTS = {
  draft: [],
  waiting: [submitted(1)],
  rejected: [submitted(1), rejected(1)],
  running: RUNNING,
  paused: [...RUNNING, plain('CampaignSwitchedOff')],
  ended: [...RUNNING, flight('ended')],
}
const IDS = Object.keys(EVENTS) as (keyof typeof EVENTS)[]
const list = given(
  ...IDS.map((id) => commit(`campaign-${id}`, [created({ name: NAMES[id] }, id), ...EVENTS[id]])),
  commit('campaign-foreign', {
    type: 'CampaignCreated',
    data: {
      id: 'foreign',
      space_id: 'lagos',
      whitelabel_id: 'other',
      content: { ...CONTENT, name: 'Foreign' },
      replicated_from: null,
    },
  }),
).project(campaignList, accounts)

const EVERYTHING: ListFilter = {
  reach: { whitelabelId: null, spaceId: null },
  spaceIds: null,
  name: null,
  statuses: null,
  labels: null,
  order: { field: 'name', ascending: true },
  page: 0,
  pageSize: 100,
}
const found = (filter: Partial<ListFilter>) => list.read((db) => listCampaigns(db, { ...EVERYTHING, ...filter }))
const ids = async (filter: Partial<ListFilter>) => (await found(filter)).rows.map(({ id }) => id)

describe('the list of campaigns', () => {
  it.each<readonly [title: string, filter: Partial<ListFilter>, ids: readonly string[]]>([
    ['finds a part of a name, in any case', { name: 'ВЕСНА_1' }, ['draft']],
    ['takes % and _ of a name literally', { name: '100 %' }, ['draft']],
    ['finds no name in which _ would be any sign', { name: 'весна-' }, []],
    ['finds the campaigns of one status', { statuses: [41] }, ['paused']],
    ['finds the campaigns of several statuses', { statuses: [0, 2] }, ['draft', 'foreign', 'rejected']],
    ['finds the campaigns of an account', { spaceIds: ['lagos'] }, ['foreign']],
    ['finds the campaigns of several accounts', { spaceIds: ['lagos', 'nile'], statuses: [0] }, ['draft', 'foreign']],
    ['combines filters', { spaceIds: ['nile'], statuses: [0, 41], name: 'b' }, ['paused']],
    ['ends with the white-label in reach', { reach: { whitelabelId: 'other', spaceId: null } }, ['foreign']],
    ['ends with the account in reach', { reach: { whitelabelId: null, spaceId: 'lagos' }, statuses: [0, 41] }, ['foreign']],
    ['finds no campaign with a label that no campaign has', { labels: ['none'] }, []],
  ])('the list of campaigns: %s', async (_, filter, wanted) => expect(await ids(filter)).toEqual(wanted))

  const nile = { spaceIds: ['nile'] }
  const byName = ['draft', 'running', 'paused', 'rejected', 'waiting', 'ended']
  it.each<readonly [title: string, order: ListFilter['order'], ids: readonly string[]]>([
    ['name, in any case', { field: 'name', ascending: true }, byName],
    ['name, backwards', { field: 'name', ascending: false }, byName.toReversed()],
    [
      'status, running first',
      { field: 'status', ascending: true },
      ['running', 'waiting', 'paused', 'draft', 'rejected', 'ended'],
    ],
    [
      'a figure, those without one as zero',
      {
        field: 'figures',
        ascending: false,
        values: new Map([
          ['ended', 2],
          ['draft', 7],
        ]),
      },
      ['draft', 'ended', 'running', 'waiting', 'paused', 'rejected'],
    ],
  ])('the list of campaigns is sorted by %s', async (_, order, wanted) => expect(await ids({ ...nile, order })).toEqual(wanted))

  it('the list of campaigns has pages from zero, and counts all that it finds', async () => {
    const page = await found({ ...nile, page: 1, pageSize: 4 })
    expect([page.total, page.rows.map(({ id }) => id)]).toEqual([6, byName.slice(4)])
  })
})
