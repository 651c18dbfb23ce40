import { expect, it } from 'vitest'
import { nestsDeeperThan } from './json-body.ts'

it.each([
  ['as deep as allowed', '[[[]]]', false],
  ['deeper than allowed', '[{"a":[[]]}]', true],
  ['of many lists beside each other', `[${Array.from({ length: 999 }, () => '[[]]').join(',')}]`, false],
  ['with brackets in its texts', JSON.stringify({ name: `${'['.repeat(250)} \\" {{{{` }), false],
  ['with an open text', `["${'['.repeat(9)}`, false],
])('a JSON text %s is measured', (_, text, deeper) => expect(nestsDeeperThan(3, text)).toBe(deeper))
