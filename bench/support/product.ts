import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMO_PASSWORD } from '#api/demo/people'
import { derivedId } from '#platform/ids'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The demo's first white-label and advertiser: campaigns in this space are Ada's. */
export const WHITELABEL = 'dsp'
export const SPACE = derivedId('demo', 'space', 'nile')

export type BenchProduct = {
  readonly base: string
  readonly port: number
  readonly token: string
  readonly pid: number
  /** Signs in another user of the demo; returns the token. */
  readonly signIn: (email: string) => Promise<string>
  /** Resolves when every read model has caught up with the log. */
  readonly ready: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Builds the product when the build is missing or older than the sources. Its output goes to stderr. */
function buildIfNeeded(): void {
  const script = "import { buildIfNeeded } from './scripts/build-if-needed.mjs'; buildIfNeeded()"
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('the product could not be built')
}

/**
 * The built product in its own process, as `npm start` runs it, on this database; Ada is signed in, unless the demo is off.
 */
export async function startBenchProduct(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<BenchProduct> {
  buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'placard-bench-'))
  const child: ChildProcess = spawn(
    process.execPath,
    ['--enable-source-maps', '--max-semi-space-size=32', 'dist/server/api/main.js'],
    {
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PLACARD_DATA_DIR: folder,
        PLACARD_DEMO: 'on',
        PLACARD_DEMO_DELIVERY: 'off',
        PORT: '0',
        LOG_LEVEL: 'error',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  // A failing bench leaves no process behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const base = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const found = /ready at (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${text}`)))
  })
  const token = env['PLACARD_DEMO'] === 'off' ? '' : await signIn(base, 'ada@nile.example')
  return {
    base,
    port: Number(new URL(base).port),
    token,
    pid: child.pid ?? 0,
    signIn: (email) => signIn(base, email),
    ready: async () => {
      while (!(await fetch(`${base}/health/ready`)).ok) await delay(100)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function signIn(base: string, username: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username, password: DEMO_PASSWORD })
  const response = await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: { access_token: string } } = await response.json()
  return data.access_token
}
