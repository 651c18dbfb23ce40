import { expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { failure, success } from '#api/http/envelope'
import { faultsOf, repeatFaults, type Added, type Answer, type Asked } from './checks.ts'

/** Constructed answers, each with one fault that the checks must report. */

const asked = (id: string, over: Partial<Asked> = {}): Asked => {
  const endpoint = ENDPOINTS.find((one) => one.id === id)
  if (endpoint === undefined) throw new Error(`no endpoint is called ${id}`)
  const statuses = new Set([200, 400, 401, 403, 404, 409])
  const operation = { id, method: endpoint.method, statuses, endpoint }
  return { operation, role: 'USER_OWNER', routed: true, url: endpoint.path, headers: {}, ...over }
}
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }
const answer = (status: number, body: unknown, headers: Answer['headers'] = HEADERS): Answer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const NOTHING: Added = { events: 0, others: 0 }
const EVENT: Added = { events: 1, others: 0 }
const FILE: Added = { events: 0, others: 1 }
const balance = {
  space_id: 's',
  currency: 'USD',
  balance: 5,
  unsettled: 0,
  reserved: 0,
  credit_limit: 0,
  available: 5,
  spent_today: 0,
  runway_days: null,
  notices: [],
  as_of: '2026-06-01T00:00:00.000Z',
}
const refusal = (code: Parameters<typeof failure>[0]['code']) => failure({ code, faults: [] })

it.each([
  ['a success', asked('space.balance'), answer(200, success(balance)), NOTHING],
  ['a refusal', asked('space.balance'), answer(404, refusal(110)), NOTHING],
  ['a refusal of the framework', asked('campaign.list'), answer(404, refusal(2)), NOTHING],
  ['a command that stored', asked('campaign.run'), answer(409, refusal(134)), NOTHING],
  ['a refused anonymous caller', asked('space.balance', { role: 'anonymous' }), answer(401, refusal(401)), NOTHING],
  ['the service in its own call', asked('exchange.decisions', { role: 'service' }), answer(404, refusal(131)), NOTHING],
  ['an owner in a call of the service', asked('exchange.decisions', { role: 'WL_OWNER' }), answer(404, refusal(131)), NOTHING],
  [
    'a question for a proof',
    asked('space.credit', { role: 'WL_OWNER' }),
    answer(401, failure({ code: 401, faults: [] }, { step_up: { methods: ['password'] } })),
    NOTHING,
  ],
  ['a file', asked('file.cache'), answer(200, 'at Object.', { 'x-content-type-options': 'nosniff' }), NOTHING],
  [
    'read models that are behind',
    asked('space.balance', { headers: { 'x-position': '999999999999' } }),
    answer(503, refusal(1), { ...HEADERS, 'retry-after': '1' }),
    NOTHING,
  ],
  [
    'a verification while read models are behind',
    asked('audit.verify', { role: 'AUDITOR' }),
    answer(503, refusal(1), { ...HEADERS, 'retry-after': '1' }),
    NOTHING,
  ],
] as const)('accepts %s', (_what, request, given, added) => {
  expect(faultsOf(request, given, added)).toEqual([])
})

it.each([
  ['an undeclared status', asked('space.balance'), answer(206, success(balance)), NOTHING, 'status 206 is not declared'],
  ['a server error', asked('space.balance'), answer(500, refusal(1)), NOTHING, 'status 500'],
  ['a 503 without a requested position', asked('space.balance'), answer(503, refusal(1)), NOTHING, 'no position was waited for'],
  [
    'an unknown key',
    asked('space.balance'),
    answer(200, success({ ...balance, secret: 1 })),
    NOTHING,
    '.data.secret is not declared',
  ],
  ['a missing key', asked('space.balance'), answer(200, success({ balance: 5 })), NOTHING, 'breaks its schema'],
  ['a code of a failure', asked('space.balance'), answer(200, { ...refusal(3), data: balance }), NOTHING, 'code 3 of a success'],
  [
    'an unknown code',
    asked('space.balance'),
    answer(400, { ...refusal(2), type: { code: 99, key: '', message: '' } }),
    NOTHING,
    'catalogue',
  ],
  [
    'the key of another code',
    asked('space.balance'),
    answer(400, { ...refusal(2), type: { ...refusal(3).type, code: 2 } }),
    NOTHING,
    'key illegal_action',
  ],
  ['the status of another code', asked('space.balance'), answer(400, refusal(110)), NOTHING, 'status 400 with code 110'],
  [
    'an unknown key of a fault',
    asked('space.balance'),
    answer(404, { ...refusal(110), stack: '' }),
    NOTHING,
    '.stack is not declared',
  ],
  ['a missing envelope', asked('space.balance'), answer(404, { error: 'Not Found' }), NOTHING, 'the refusal breaks its schema'],
  ['an answer that is not JSON', asked('space.balance'), answer(200, '<html>'), NOTHING, 'breaks its schema'],
  [
    'another content type',
    asked('space.balance'),
    answer(404, refusal(110), { ...HEADERS, 'content-type': 'text/html' }),
    NOTHING,
    'a refusal of type',
  ],
  [
    'a missing charset',
    asked('space.balance'),
    answer(404, refusal(110), { ...HEADERS, 'content-type': 'application/json' }),
    NOTHING,
    'charset',
  ],
  [
    'a missing nosniff header',
    asked('space.balance'),
    answer(404, refusal(110), { 'content-type': HEADERS['content-type'] }),
    NOTHING,
    'nosniff',
  ],
  [
    'a stack trace',
    asked('space.balance'),
    answer(400, { ...refusal(2), data: { errors: [], why: 'x\n    at Object.<anonymous>' } }),
    NOTHING,
    'exposes internals',
  ],
  [
    'an SQL statement',
    asked('user.get'),
    answer(400, { ...refusal(2), data: { errors: [], why: 'select id from people' } }),
    NOTHING,
    'exposes internals',
  ],
  [
    'access for an anonymous caller',
    asked('space.balance', { role: 'anonymous' }),
    answer(200, success(balance)),
    NOTHING,
    'an anonymous caller got 200',
  ],
  [
    '404 instead of 401 for an anonymous caller',
    asked('space.balance', { role: 'anonymous' }),
    answer(404, refusal(110)),
    NOTHING,
    'an anonymous caller got 404',
  ],
  ['a role without the right', asked('moderation.queue'), answer(400, refusal(2)), NOTHING, 'may never do this got 400'],
  [
    'the service in a call of users',
    asked('space.balance', { role: 'service' }),
    answer(404, refusal(110)),
    NOTHING,
    'may never',
  ],
  ['a user in a call of the service', asked('exchange.decisions'), answer(404, refusal(131)), NOTHING, 'may never'],
  [
    '401 for a signed-in user in a call that needs a proof',
    asked('space.credit', { role: 'WL_OWNER' }),
    answer(401, refusal(401)),
    NOTHING,
    '401 for a signed-in',
  ],
  ['401 for a signed-in user', asked('space.balance'), answer(401, refusal(401)), NOTHING, '401 for a signed-in'],
  [
    'an event of a refused command',
    asked('campaign.run'),
    answer(409, refusal(134)),
    EVENT,
    'refused, and yet it stored 1 events',
  ],
  ['a file of a refused upload', asked('file.upload3'), answer(400, refusal(2)), FILE, 'refused, and yet'],
  ['an event of a read', asked('space.balance'), answer(200, success(balance)), EVENT, 'a read stored'],
] as const)('reports %s', (_what, request, given, added, wrong) => {
  expect(faultsOf(request, given, added).join('\n')).toContain(wrong)
})

it('reports an event stored by a dry run', () => {
  const body = success({ events: [], diff: [], status_key: 0, status_reasons: [], revision: 1, moderator_needed: false })
  const dry = asked('campaign.run', { url: '/v1/campaign/run?dry_run=true' })
  expect(faultsOf(dry, answer(200, body), NOTHING)).toEqual([])
  expect(faultsOf(dry, answer(200, body), EVENT)).toEqual(['a dry run stored 1 events and 0 files or records'])
  const wet = asked('campaign.run', { url: '/v1/campaign/run?dry_run=false' })
  expect(faultsOf(wet, answer(200, body), EVENT)).toEqual([])
})

it('reports a repeat with another answer or another effect', () => {
  const run = asked('campaign.run', { headers: { 'idempotency-key': 'a' } })
  const first = answer(200, success({ id: 'a', position: '1' }))
  expect(repeatFaults(run, first, first, NOTHING)).toEqual([])
  expect(repeatFaults(run, first, first, EVENT)).toEqual(['a repeat under the same key stored 1 events'])
  const other = answer(200, success({ id: 'a', position: '2' }))
  expect(repeatFaults(run, first, other, NOTHING)).toEqual(['a repeat under the same key is answered otherwise'])
})
