import { describe, expect, it } from 'vitest'
import type { CampaignEvent } from '#domain/campaign/events'
import { CONTENT, created, decided, RUNNING, saved } from '#test/support/campaign-facts'
import { commit, given } from '#test/support/given-events'
import { revisionPage, type RevisionFilter } from './queries.ts'
import { campaignRevisions } from './read-model.ts'

const banner = (to: string) => saved({ path: 'visuals.banners[b].creative_name', from: 'b', to })
const budget = (from: number | null, to: number) => saved({ path: 'budget', from, to })

/** Authors and acts, in the order of the revisions, the first of which is 1. */
const STEPS: readonly (readonly [actor: string, event: CampaignEvent])[] = [
  ['ada', created()],
  ['ada', budget(null, 61)],
  ['ada', saved({ path: 'targeting.gender', from: 1, to: 2 })],
  ['marek', banner('Renamed')],
  ...RUNNING.map((event) => [event.type === 'ExchangeDecided' ? 'system:exchanges' : 'marek', event] as const),
  ['ada', saved({ path: 'targeting', from: CONTENT.targeting, to: CONTENT.targeting }, { path: 'budget', from: 61, to: 62 })],
  ['system:exchanges', decided('disapproved')],
]
const log = given(...STEPS.map(([actor, event]) => commit('campaign-c', event, { actor }))).project(campaignRevisions)

const EVERYTHING: RevisionFilter = { author: null, field: null, source: null, day: null }
const found = (filter: Partial<RevisionFilter>, page = 0, size = 100) =>
  log.read((db) => revisionPage(db, 'c', page, size, { ...EVERYTHING, ...filter }))
const revisions = async (filter: Partial<RevisionFilter>) => (await found(filter)).entries.map(({ revision }) => revision)

describe('a search in the change log', () => {
  it.each<readonly [title: string, filter: Partial<RevisionFilter>, found: readonly number[]]>([
    ['finds what a person did, newest first', { author: 'ada' }, [10, 3, 2, 1]],
    ['finds nothing of an unknown person', { author: 'nobody' }, []],
    ['finds what the system did', { source: 'system' }, [11, 8]],
    ['finds what people did', { source: 'people', field: 'targeting' }, [10, 3, 1]],
    ['finds changes of a field', { field: 'budget' }, [10, 2]],
    ['finds changes of a part in those of the whole', { field: 'targeting.gender' }, [10, 3, 1]],
    ['finds changes of the parts of a field', { field: 'exchange_decisions' }, [11, 8, 1]],
    ['finds elements of a list without their ids', { field: 'visuals.banners.creative_name' }, [4, 1]],
    ['does not take the beginning of a name for a field', { field: 'budget_typ' }, []],
    ['takes wildcards literally', { field: 'targ%' }, []],
    ['combines filters', { author: 'ada', field: 'budget' }, [10, 2]],
    ['finds nothing of another day', { day: '2026-11-02' }, []],
    ['finds what happened on a day', { day: '2026-11-01', field: 'budget' }, [10, 2]],
  ])('a search in the change log: %s', async (_, filter, wanted) => expect(await revisions(filter)).toEqual(wanted))

  it('counts what it finds, and returns it in pages', async () => {
    const { entries, total } = await found({ author: 'ada' }, 1, 3)
    expect([total, entries.map(({ revision }) => revision)]).toEqual([4, [1]])
  })

  it('returns the states of an entry although entries in between are left out', async () => {
    const whole = new Map((await found({})).entries.map((entry) => [entry.revision, entry]))
    for (const entry of (await found({ field: 'budget' })).entries) expect(entry).toEqual(whole.get(entry.revision))
    expect((await found({ field: 'budget' })).entries[0]).toMatchObject({
      previous: { budget: 61, visuals: { banners: [{ creative_name: 'Renamed' }] } },
      current: { budget: 62, status_key: 3 },
    })
  })
})

it('each entry begins with the state in which the one before it ends, also after a full state', async () => {
  const names = Array.from({ length: 54 }, (_, n) => saved({ path: 'name', from: `${n}`, to: `${n + 1}` }))
  const long = given(...[created({ name: '0' }), ...names].map((event) => commit('campaign-c', event))).project(campaignRevisions)
  const entries = await long.read((db) => revisionPage(db, 'c', 0, 100))
  expect(entries.entries.at(-1)?.previous).toBeNull()
  for (const [n, { previous }] of entries.entries.slice(0, -1).entries())
    expect(previous).toEqual(entries.entries[n + 1]?.current)
  const newest = await long.read((db) => revisionPage(db, 'c', 0, 1))
  expect(newest.entries).toEqual(entries.entries.slice(0, 1))
})
