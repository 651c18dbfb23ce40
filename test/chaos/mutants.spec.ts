import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Mutant, MUTANTS } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { include: ROOMS }: { readonly include: readonly string[] } = JSON.parse(
  readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8'),
)
/** Folders and files that tests of the server and of the application need. */
const SOURCES = [...ROOMS, 'test', 'web', 'docs/help', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts']
/** Concurrent runs: one run uses little more than one core. */
const LANES = 2
/** The unchanged sources run every named spec. */
const SOUND_TIMEOUT_MS = 1_800_000

/** `all`, or words of the guards to remove. Unset, no mutant runs: the whole list takes minutes. */
const WANTED = process.env['MUTANTS']
const CHOSEN = WANTED === undefined ? [] : MUTANTS.filter(({ without }) => WANTED === 'all' || without.includes(WANTED))

type Outcome = { readonly title: string; readonly status: string }
type Report = { readonly testResults: readonly { readonly assertionResults: readonly Outcome[] }[] }

const folder = mkdtempSync(path.join(tmpdir(), 'placard-mutants-'))
const queue: (() => Promise<void>)[] = []

/** Queues a test run in a copy of the sources. */
function enqueue(name: string, mutants: readonly Mutant[], mutate: (copy: string) => void): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    queue.push(async () => {
      const copy = copySources(name)
      try {
        mutate(copy)
        resolve(await runTests(copy, mutants))
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    })
  })
}

function copySources(name: string): string {
  const copy = path.join(folder, name)
  mkdirSync(copy)
  for (const source of SOURCES) cpSync(path.join(root, source), path.join(copy, source), { recursive: true })
  symlinkSync(realpathSync(path.join(root, 'node_modules')), path.join(copy, 'node_modules'))
  return copy
}

async function runTests(copy: string, mutants: readonly Mutant[]): Promise<readonly Outcome[]> {
  const report = path.join(copy, 'report.json')
  const specs = [...new Set(mutants.map(({ spec }) => spec))]
  const titles = mutants.map((mutant) => mutant.test.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const options = ['run', '--project=!late', '--reporter=json', `--outputFile=${report}`, '-t', titles]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...options, ...specs], {
    cwd: copy,
    // The server is shared; the template database of each run comes from the migrations of its copy.
    env: { ...env, TEST_DATABASE_URL: inject('postgresUrl') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)))
  await once(child, 'close')
  if (!existsSync(report)) throw new Error(`the tests did not run:\n${said.join('')}`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
}

function mutatedText({ file, replace, by }: Mutant): string {
  const pieces = readFileSync(path.join(root, file), 'utf8').split(replace)
  if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times what is to be replaced: ${replace}`)
  return pieces.join(by)
}

const sound = CHOSEN.length === 0 ? Promise.resolve([]) : enqueue('sound', CHOSEN, () => {})
const mutated = new Map(
  CHOSEN.map((mutant, index) => [
    mutant,
    enqueue(`mutant-${index}`, [mutant], (copy) => writeFileSync(path.join(copy, mutant.file), mutatedText(mutant))),
  ]),
)
// Awaited in its own test: a rejection before that must not count as unhandled.
for (const outcome of [sound, ...mutated.values()]) outcome.catch(() => {})

let lanes: Promise<unknown> = Promise.resolve()
beforeAll(() => {
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next()
  }
  lanes = Promise.all(Array.from({ length: LANES }, lane))
})
afterAll(async () => {
  await lanes
  rmSync(folder, { recursive: true, force: true })
})

const of = (outcomes: readonly Outcome[], mutant: Mutant): readonly string[] => [
  ...new Set(outcomes.filter(({ title }) => title.startsWith(mutant.test)).map(({ status }) => status)),
]

test.each(MUTANTS)('the text replaced by the mutant without $without occurs once', (mutant) => {
  expect(mutatedText(mutant)).not.toBe('')
})

test.runIf(CHOSEN.length > 0)(
  'the unchanged sources pass every test that a mutant must fail',
  async () => {
    const outcomes = await sound
    expect(CHOSEN.map((mutant) => [mutant.test, of(outcomes, mutant)])).toEqual(
      CHOSEN.map(({ test: title }) => [title, ['passed']]),
    )
  },
  SOUND_TIMEOUT_MS,
)

test.each(CHOSEN.map((mutant) => [mutant.without, mutant] as const))('the tests fail without %s', async (_, mutant) => {
  expect(of((await mutated.get(mutant)) ?? [], mutant)).toEqual(['failed'])
})
