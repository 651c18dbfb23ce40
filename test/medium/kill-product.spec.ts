import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { faultsAfterDrill } from '../support/drill.ts'
import { databaseIn, nodeRuns, startProductProcess } from '../support/product-process.ts'
import { signIn, type Campaignish } from '../support/product.ts'

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

async function start(dataDir: string) {
  const product = await startProductProcess(nodeRuns('api/main.ts'), dataDir)
  running.push(product.child)
  return product
}

it('kill -9 of the product and of its database during a run of writes loses no acknowledged command', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-kill-'))
  folders.push(dataDir)
  const first = await start(dataDir)
  const ada = await signIn(first.base, 'ada@nile.example')
  const acknowledged = new Map<string, number>()
  let killed = false
  // Eight writers: each creates a campaign, then changes its budget until the product is killed.
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
      // The connection broke: calls in flight were not acknowledged.
    }
  })
  const revisions = () => [...acknowledged.values()].reduce((sum, revision) => sum + revision, 0)
  // In the middle of it, however slow the machine is.
  await expect.poll(() => acknowledged.size === 8 && revisions() > 40, { timeout: 60_000, interval: 50 }).toBe(true)
  const postmaster = Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(first.child.pid ?? 0, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  killed = true
  await Promise.all(writers)

  const second = await start(dataDir)
  const [again, owner] = await Promise.all([signIn(second.base, 'ada@nile.example'), signIn(second.base, 'owner@dsp.example')])
  for (const [id, revision] of acknowledged) {
    const found = await again.call<Campaignish>('GET', `/v1/campaign/${id}`)
    expect(found.code).toBe(0)
    // One more may be stored whose answer was lost.
    expect(found.data.revision - revision).toBeGreaterThanOrEqual(0)
    expect(found.data.revision - revision).toBeLessThanOrEqual(1)
    const verified = await owner.call<{ valid: boolean; faults: string[] }>('GET', `/v1/campaign/${id}/verify`)
    expect(verified.data.faults).toEqual([])
  }
  expect(await faultsAfterDrill(await databaseIn(dataDir), { PLACARD_DATA_DIR: dataDir })).toEqual([])
})
