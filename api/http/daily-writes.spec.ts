import { expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import type { Endpoint } from '#contract/http'
import { leavesSomething } from './register.ts'

/** Calls of users that are no GET and only read: their bodies are long. */
const READS =
  /^(account\.(list|totals)|search\.|campaign\.(list|adminList|adminAccounts|trends)|moderation\.(queue|secondLooks)|bidding\.|audience\.(list|preview)|space\.ledger|invoice\.(list|users)|events\.list|reports?\.|app\.promotion|estimate\.|chat\.inbox|whitelabel\.preview)/
/** Limited by network and address, or by what they report. */
const OTHERS = ['public', 'service']

const endpoints: readonly Endpoint[] = ENDPOINTS

it('every call that changes something counts towards the writes of its account in a day', () => {
  const uncounted = endpoints.filter((endpoint) => endpoint.method !== 'GET' && !leavesSomething(endpoint))
  const unexplained = uncounted.filter(({ access, id }) => !OTHERS.includes(access) && !READS.test(id))
  expect(unexplained.map(({ id }) => id)).toEqual([])
})

it('calls that stop spending or take power away have no daily limit', () => {
  const stopping = endpoints.filter(({ stops }) => stops === true)
  expect(stopping.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['campaign.pause', 'moderation.reject', 'team.deactivate', 'team.takeRight', 'profile.revokeApiKey']),
  )
  expect(stopping.filter(({ perDay }) => perDay !== undefined)).toEqual([])
})

it('a number by the day of what a path names has its id in the path', () => {
  const targets = endpoints.filter(({ perDay }) => perDay?.of === 'target')
  expect(targets.length).toBeGreaterThan(3)
  expect(targets.filter(({ path }) => !path.includes('/:id'))).toEqual([])
})
