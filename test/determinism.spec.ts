import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REAL_TIME } from './determinism-exceptions.ts'
import { root } from './support/product-process.ts'
import { clocksIn, realTimeIn } from './support/real-time.ts'
import { ROOMS } from './support/rooms.ts'
import { DEEP, projectsOfSpecs } from './support/specs.ts'

const projects = projectsOfSpecs()
const isDeep = (spec: string): boolean => projects.get(spec)?.every((name) => DEEP.includes(name)) === true

const files = [...new Set(ROOMS.map((room) => room.split('/')[0] ?? ''))].flatMap((room) =>
  readdirSync(join(root, room), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
)
const specs = files.filter((file) => /\.spec\.tsx?$/.test(file))
const support = files.filter((file) => /^(test\/support|web\/test)\//.test(file))
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const clocks = support.flatMap((file) => clocksIn(file, textOf(file)))
const offences = new Map([...specs, ...support].map((file) => [file, realTimeIn(file, textOf(file), clocks)]))
const placesOf = (some: readonly string[], ...kinds: readonly string[]): readonly string[] =>
  some.flatMap((file) =>
    (offences.get(file) ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ kind, line }) => `${file}:${line} ${kind}`),
  )

describe('every spec', () => {
  it('runs in one circle, but for the story, which runs late too', () => {
    const elsewhere = specs.filter((spec) => spec !== 'test/api/campaign-story.spec.ts' && projects.get(spec)?.length !== 1)
    expect(elsewhere).toEqual([])
    expect(projects.get('test/api/campaign-story.spec.ts')?.toSorted()).toEqual(['late', 'server'])
  })
})

it('every file that is called a spec or a test runs', () => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const named = tracked.split('\n').filter((file) => /\.(spec|test)\.\w+$/.test(file))
  expect(named.length).toBeGreaterThan(400)
  expect(named.filter((file) => !projects.has(file))).toEqual([])
})

it('no test says itself that it is tried again', () => {
  expect(specs.filter((spec) => /[{,]\s*retry:\s*\d/.test(textOf(spec)))).toEqual([])
})

it('no test has a shorter limit than all', () => {
  expect(placesOf([...specs, ...support], 'limit')).toEqual([])
})

describe('no spec of the gate', () => {
  const gate = specs.filter((file) => !isDeep(file))
  it('waits a fixed time: see "How to write one that cannot flake" in docs/testing.md', () => {
    expect(placesOf(gate, 'wait')).toEqual([])
  })

  it('bounds a duration on the clock', () => {
    expect(placesOf([...gate, ...support], 'bound')).toEqual([])
  })

  it('gives up on what a busy machine does within twenty seconds', () => {
    expect(placesOf([...gate, ...support], 'short')).toEqual([])
  })

  it('no spec of the gate has a clock of its own where a product runs: testClock is theirs', () => {
    const withProduct = gate.filter((spec) => /^test\/(api|contract|medium|e2e)\//.test(spec))
    expect(withProduct.filter((spec) => /\bDate\.now\(\)|\bnew Date\(\)/.test(textOf(spec)))).toEqual([])
  })

  it('reads the date when its file loads', () => {
    expect(placesOf([...gate, ...support], 'load')).toEqual([])
  })
})

describe('specs of the deep circle', () => {
  const excepted = Object.values(REAL_TIME).flat()
  const offending = specs.filter((file) => isDeep(file) && placesOf([file], 'wait', 'bound').length > 0)

  it('specs of the deep circle wait a fixed time or bound a duration only with a reason in test/determinism-exceptions.ts', () => {
    expect(
      placesOf(
        offending.filter((file) => !excepted.includes(file)),
        'wait',
        'bound',
      ),
    ).toEqual([])
  })

  it('specs of the deep circle leave test/determinism-exceptions.ts once they do neither', () => {
    expect(excepted.filter((file) => !offending.includes(file))).toEqual([])
    expect(new Set(excepted).size).toBe(excepted.length)
  })
})

describe('the search for real time', () => {
  const kinds = (text: string) => realTimeIn('a.ts', text, ['hour']).map(({ kind }) => kind)

  it.each([
    'await new Promise((resolve) => setTimeout(resolve, 50))',
    'const PAUSE = 1_000\nawait delay(PAUSE)',
    'await Promise.race([other, delay(500)])',
    'const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))',
    'await page.waitForTimeout(300)',
    "import { setTimeout as rest } from 'node:timers/promises'\nawait rest(500)",
    'Atomics.wait(cell, 0, 0, 500)',
  ])('a fixed wait: %s', (text) => expect(kinds(text)).toEqual(['wait']))

  it.each([
    'expect(performance.now() - before).toBeLessThan(250)',
    'const blocked = monitorEventLoopDelay()',
    'const took = performance.now() - began\nexpect(took).toBeLessThanOrEqual(1000)',
    'const timed = async () => { await call(); return performance.now() - began }\nexpect(await timed()).toBeLessThan(9)',
  ])('a bound on the clock: %s', (text) => expect(kinds(text)).toEqual(['bound']))

  it.each([
    "await screen.findByText('Saved', {}, { timeout: 5000 })",
    'const PATIENT = { timeout: 10_000 }\nawait vi.waitFor(() => expect(rows()).toBe(2), PATIENT)',
    'await expect.poll(rows, { timeout: 6000, interval: 500 }).toBe(2)',
    'await vi.waitFor(() => expect(rows()).toBe(2))',
  ])('a timeout that a busy machine meets: %s', (text) => expect(kinds(text)).toEqual(['short']))

  it.each(["it('a', () => {}, 60_000)", "describe('a', { timeout: 120_000 }, () => {})", "test.each(ROWS)('a', () => {}, 5000)"])(
    'a limit of its own: %s',
    (text) => expect(kinds(text)).toEqual(['limit']),
  )

  it.each([
    'const today = new Date().toISOString()',
    "describe('a', () => { const now = Date.now() })",
    'const inDays = (days) => new Date(Date.now() + days)\nconst later = inDays(3)',
    "import { hour } from './delivery.ts'\nit.each([['hour', hour()]])('a', () => {})",
    'const days = [1, 2].map((n) => Date.now() - n)',
  ])('a date at load: %s', (text) => expect(kinds(text)).toEqual(['load']))

  it.each([
    'await new Promise((resolve) => setTimeout(resolve, 20))',
    'await delay(5, false)',
    'await expect.poll(rows, { timeout: 60_000 }).toBe(2)',
    'setTimeout(() => client.destroy(), 500).unref()',
    "it('a', async () => { vi.useFakeTimers(); await new Promise((resolve) => setTimeout(resolve, 500)) })",
    'expect(rows.length).toBeLessThan(250)',
    "it('a', () => { expect(due).toBeLessThanOrEqual(Date.now() + 1000) })",
    "it('a', () => { const today = new Date() })",
    'const now = () => new Date().toISOString()',
    "const at = new Date('2026-03-01')",
  ])('does not count as real time: %s', (text) => expect(kinds(text)).toEqual([]))
})
