import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AREAS } from '#api/areas/index'
import { requirements } from '../ledger/ledger.ts'
import { root } from '../support/product-process.ts'
import { wireOf } from '../support/wire.ts'

// The server and the application read the same contract, so together they would follow a wrong path or name without a failure.
// The committed file shares no code with the contract. `npx vitest run test/golden/wire.spec.ts -u` renews it.
// covers FP-35
it('every call has the method, path and fields that are committed', async () => {
  await expect(wireOf(AREAS)).toMatchFileSnapshot('wire.txt')
})

/** `POST /v1/space/{id}/credit` of any text, without what follows the path. Rows of calls that are not built say so. */
const callsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !line.includes('| not built'))
    .flatMap((line) => [...line.matchAll(/\b(GET|POST|PUT|DELETE) (\/v1\/[\w./{}-]*[\w}])/g)])
    .map(([, method = '', path = '']) => `${method} ${path}`)

/** Any name of a parameter stands for any other, and a value may stand for a parameter. */
const patternOf = (call: string): RegExp => new RegExp(`^${call.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const PAGES = ['access', 'campaigns', 'decisions', 'fine-print', 'platform', 'running']

it.each([
  ['requirements', requirements().flatMap(({ requirement }) => callsIn(requirement))],
  ['rules', PAGES.flatMap((page) => callsIn(read(`docs/spec/${page}.md`)))],
])('every call that the %s name is among them', (_, named) => {
  const known = (read('test/golden/wire.txt').match(/^(GET|POST|PUT|DELETE) .+$/gm) ?? []).map(patternOf)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((call) => !known.some((pattern) => pattern.test(call)))).toEqual([])
})
