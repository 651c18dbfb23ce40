import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { signIn, type Campaignish } from '../support/product.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const running: ChildProcess[] = []
const folders: string[] = []
afterAll(async () => {
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(
    running
      .filter((child) => child.exitCode === null && child.signalCode === null)
      .map((child) => new Promise((resolve) => child.once('exit', resolve))),
  )
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** The product as its users start it: an own process with an embedded, durable database. */
async function start(dataDir: string): Promise<{ readonly base: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/main.ts'], {
    cwd: root,
    env: { ...process.env, PLACARD_DATA_DIR: dataDir, PORT: '0', DATABASE_URL: '', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  const base = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const found = /ready at (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${text}`)))
  })
  return { base, child }
}

it('kill -9 of the product and of its database during a run of writes loses no acknowledged command', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-kill-'))
  folders.push(dataDir)
  const first = await start(dataDir)
  const ada = await signIn(first.base, 'ada@nile.example')
  const acknowledged = new Map<string, number>()
  let killed = false
  // Eight writers: each makes a campaign, then changes its budget again and again until the lights go out.
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    try {
      const { data } = await ada.call('POST', '/v1/campaign', {
        name: `Writer ${writer}`,
        country: 'EG',
        bidding_strategy: { type: 'awareness' },
      })
      acknowledged.set(data.id, data.revision)
      for (let budget = 1; !killed; budget++) {
        const saved = await ada.call('PUT', '/v1/campaign', { id: data.id, budget })
        if (saved.code === 0) acknowledged.set(data.id, saved.data.revision)
      }
    } catch {
      // The connection broke: whatever was in flight was not acknowledged.
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const postmaster = Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(first.child.pid ?? 0, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  killed = true
  await Promise.all(writers)
  expect(acknowledged.size).toBe(8)
  expect([...acknowledged.values()].reduce((sum, revision) => sum + revision, 0)).toBeGreaterThan(40)

  const second = await start(dataDir)
  const [again, owner] = await Promise.all([signIn(second.base, 'ada@nile.example'), signIn(second.base, 'owner@dsp.example')])
  for (const [id, revision] of acknowledged) {
    const found = await again.call<Campaignish>('GET', `/v1/campaign/${id}`)
    expect(found.code).toBe(0)
    // One more may have been stored whose answer never arrived.
    expect(found.data.revision - revision).toBeGreaterThanOrEqual(0)
    expect(found.data.revision - revision).toBeLessThanOrEqual(1)
    const verified = await owner.call<{ valid: boolean; faults: string[] }>('GET', `/v1/campaign/${id}/verify`)
    expect(verified.data.faults).toEqual([])
  }
}, 60_000)
