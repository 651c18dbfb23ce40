import { expect, it } from 'vitest'
import { commit, given } from '#test/support/given-events'
import { accountNames } from './account-names.ts'
import { accounts } from './read-model.ts'

const opened = (space_id: string, name: string, whitelabel_id = 'dsp', house = false) =>
  commit(`account-${space_id}`, { type: 'AccountOpened', data: { space_id, whitelabel_id, name, currency: 'USD', house } })
const named = given(
  opened('n', 'Nile Travel'),
  opened('l', 'lagos Foods'),
  opened('h', 'Nile House', 'dsp', true),
  opened('o', 'Other Nile', 'other'),
).project(accounts)

const EVERYTHING = { whitelabelId: null, name: null, ids: null }
it.each([
  ['every account of an advertiser, by name', {}, ['l', 'n', 'o']],
  ['those of a white-label', { whitelabelId: 'dsp' }, ['l', 'n']],
  ['those with a part of a word in their name', { name: 'trav' }, ['n']],
  ['those of the ids that exist', { ids: ['o', 'unknown'] }, ['o']],
  ['none where no name matches', { name: 'no such name' }, []],
] as const)('names %s', async (_, filter, wanted) => {
  const found = await named.read((db) => accountNames(db, { ...EVERYTHING, ...filter }, 50))
  expect(found.map(({ space_id: id }) => id)).toEqual(wanted)
})

it('names so many at most', async () => expect(await named.read((db) => accountNames(db, EVERYTHING, 2))).toHaveLength(2))
