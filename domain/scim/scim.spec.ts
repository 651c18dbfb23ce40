import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_MEMBERS } from './limits.ts'
import {
  GROUPS,
  groupResource,
  patchMembers,
  patchUser,
  readMembers,
  readUser,
  shown,
  userResource,
  type Operation,
  type User,
  type UserFields,
} from './scim.ts'

const ADA: UserFields = {
  userName: 'ada@acme.example',
  externalId: 'a-1',
  givenName: 'Ada',
  familyName: 'Love',
  active: true,
}
const patched = (operations: readonly Operation[], before = ADA) => {
  const reading = patchUser(before, operations)
  return reading.kind === 'read' ? reading.value : reading.scimType
}

describe('operations on a user', () => {
  // Operations that Microsoft Entra ID and Okta send, by their documentation.
  it.each<[string, Operation, object | string]>([
    ['Entra deactivates', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['Entra deactivates without a path', { op: 'Replace', value: { active: 'False' } }, { active: false }],
    ['Entra reactivates', { op: 'replace', path: 'active', value: 'True' }, { active: true }],
    ['Okta deactivates', { op: 'replace', value: { active: false } }, { active: false }],
    ['Entra renames', { op: 'Add', path: 'name.givenName', value: 'Augusta' }, { givenName: 'Augusta' }],
    [
      'Entra changes several by dotted names',
      { op: 'add', value: { 'name.givenName': 'Augusta', 'name.familyName': 'King', externalId: 'b-2' } },
      { givenName: 'Augusta', familyName: 'King', externalId: 'b-2' },
    ],
    [
      'Entra sends attributes of extensions and others that are not held',
      {
        op: 'Add',
        value: {
          title: 'Countess',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Engines',
          'addresses[type eq "work"].locality': 'London',
        },
      },
      {},
    ],
    ['Entra sends the same address', { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ADA@acme.example' }, {}],
    ['another address', { op: 'Replace', path: 'emails[type eq "work"].value', value: 'eve@acme.example' }, 'mutability'],
    ['another kind of address', { op: 'add', path: 'emails[type eq "home"].value', value: 'ada@home.example' }, {}],
    ['addresses taken away', { op: 'remove', path: 'emails' }, 'mutability'],
    [
      'an object for the name',
      { op: 'replace', path: 'name', value: { givenName: 'B', familyName: 'C' } },
      { givenName: 'B', familyName: 'C' },
    ],
    ['a name taken away', { op: 'remove', path: 'name.familyName' }, { familyName: '' }],
    ['an external id taken away', { op: 'Remove', path: 'externalId' }, { externalId: null }],
    [
      'a full path',
      { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'B' },
      { givenName: 'B' },
    ],
    ['a removal without a path', { op: 'remove' }, 'noTarget'],
    ['an unknown operation', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    ['no path and no object', { op: 'add', value: 'x' }, 'invalidSyntax'],
    ['a path that cannot be read', { op: 'add', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    ['a filter that cannot be read', { op: 'add', path: 'emails[type is "x"].value', value: 'x' }, 'invalidPath'],
    ['a value of the wrong kind', { op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    ['active taken away', { op: 'remove', path: 'active' }, 'invalidValue'],
    ['the user name taken away', { op: 'remove', path: 'userName' }, 'invalidValue'],
    ['a number for a name', { op: 'add', path: 'name.givenName', value: 7 }, 'invalidValue'],
    ['an external id without an end', { op: 'add', path: 'externalId', value: 'x'.repeat(301) }, 'invalidValue'],
    ['keys of the prototype', { op: 'add', path: '__proto__', value: { active: false } }, 'invalidPath'],
  ])('operations on a user: %s', (_, operation, expected) =>
    expect(patched([operation])).toEqual(typeof expected === 'string' ? expected : { ...ADA, ...expected }),
  )

  it('operations on a user hold all or none', () =>
    expect(patched([{ op: 'replace', path: 'active', value: false }, { op: 'remove' }])).toBe('noTarget'))
})

// ── The same rules, written another way: a plain object, a name at a time. ──

const NAMES = ['userName', 'externalId', 'name.givenName', 'name.familyName', 'active', 'title'] as const
type Model = Record<(typeof NAMES)[number], unknown>
const text = fc.constantFrom('x', 'Y', 'z')
const valueFor = (name: string): fc.Arbitrary<string | boolean> =>
  name === 'active' ? fc.boolean() : name === 'userName' ? fc.constantFrom('ada@acme.example', 'bob@acme.example') : text
const written = fc
  .constantFrom(...NAMES)
  .chain((name) =>
    fc.record({ name: fc.constant(name), value: valueFor(name), op: fc.constantFrom('add', 'Replace', 'ADD'), way: fc.nat(2) }),
  )
const removed = fc
  .constantFrom('externalId', 'name.givenName', 'name.familyName', 'title')
  .map((name) => ({ name, op: 'remove' }))

it('operations in a row do what a plain model does', () => {
  let changes = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(written, removed), { maxLength: 12 }), (steps) => {
      const model: Model = {
        userName: ADA.userName,
        externalId: ADA.externalId,
        'name.givenName': ADA.givenName,
        'name.familyName': ADA.familyName,
        active: ADA.active,
        title: null,
      }
      const operations = steps.map((step): Operation => {
        if (!('value' in step)) {
          Object.assign(model, { [step.name]: step.name.startsWith('name.') ? '' : null })
          return { op: step.op, path: step.name }
        }
        const { name, op, value, way } = step
        Object.assign(model, { [name]: value })
        const [first = '', second] = name.split('.')
        if (way === 0) return { op, path: name.toUpperCase(), value }
        return {
          op,
          value: second === undefined ? { [first]: value } : way === 1 ? { [name]: value } : { [first]: { [second]: value } },
        }
      })
      const reading = patchUser(ADA, operations)
      if (reading.kind === 'fault') return false
      const { userName, externalId, givenName, familyName, active } = reading.value
      changes += givenName === ADA.givenName ? 0 : 1
      return (
        userName === model.userName &&
        externalId === model.externalId &&
        givenName === model['name.givenName'] &&
        familyName === model['name.familyName'] &&
        active === model.active
      )
    }),
    { numRuns: 1000 },
  )
  expect(changes).toBeGreaterThan(100)
})

describe('a user of a body', () => {
  it('takes what RFC 7643 section 8.1 sends, and ignores what is not held', () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      USERNAME: ' Bjensen@acme.example ',
      externalId: 'bjensen',
      name: { formatted: 'Ms. Barbara J Jensen', familyName: 'Jensen', givenName: 'Barbara' },
      emails: [{ value: 'other@acme.example', type: 'work', primary: true }],
      active: true,
      password: 'secret',
      roles: [{ value: 'WL_OWNER' }],
      groups: [{ value: 'WL_OWNER' }],
    }
    expect(readUser(body, { ...ADA, externalId: null })).toEqual({
      kind: 'read',
      value: {
        userName: 'bjensen@acme.example',
        externalId: 'bjensen',
        givenName: 'Barbara',
        familyName: 'Jensen',
        active: true,
      },
    })
  })

  it('keeps what is absent', () =>
    expect(readUser({ name: { givenName: 'B' } }, ADA)).toEqual({ kind: 'read', value: { ...ADA, givenName: 'B' } }))
})

describe('operations on members', () => {
  const NAME = 'AUDITOR'
  const members = (operations: readonly Operation[], before: readonly string[] = ['a', 'b']) => {
    const reading = patchMembers(NAME, new Set(before), operations)
    return reading.kind === 'read' ? [...reading.value] : reading.scimType
  }

  it.each<[string, Operation, readonly string[] | string]>([
    [
      'added',
      { op: 'add', path: 'members', value: [{ display: 'C', $ref: '…/C', value: 'c' }, { value: 'a' }] },
      ['a', 'b', 'c'],
    ],
    ['added as Entra does', { op: 'Add', path: 'members', value: [{ $ref: null, value: 'c' }] }, ['a', 'b', 'c']],
    ['added without a path', { op: 'add', value: { members: [{ value: 'c' }] } }, ['a', 'b', 'c']],
    ['removed by a filter', { op: 'remove', path: 'members[value eq "a"]' }, ['b']],
    ['removed by a list, as Entra does', { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] }, ['b']],
    ['all removed', { op: 'remove', path: 'members' }, []],
    ['replaced', { op: 'replace', path: 'members', value: [{ value: 'c' }] }, ['c']],
    ['replaced by none', { op: 'replace', path: 'members', value: [] }, []],
    ['kept by the name that Okta sends', { op: 'replace', value: { id: NAME, displayName: 'Auditor' } }, ['a', 'b']],
    ['kept under another name', { op: 'replace', path: 'displayName', value: 'Others' }, 'mutability'],
    ['renamed without a path', { op: 'replace', value: { displayName: 'Others' } }, 'mutability'],
    ['chosen by a filter for more than a removal', { op: 'add', path: 'members[value eq "a"]', value: 'x' }, 'invalidPath'],
    ['no list', { op: 'add', path: 'members', value: 'a' }, 'invalidValue'],
    ['nothing to add', { op: 'add', path: 'members' }, 'invalidValue'],
    [
      'too many',
      { op: 'add', path: 'members', value: Array.from({ length: MOST_MEMBERS }, (_, n) => ({ value: `${n}` })) },
      'invalidValue',
    ],
  ])('operations on members: %s', (_, operation, expected) => expect(members([operation])).toEqual(expected))

  it('operations on members in a row have the result of those on a plain set', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.record({
      op: fc.constantFrom('add', 'Remove', 'replace'),
      ids: fc.array(id, { minLength: 1, maxLength: 3 }),
      byFilter: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        const model: Record<string, true> = { a: true, b: true }
        const operations = steps.map(({ op, ids, byFilter }): Operation => {
          if (op === 'replace') for (const one of Object.keys(model)) delete model[one]
          for (const one of ids)
            if (op === 'Remove') delete model[one]
            else model[one] = true
          return op === 'Remove' && byFilter
            ? { op, path: `members[${ids.map((one) => `value eq "${one}"`).join(' or ')}]` }
            : { op, path: 'members', value: ids.map((value) => ({ value })) }
        })
        const after = members(operations)
        return Array.isArray(after) && JSON.stringify(after.toSorted()) === JSON.stringify(Object.keys(model).toSorted())
      }),
      { numRuns: 500 },
    )
  })

  it('members in a body replace the stored ones, and without them the stored ones stay', () => {
    const before = new Set(['a'])
    expect(readMembers(NAME, before, { displayName: NAME, members: [{ value: 'b' }] })).toEqual({
      kind: 'read',
      value: new Set(['b']),
    })
    expect(readMembers(NAME, before, { displayName: NAME })).toEqual({ kind: 'read', value: before })
  })
})

describe('a resource', () => {
  const user: User = {
    ...ADA,
    id: 'u1',
    roles: ['AUDITOR', 'WL_OWNER'],
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-02T00:00:00.000Z',
  }
  const resource = userResource(user, 'https://ads.example/scim/v2')

  it('a resource of a user has the shape of RFC 7643', () =>
    expect(resource).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: 'u1',
      externalId: 'a-1',
      userName: 'ada@acme.example',
      name: { givenName: 'Ada', familyName: 'Love', formatted: 'Ada Love' },
      displayName: 'Ada Love',
      active: true,
      emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
      groups: [
        { value: 'WL_OWNER', $ref: 'https://ads.example/scim/v2/Groups/WL_OWNER', display: 'WL_OWNER', type: 'direct' },
        { value: 'AUDITOR', $ref: 'https://ads.example/scim/v2/Groups/AUDITOR', display: 'AUDITOR', type: 'direct' },
      ],
      meta: {
        resourceType: 'User',
        created: '2026-01-01T00:00:00.000Z',
        lastModified: '2026-01-02T00:00:00.000Z',
        location: 'https://ads.example/scim/v2/Users/u1',
      },
    }))

  it('shows the attributes that are asked for, or all but those that are excluded', () => {
    expect(shown(resource, { attributes: 'userName, NAME.givenName,emails.value' })).toEqual({
      schemas: resource['schemas'],
      id: 'u1',
      userName: 'ada@acme.example',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@acme.example' }],
    })
    const left = shown(resource, { excludedAttributes: 'id,groups,name.formatted' })
    expect(left).not.toHaveProperty('groups')
    expect(left).toMatchObject({ id: 'u1', name: { givenName: 'Ada', familyName: 'Love' } })
    expect(left['name']).not.toHaveProperty('formatted')
    expect(shown(resource, {})).toEqual(resource)
  })

  it('a resource of a group names its members, and never a system administrator as a group', () => {
    expect(groupResource('AUDITOR', [user, { ...user, id: 'u2', roles: ['WL_OWNER'] }], 'b')['members']).toEqual([
      { value: 'u1', $ref: 'b/Users/u1', display: 'ada@acme.example', type: 'User' },
    ])
    expect(GROUPS).toEqual(['WL_OWNER', 'WL_MODERATOR', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'])
  })
})
