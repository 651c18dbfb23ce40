import { expect, it } from 'vitest'
import { nodeNotice } from './node-version.ts'

it.each([
  ['v20.20.2', 'Node.js 20 gets no security fixes: use 24 or 26 for anything that others rely on.'],
  ['v22.20.0', null],
  ['v24.21.0', null],
  ['v25.1.0', 'Node.js 25 gets no security fixes: use 24 or 26 for anything that others rely on.'],
  ['v26.10.0', null],
  ['v28.0.0', null],
])('a start on %s says %s', (version, said) => expect(nodeNotice(version)).toBe(said))
