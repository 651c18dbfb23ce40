import { describe, expect, it } from 'vitest'
import { actorNow } from './actor-now.ts'
import type { AccountAccess, PersonRecord } from './person.ts'

const NOW = '2026-11-29T08:00:00.000Z'
const person = { id: 'ada', whitelabel_id: 'dsp' } as PersonRecord
const home: AccountAccess = {
  space_id: 'nile',
  home: true,
  roles: ['ACCOUNTANT'],
  rights: [
    { right: 'campaign.read', granted: true, until: '2026-11-29T07:59:00.000Z', by: 'owner' },
    { right: 'campaign.write', granted: true, until: '2026-11-29T08:01:00.000Z', by: 'owner' },
  ] as unknown as AccountAccess['rights'],
}
const of = (access: readonly AccountAccess[], found: PersonRecord | null = person) => ({
  people: { entering: async () => found, accessOf: async () => access },
  now: () => NOW,
})

describe('the actor of a person who asked before', () => {
  it('the actor of an earlier request has no right that is over by now', async () => {
    const found = await actorNow(of([home]), 'ada', 'nile')
    expect(found?.actor).toMatchObject({ userId: 'ada', spaceId: 'nile', roles: ['ACCOUNTANT'] })
    expect(found?.actor.rights?.map(({ right }) => right)).toEqual(['campaign.write'])
  })

  it('the actor of an earlier request is none in an account that they left, without any, or once they may not come in', async () => {
    expect(await actorNow(of([home]), 'ada', 'lagos')).toBeNull()
    expect(await actorNow(of([]), 'ada', 'nile')).toBeNull()
    expect(await actorNow(of([home], null), 'ada', 'nile')).toBeNull()
  })

  it('the actor of an earlier request of staff acts in any account of the white-label', async () => {
    const staff: AccountAccess = { ...home, space_id: 'house', roles: ['WL_OWNER'], rights: [] }
    expect((await actorNow(of([staff]), 'ada', 'nile'))?.actor).toMatchObject({ spaceId: 'nile', homeSpaceId: 'house' })
  })
})
