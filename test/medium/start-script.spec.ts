import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { root } from '../support/product-process.ts'
import { eventually } from '../support/product.ts'

let database: TestDatabase
let dataDir = ''
const running: ChildProcess[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'placard-script-'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A process runs `npm start`'s script as npm does, or the script alone; resolves when the product is ready. */
async function start(command: string, args: readonly string[]) {
  const child = spawn(command, [...args], {
    cwd: root,
    env: {
      ...process.env,
      npm_lifecycle_event: 'start',
      DATABASE_URL: database.url,
      PLACARD_DATA_DIR: dataDir,
      PLACARD_UNSAFE_DATABASE: 'on',
      PLACARD_DEMO: 'off',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)))
  const ended = once(child, 'exit')
  const base = await eventually(
    async () => /ready at (\S+)/.exec(said)?.[1] ?? '',
    (found) => found !== '',
    60_000,
  )
  const serves = () =>
    fetch(`${base}/health/live`).then(
      () => true,
      () => false,
    )
  expect(await serves()).toBe(true)
  return { child, ended, serves, said: () => said, base }
}
const SCRIPT = join('scripts', 'start.mjs')

it('prints a line for each phase with its seconds, and where it is ready', async () => {
  const { child, ended, said } = await start(process.execPath, [SCRIPT])
  child.kill('SIGTERM')
  await ended
  const lines = said()
    .split('\n')
    .filter((line) => line.trim() !== '' && !/Node\.js|^Building/.test(line))
  // Without an administrator, the link of the first one follows.
  expect(lines.slice(0, 3).map((line) => line.replace(/\d+\.\d s$/, 'N s').replace(/:\d+$/, ''))).toEqual([
    'Starting the database … N s',
    'Bringing tables and read models up to date … N s',
    '  Placard is ready at http://127.0.0.1',
  ])
  expect(lines.length).toBeLessThan(8)
})

it.each([
  ['SIGTERM to the script ends the server', process.execPath, [SCRIPT], 'SIGTERM'],
  ['SIGKILL of the script ends the server', process.execPath, [SCRIPT], 'SIGKILL'],
  [
    'SIGTERM to the shell that runs the script ends the server',
    'sh',
    ['-c', `"${process.execPath}" ${SCRIPT}; exit $?`],
    'SIGTERM',
  ],
] as const)('the start script: %s', async (_, command, args, signal) => {
  const { child, ended, serves } = await start(command, args)
  child.kill(signal)
  await ended
  await eventually(serves, (found) => !found)
})
