import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { created, plain, saved, submitted } from '#test/support/campaign-facts'
import { commit, given, minute, type Fact } from '#test/support/given-events'
import { readFeed, type FeedFilter } from './queries.ts'
import { auditLog } from './read-model.ts'

const opened = (space_id: string, whitelabel_id: string): Fact => ({
  type: 'AccountOpened',
  data: { space_id, whitelabel_id, name: 'An account', currency: 'USD', house: false },
})
const limited: Fact = { type: 'CreditLimitChanged', data: { credit_limit: 5 } }
const closed: Fact = { type: 'LedgerClosed', data: { count: 1, spent: 1, settlements: 1, settled: 1 } }
const SYSTEM = { actor: 'system:campaigns', role: 'SYSTEM', source: 'policy' } as const

/** Each commit is one event, so that the n-th has the position n, counted from 1. */
const log = given(
  commit('account-nile', opened('nile', 'dsp')),
  commit('account-other', opened('other', 'ng'), SYSTEM),
  commit('account-nile', limited, { actor: 'sade', role: 'WL_OWNER' }),
  commit('ledger-nile-202611', closed, SYSTEM),
  commit('campaign-c', created()),
  commit('campaign-c', saved({ path: 'budget', from: null, to: 7 })),
  commit('campaign-c', submitted(1)),
  commit('campaign-c', plain('CampaignSwitchedOn'), SYSTEM),
).project(auditLog)

const ALL: FeedFilter = {
  whitelabelId: null,
  actor: null,
  by: null,
  kind: null,
  subject: null,
  space: null,
  types: null,
  fields: null,
  from: null,
  to: null,
}
const found = (filter: Partial<FeedFilter>) =>
  log.read(async (db) => {
    await sql`insert into es.subscriptions (name, generation, version, status, position, tables) values ('audit-log', 1, 1, 'live', 8, '{}')`.execute(
      db,
    )
    const range = { after: 0n, before: null, limit: 100 }
    const up = await readFeed(db, { ...ALL, ...filter }, { ...range, descending: false })
    const down = await readFeed(db, { ...ALL, ...filter }, { ...range, descending: true })
    expect(down.rows).toEqual(up.rows.toReversed())
    return up.rows.map(({ position }) => Number(position))
  })

it.each<readonly [what: string, filter: Partial<FeedFilter>, positions: readonly number[]]>([
  ['every event', {}, [1, 2, 3, 4, 5, 6, 7, 8]],
  ['what people did', { by: 'people' }, [1, 3, 5, 6, 7]],
  ['what the system did', { by: 'system' }, [2, 4, 8]],
  ['what staff did', { by: 'staff' }, [3]],
  ['what advertisers did', { by: 'advertisers' }, [1, 5, 6, 7]],
  ['what a person did', { actor: 'sade' }, [3]],
  ['accounts', { kind: 'account' }, [1, 2, 3]],
  ['books', { kind: 'ledger' }, [4]],
  ['a campaign', { kind: 'campaign', subject: 'c' }, [5, 6, 7, 8]],
  ['a subject of any kind', { subject: 'c' }, [5, 6, 7, 8]],
  ['an account with its books and campaigns', { space: 'nile' }, [1, 3, 4, 5, 6, 7, 8]],
  ['a white-label', { whitelabelId: 'ng' }, [2]],
  ['a type of a white-label', { whitelabelId: 'dsp', types: ['AccountOpened', 'LedgerClosed'] }, [1, 4]],
  ['several types', { types: ['CampaignCreated', 'CreditLimitChanged'] }, [3, 5]],
  ['a type by an author', { types: ['CampaignSwitchedOn', 'CampaignCreated'], by: 'system' }, [8]],
  ['no event of an unknown type', { types: ['Unheard'] }, []],
  ['changes of a field, and new campaigns, which have every field', { fields: ['budget'] }, [5, 6]],
  ['changes of a field of an account, and new accounts', { fields: ['credit_limit'] }, [1, 2, 3]],
  ['a period, its end excluded', { from: minute(2), to: minute(4) }, [3, 4]],
  ['nothing of a period to come', { from: '2100-01-01T00:00:00.000Z' }, []],
])('the feed lists %s', async (_, filter, positions) => expect(await found(filter)).toEqual(positions))
