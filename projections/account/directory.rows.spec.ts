import { describe, expect, it } from 'vitest'
import type { AccountEvent } from '#domain/account/account'
import { campaignList } from '#projections/campaign/list/read-model'
import { commit, given } from '#test/support/given-events'
import { pageOfDirectory, totalsOfDirectory, type DirectoryFilter, type DirectoryPage } from './directory.ts'
import { accounts } from './read-model.ts'

const opened = (space_id: string, name: string, currency: string, house = false): AccountEvent => ({
  type: 'AccountOpened',
  data: { space_id, whitelabel_id: 'dsp', name, currency, house },
})
const credit = (amount: number): AccountEvent => ({ type: 'FundsCredited', data: { amount, reason: 'Gift' } })

const log = given(
  commit('account-house', opened('house', 'DSP House', 'USD', true), { at: '2026-06-01T08:00:00.000Z' }),
  commit('account-nile', [opened('nile', 'Nile Travel', 'USD'), credit(5)], { at: '2026-06-01T10:00:00.000Z' }),
  commit('account-lagos', [opened('lagos', 'Lagos Foods', 'NGN'), credit(7)], { at: '2026-06-03T10:00:00.000Z' }),
  commit('account-volta', [opened('volta', 'Volta Boats', 'USD'), { type: 'AccountSuspended', data: { reason: 'Unpaid' } }], {
    at: '2026-06-05T10:00:00.000Z',
  }),
).project(accounts, campaignList)

const person = (space: string, status_key: number, first_name: string, last_name: string, company_name = '') => ({
  id: first_name,
  whitelabel_id: 'dsp',
  home_space_id: space,
  roles: ['USER_OWNER'],
  first_name,
  last_name,
  email: `${first_name.toLowerCase()}@${space}.example`,
  company_name,
  status_key,
  created_at: '2026-06-04T10:00:00.000Z',
})
const PEOPLE = [
  person('nile', 5, 'Ada', 'Hassan'),
  person('lagos', 5, 'Bola', 'Okafor'),
  person('volta', 5, 'Kofi', 'Mensah'),
  person('new-1', 1, 'Zoe', 'Registrant', 'Wide Éclair'),
  person('new-2', 2, 'Yara', 'Registrant', 'Approved Ltd'),
  person('new-3', 3, 'Omar', 'Registrant', 'Rejected Ltd'),
]
const ALL: DirectoryFilter = { whitelabelId: 'dsp', status: 'all', name: '', search: '', from: null, to: null }
const page = (asked: Partial<DirectoryPage>) =>
  log.read(async (db) => {
    await db.insertInto('identity.people').values(PEOPLE).execute()
    return pageOfDirectory(db, { ...ALL, sort: 'name', descending: false, page: 0, size: 25, ...asked })
  })
const names = async (asked: Partial<DirectoryPage>) => (await page(asked)).rows.map(({ space_name }) => space_name)

describe('the list of accounts', () => {
  // covers ADM-50 ADM-51 ADM-53 ADM-55 ADM-56
  it.each<readonly [title: string, asked: Partial<DirectoryPage>, found: readonly string[]]>([
    ['by a part of their name in any case', { name: 'TRAV' }, ['Nile Travel']],
    ['by no wildcard', { name: '%' }, []],
    ['by no wildcard in a name', { name: '_ile' }, []],
    ['by their name alone where it is asked for', { name: 'ada' }, []],
    ['by the name of their owner', { search: 'hassan' }, ['Nile Travel']],
    ['by the address of their owner', { search: 'bola@lagos' }, ['Lagos Foods']],
    ['by the company of a registrant without its accents', { search: 'eclair' }, ['Wide Éclair']],
    ['from a day on', { status: 'opened', from: '2026-06-03T00:00:00.000Z' }, ['Lagos Foods', 'Volta Boats']],
    ['up to a day', { status: 'opened', to: '2026-06-03T23:59:59.999Z' }, ['Lagos Foods', 'Nile Travel']],
    ['that are opened', { status: 'opened' }, ['Lagos Foods', 'Nile Travel', 'Volta Boats']],
    ['that are active', { status: 'active' }, ['Lagos Foods', 'Nile Travel']],
    ['that are suspended', { status: 'suspended' }, ['Volta Boats']],
    ['that wait for verification', { status: 'registered' }, ['Wide Éclair']],
    ['that are approved', { status: 'approved' }, ['Approved Ltd']],
    ['that are rejected', { status: 'rejected' }, ['Rejected Ltd']],
    ['of another white-label', { whitelabelId: 'other' }, []],
  ])('finds those %s', async (_, asked, found) => expect(await names(asked)).toEqual(found))

  // covers ADM-52
  it('comes in pages from zero, with accounts and registrants, and without houses', async () => {
    expect(await names({})).toEqual(['Approved Ltd', 'Lagos Foods', 'Nile Travel', 'Rejected Ltd', 'Volta Boats', 'Wide Éclair'])
    const { rows, total } = await page({ page: 1, size: 5 })
    expect([rows.map(({ space_name, opened }) => [space_name, opened]), total]).toEqual([[['Wide Éclair', false]], 6])
  })

  it('the list of accounts is sorted by name, creation and balance, in both directions', async () => {
    const status = 'opened'
    expect(await names({ status, descending: true })).toEqual(['Volta Boats', 'Nile Travel', 'Lagos Foods'])
    expect(await names({ status, sort: 'created_at' })).toEqual(['Nile Travel', 'Lagos Foods', 'Volta Boats'])
    expect(await names({ status, sort: 'balance', descending: true })).toEqual(['Lagos Foods', 'Nile Travel', 'Volta Boats'])
  })

  // covers ADM-45
  it('the list of accounts has totals over the same filter, money by currency', async () => {
    const totals = (asked: Partial<DirectoryFilter>) => log.read((db) => totalsOfDirectory(db, { ...ALL, ...asked }))
    expect(await totals({})).toEqual({
      count: 3,
      suspended: 1,
      currencies: [
        { currency: 'NGN', balance: 7, spent: 0 },
        { currency: 'USD', balance: 5, spent: 0 },
      ],
    })
    expect(await totals({ name: 'nile' })).toMatchObject({ count: 1, currencies: [{ currency: 'USD', balance: 5 }] })
  })
})
