import { expect, it } from 'vitest'
import { sendEvents } from '#contract/events'

const faultsOf = (events: readonly object[]) =>
  sendEvents.input.safeParse({ events }).error?.issues.map(({ path }) => path.join('.')) ?? []

it.each<readonly [problem: string, event: object, field: string]>([
  ['without a name', { name: '' }, 'name'],
  ['with a name that is too long', { name: 'x'.repeat(101) }, 'name'],
  ['with an empty id', { id: '' }, 'id'],
  ['with an address that is too long', { url: `https://nile.example/${'x'.repeat(2000)}` }, 'url'],
  ['with a value that is no number', { value: 'much' }, 'value'],
  ['with a value beyond the limit', { value: 1e13 }, 'value'],
  ['with a long custom parameter', { custom_parameters: { p: 'x'.repeat(501) } }, 'custom_parameters.p'],
])('an event %s is refused', (_, wrong, field) =>
  expect(faultsOf([{ name: 'a' }, { name: 'a', ...wrong }])).toEqual([`events.1.${field}`]),
)

it('a call has 1 to 500 events', () =>
  expect([0, 1, 500, 501].map((length) => faultsOf(Array.from({ length }, () => ({ name: 'a' }))).length)).toEqual([1, 0, 0, 1]))
