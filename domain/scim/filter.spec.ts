import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, parseFilter, type Json } from './filter.ts'
import { FILTER_DEPTH, FILTER_LENGTH } from './limits.ts'
import { userResource, type User } from './scim.ts'
import { processorMs } from '#test/support/processor'

const BASE = 'https://ads.example/scim/v2'
const BARBARA: User = {
  id: '2819c223',
  userName: 'bjensen@acme.example',
  externalId: 'BJensen',
  givenName: 'Barbara',
  familyName: 'Jensen',
  active: true,
  roles: ['WL_MODERATOR', 'AUDITOR'],
  created: '2026-01-23T04:56:22.000Z',
  lastModified: '2026-05-13T04:42:34.000Z',
}

const isFound = (text: string, user: User = BARBARA): boolean | null => {
  const filter = parseFilter(text)
  return filter === null ? null : matches(filter, userResource(user, BASE))
}

describe('a filter', () => {
  // The examples of RFC 7644 section 3.4.2.2, on attributes that users have here.
  it.each([
    ['userName Eq "BJENSEN@acme.example"', true],
    ['userName ne "john"', true],
    ['name.familyName co "ens"', true],
    ['userName sw "bj"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "BJ"', true],
    ['userName ew "acme.example"', true],
    ['title pr', false],
    ['title pr or userName pr', true],
    ['meta.lastModified gt "2026-05-13T04:42:34Z"', false],
    ['meta.lastModified ge "2026-05-13T06:42:34+02:00"', true],
    ['meta.lastModified lt "2026-06-01T00:00:00Z"', true],
    ['meta.lastModified le "2026-05-13T04:42:33Z"', false],
    ['title pr and userType eq "Employee"', false],
    ['userName sw "bj" and (emails co "example.org" or emails.value co "acme.example")', true],
    ['not (emails co "acme.example")', false],
    ['emails[type eq "work" and value co "@acme.example"]', true],
    ['emails[type eq "work" and value co "@other.example"] or groups[value eq "AUDITOR"]', true],
    ['active eq true', true],
    ['active eq false', false],
    ['externalId eq "BJensen"', true],
    ['externalId eq "bjensen"', false],
    ['externalId eq null', false],
    ['title eq null', true],
    ['id eq "2819c223"', true],
    ['groups.value eq "AUDITOR"', true],
    ['groups eq "auditor"', false],
    ['userName eq "a\\"b"', false],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"', false],
  ])('a filter: %s', (text, expected) => expect(isFound(text)).toBe(expected))

  it('binds and closer than or, and not to its brackets alone', () => {
    expect(isFound('active eq true or active eq false and active eq false')).toBe(true)
    expect(isFound('(active eq true or active eq false) and active eq false')).toBe(false)
    expect(isFound('not (active eq false) and userName pr')).toBe(true)
  })

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq bjensen',
    'userName is "x"',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x") ',
    '(userName eq "x"',
    'emails[type eq "work"',
    'not userName eq "x"',
    'active gt true',
    'active co false',
    'user name eq "x"',
    'userName eq "\\x"',
    '__proto__.constructor.name pr',
  ])('a filter that the grammar does not allow is refused: %s', (text) => expect(parseFilter(text)).toBeNull())

  it('a filter is bounded in length and depth', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}userName pr${')'.repeat(depth)}`
    expect(parseFilter(nested(FILTER_DEPTH))).not.toBeNull()
    expect(parseFilter(nested(FILTER_DEPTH + 1))).toBeNull()
    const long = `userName eq "${'x'.repeat(FILTER_LENGTH)}"`
    expect(parseFilter(long)).toBeNull()
    expect(parseFilter(long.replace('x'.repeat(20), ''))).not.toBeNull()
  })

  it('a filter of any text is read in linear time, or refused', () => {
    const started = processorMs()
    for (const part of ['(', 'not (', '"', '\\"', ' ', 'a[', 'a eq 1 or ', 'urn:'])
      parseFilter(part.repeat(Math.floor(FILTER_LENGTH / part.length)))
    expect(processorMs() - started).toBeLessThan(2000)
  })
})

// ── The same rules, written another way: on users instead of resources, and by tables instead of a grammar. ──

type Atom = { readonly text: string; readonly holds: (user: User) => boolean }
const TEXTS = ['', 'a', 'A', 'ab', 'b', 'Ba', 'acme']
const word = fc.constantFrom(...TEXTS.slice(1))
const quoted = (text: string): string => JSON.stringify(text)

const READS: readonly (readonly [string, (user: User) => string, boolean])[] = [
  ['userName', (user) => user.userName, false],
  ['externalId', (user) => user.externalId ?? '', true],
  ['name.givenName', (user) => user.givenName, false],
  ['NAME.familyname', (user) => user.familyName, false],
  ['emails.value', (user) => user.userName, false],
  ['id', (user) => user.id, true],
]
const TESTS: Readonly<Record<string, (index: number, actual: string, wanted: string) => boolean>> = {
  eq: (_, actual, wanted) => actual === wanted,
  ne: (_, actual, wanted) => actual !== wanted,
  co: (index) => index >= 0,
  sw: (index) => index === 0,
  ew: (_, actual, wanted) => actual.slice(-wanted.length) === wanted,
}

const texts: fc.Arbitrary<Atom> = fc
  .tuple(fc.constantFrom(...READS), fc.constantFrom(...Object.entries(TESTS)), word)
  .map(([[path, read, exact], [operator, test], wanted]) => ({
    text: `${path} ${operator} ${quoted(wanted)}`,
    holds: (user) => {
      const fold = (text: string) => (exact ? text : text.toUpperCase())
      const actual = fold(read(user))
      if (actual === '') return operator === 'ne'
      return test(actual.indexOf(fold(wanted)), actual, fold(wanted))
    },
  }))
const present: fc.Arbitrary<Atom> = fc
  .constantFrom(...READS)
  .map(([path, read]) => ({ text: `${path} pr`, holds: (user) => read(user).length > 0 }))
const active: fc.Arbitrary<Atom> = fc
  .boolean()
  .map((wanted) => ({ text: `active eq ${wanted}`, holds: (user) => user.active === wanted }))
const group: fc.Arbitrary<Atom> = fc
  .constantFrom('AUDITOR', 'WL_OWNER')
  .map((role) => ({ text: `groups[value eq "${role}"]`, holds: ({ roles }) => roles.some((one) => one === role) }))

const { whole } = fc.letrec<{ whole: Atom }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(texts, present, active, group),
    tie('whole').map((one) => ({ text: `not (${one.text})`, holds: (user: User) => !one.holds(user) })),
    fc
      .tuple(tie('whole'), tie('whole'))
      .map(([a, b]) => ({ text: `(${a.text}) and (${b.text})`, holds: (user: User) => a.holds(user) && b.holds(user) })),
    fc
      .tuple(tie('whole'), tie('whole'))
      .map(([a, b]) => ({ text: `(${a.text}) or (${b.text})`, holds: (user: User) => a.holds(user) || b.holds(user) })),
  ),
}))

const person: fc.Arbitrary<User> = fc.record({
  id: word,
  userName: word.map((name) => name.toLowerCase()),
  externalId: fc.option(word),
  givenName: fc.constantFrom(...TEXTS),
  familyName: fc.constantFrom(...TEXTS),
  active: fc.boolean(),
  roles: fc.subarray(['WL_OWNER', 'AUDITOR', 'WL_MODERATOR'] as const, { minLength: 1 }),
  created: fc.constant(BARBARA.created),
  lastModified: fc.constant(BARBARA.lastModified),
})

it('finds what a plain loop over people finds', () => {
  let found = 0
  let filters = 0
  fc.assert(
    fc.property(whole, fc.array(person, { minLength: 1, maxLength: 8 }), ({ text, holds }, people) => {
      const filter = text.length > FILTER_LENGTH ? null : parseFilter(text)
      if (filter === null) return text.length > FILTER_LENGTH
      filters += 1
      const ours = people.filter((user) => matches(filter, userResource(user, BASE)))
      found += ours.length
      return JSON.stringify(ours) === JSON.stringify(people.filter(holds))
    }),
    { numRuns: 2000 },
  )
  expect(filters).toBeGreaterThan(1000)
  expect(found).toBeGreaterThan(500)
})

it('reads any JSON value without an error', () => {
  const filter = parseFilter('a.b eq "x" or a[b pr] or not (meta.created gt "2026")')
  if (filter === null) throw new Error('the filter was not read')
  fc.assert(fc.property(fc.jsonValue(), (value) => typeof matches(filter, value as Json) === 'boolean'))
})
