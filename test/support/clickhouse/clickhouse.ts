import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const USER = { name: 'placard', password: 'p%ss/word' }

/** A ClickHouse server for one spec, with its own database. */
export type TestClickHouse = {
  /** FACTS_URL of a fresh database. */
  readonly create: () => Promise<string>
  readonly pause: () => void
  readonly resume: () => void
  /** Ends it at once, as a crash does. The data stays. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port after `kill`. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const given = process.env['TEST_CLICKHOUSE_URL']
/** Whether chdb, the engine as a package, is installed. */
const hasEngine = ((): boolean => {
  try {
    createRequire(import.meta.url).resolve('chdb')
    return true
  } catch {
    return false
  }
})()

/** Why specs on ClickHouse cannot run; null when they can. */
export const NO_CLICKHOUSE =
  given !== undefined || hasEngine
    ? null
    : 'needs TEST_CLICKHOUSE_URL=http://user:password@host:8123/default, or npm install --no-save chdb@3.4.0'

/** Whether the server is a process of this machine that a test may stop. */
export const OWN_CLICKHOUSE = given === undefined && hasEngine

/** The server of TEST_CLICKHOUSE_URL, or chdb in its own process. */
export async function startTestClickHouse(): Promise<TestClickHouse> {
  if (given !== undefined) return { ...ABSENT, create: () => createDatabase(given) }
  const folder = await mkdtemp(join(tmpdir(), 'placard-clickhouse-'))
  let server = await startServer(folder, '0')
  const address = server.address
  return {
    create: () => createDatabase(withUser(address)),
    pause: () => void server.child.kill('SIGSTOP'),
    resume: () => void server.child.kill('SIGCONT'),
    kill: () => ended(server.child),
    start: async () => {
      server = await startServer(folder, new URL(address).port)
    },
    stop: async () => {
      await ended(server.child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const absent = (): never => {
  throw new Error('the server of TEST_CLICKHOUSE_URL is not ours to stop')
}
const ABSENT = { pause: absent, resume: absent, kill: absent, start: absent, stop: async () => {} }

async function startServer(folder: string, port: string) {
  const script = fileURLToPath(new URL('server.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, folder, port, USER.name, USER.password], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the ClickHouse server ended with ${code}`)))
  })
  return { child, address }
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

function withUser(address: string): string {
  const url = new URL(address)
  url.username = USER.name
  url.password = encodeURIComponent(USER.password)
  return url.href
}

let made = 0
async function createDatabase(server: string): Promise<string> {
  const name = `test_${process.pid}_${Date.now()}_${(made += 1)}`
  const url = new URL(server)
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
  const response = await fetch(url.origin, { method: 'POST', headers: { authorization }, body: `create database ${name}` })
  if (!response.ok) throw new Error(`the test database was not created: ${await response.text()}`)
  url.pathname = `/${name}`
  return url.href
}
