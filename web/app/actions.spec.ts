import { describe, expect, it } from 'vitest'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import en from '@/i18n/locales/en/campaigns.json'
import type { SingleRight } from '#domain/kit/access'
import { BULK_ACTIONS, CAMPAIGN_ACTIONS, offersFor, pagesFor, undoOf } from './actions.ts'

const user = (...roles: readonly string[]) => ({ id: 'user-1', roles, space_id: 'space-1', whitelabel_id: 'label-1' })
const campaign = (status_key: number, space_id = 'space-1') => ({ id: 'campaign-1', name: 'Autumn', status_key, space_id })
const offered = (status_key: number, role = 'USER_OWNER', space_id?: string) =>
  offersFor(user(role), campaign(status_key, space_id)).map(({ entry, refusal }) =>
    refusal === null ? entry.name : `${entry.name}: ${refusal}`,
  )

describe('the action registry', () => {
  it('offers the possible actions of a running campaign to its owner', () => {
    expect(offered(3)).toEqual(['pause', 'replicate', 'report', 'schedule', 'archive'])
  })

  it('offers an archived campaign Run, but not Archive', () => {
    expect(offered(5)).toEqual(['run', 'replicate', 'report'])
  })

  it('shows a refused Run with its reason', () => {
    expect(offered(42)).toEqual(['run: budgetSpent', 'replicate', 'report', 'schedule', 'archive'])
  })

  it.each(STATUS_KEYS)('offers exactly one of Run and Pause in status %i', (status) => {
    expect(offered(status).filter((name) => /^(run|pause)/.test(name))).toHaveLength(1)
  })

  it('offers only the report to readers', () => {
    expect(offered(3, 'AUDITOR')).toEqual(['report'])
    expect(offered(3, 'WL_MODERATOR')).toEqual(['report'])
  })

  it('offers nothing for a campaign of another account', () => {
    expect(offered(3, 'USER_OWNER', 'space-2')).toEqual([])
  })

  it('the action registry has a label for every action and a unique key for every bulk action', () => {
    for (const { name } of CAMPAIGN_ACTIONS) expect(en.actions[name]).toBeTruthy()
    const keys = BULK_ACTIONS.map(({ bulkKeys }) => bulkKeys)
    expect(new Set(keys).size).toBe(keys.length)
    expect(BULK_ACTIONS.map(({ name }) => name)).toEqual(['run', 'pause', 'archive'])
  })
})

describe('the inverse of an action', () => {
  it.each([
    ['pause', 3, 41, 'run'],
    ['run', 41, 3, 'pause'],
    ['run', 5, 3, 'archive'],
    ['archive', 3, 5, 'run'],
    ['archive', 44, 5, 'run'],
    ['archive', 41, 5, 'archive'],
    ['archive', 0, 5, 'archive'],
    ['archive', 43, 5, 'archive'],
    ['run', 40, 40, null],
  ] as const)('%s from status %i to %i: %s', (name, before, after, back) => {
    expect(undoOf(name, campaign(before), after)).toBe(back)
  })

  it.each(STATUS_KEYS)('never starts a campaign that did not spend in status %i', (status) => {
    const back = undoOf('archive', campaign(status), 5)
    expect(back === 'run' && ![3, 6, 31, 40, 44].includes(status)).toBe(false)
  })
})

const namesOf = (role: string, group: string) =>
  pagesFor(user(role))
    .filter((page) => page.group === group)
    .map(({ name }) => name)

describe('the page registry', () => {
  it.each([
    ['USER_OWNER', ['campaigns', 'audience', 'events', 'reports', 'billing', 'team', 'settings']],
    ['USER_VIEWER', ['campaigns', 'audience', 'events', 'reports', 'team', 'settings']],
    ['WL_MODERATOR', ['myProfile', 'campaigns', 'audience', 'events', 'reports']],
    ['ACCOUNTANT', ['transactions', 'settings']],
    ['WHITELABEL_ACCOUNTANT', ['transactions', 'settings']],
    ['SYSTEM_ADMIN', ['overview', 'myProfile', 'campaigns', 'audience', 'events', 'reports', 'billing', 'staff', 'settings']],
    ['WL_OWNER', ['overview', 'myProfile', 'campaigns', 'audience', 'events', 'reports', 'billing', 'staff', 'settings']],
    ['AUDITOR', ['campaigns', 'audience', 'events', 'reports', 'staff', 'settings']],
  ])('the page registry has the own pages of the role %s in the order of the navigation', (role, pages) => {
    expect(namesOf(role, 'own')).toEqual(pages)
  })

  it('the page registry has the transactions for a viewer who was granted the balance or the invoices, and no other page', () => {
    const viewer = user('USER_VIEWER')
    const added = (right: SingleRight) =>
      pagesFor({ ...viewer, rights: [{ right, kind: 'granted', until: null }] })
        .filter(({ name }) => !pagesFor(viewer).some((page) => page.name === name))
        .map(({ name }) => name)
    expect([added('balance.read'), added('invoice.read'), added('campaign.write')]).toEqual([
      ['transactions'],
      ['transactions'],
      [],
    ])
  })

  it('the page registry has the administration for owners and system administrators alone', () => {
    const pages = ['customization', 'accounts', 'payments', 'allCampaigns', 'moderation', 'audit']
    expect(namesOf('WL_OWNER', 'administration')).toEqual(pages)
    expect(namesOf('SYSTEM_ADMIN', 'administration')).toEqual([...pages, 'operations'])
    for (const role of ['WL_MODERATOR', 'USER_OWNER', 'USER_VIEWER', 'ACCOUNTANT', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'])
      expect(namesOf(role, 'administration')).toEqual([])
  })

  it.each([
    ['WL_MODERATOR', ['allCampaigns', 'moderation', 'inbox']],
    ['AUDITOR', ['audit', 'allCampaigns', 'accounts', 'payments', 'moderationStatistics']],
    ['WHITELABEL_ACCOUNTANT', ['accounts', 'payments']],
    ['WL_OWNER', ['inbox']],
    ['SYSTEM_ADMIN', ['inbox']],
    ['USER_OWNER', []],
    ['USER_VIEWER', []],
    ['ACCOUNTANT', []],
  ])('the page registry has the work of the role %s', (role, pages) => {
    expect(namesOf(role, 'work')).toEqual(pages)
  })

  it('the page registry has each page of a user with two roles once', () => {
    const pages = pagesFor(user('USER_OWNER', 'WL_OWNER')).filter(({ group }) => group === 'own')
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
  })
})
