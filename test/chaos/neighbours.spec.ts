import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startChild, type Child } from '../support/child.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { signIn, type Session } from '../support/product.ts'

/** The nightly run measures for two minutes with `NEIGHBOURS_SECONDS=120`. It says nothing on a machine that does other work. */
const SECONDS = Number(process.env['NEIGHBOURS_SECONDS'] ?? 0)
/** Least limit, milliseconds: the product, its database and both accounts share two cores. */
const FLOOR_MS = 300
/** How many times as long saves may take as without a neighbour. */
const RATIO = 3
const PAUSE_MS = 40

type Measured = { readonly p99: number; readonly count: number }

/** Saves for a while, one after the other; every save must be answered. */
async function saves(by: Session, id: string, seconds: number): Promise<Measured> {
  const took: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const began = performance.now()
    const { code, status } = await by.call('PUT', '/v1/campaign', { id, budget: 100 + took.length })
    expect([code, status]).toEqual([0, 200])
    took.push(performance.now() - began)
    await delay(PAUSE_MS)
  }
  const sorted = took.toSorted((a, b) => a - b)
  return { p99: Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity), count: sorted.length }
}

/** Limits that the neighbour meets. Most of its other calls wait for their turn. */
const LIMITED = ['uploads', 'wrong passwords']

test.runIf(SECONDS > 0)(
  'the saves of an account take at most three times as long while another account does its worst',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'placard-neighbours-'))
    const product = await startProductProcess(nodeRuns('test/support/demo-main.ts'), dataDir)
    let noisy: Child | null = null
    try {
      const [ada, bola] = [await signIn(product.base, 'ada@nile.example'), await signIn(product.base, 'bola@lagos.example')]
      const content = { name: 'Beside a noisy account', country: 'NG', bidding_strategy: { type: 'awareness' } }
      const { id } = (await bola.call('POST', '/v1/campaign', content)).data
      // Prepared before, so that its own work is not measured.
      noisy = startChild(new URL('noisy-account.ts', import.meta.url), [product.base, ada.token])
      expect(await noisy.nextLine()).toBe('ready')
      await saves(bola, id, 1)
      const quiet = await saves(bola, id, SECONDS / 2)
      noisy.process.stdin?.write('start\n')
      const beside = await saves(bola, id, SECONDS)
      const health: { readonly status: string } = await (await fetch(`${product.base}/health/ready`)).json()
      await noisy.finish()
      const counts: Record<string, Record<string, number>> = JSON.parse(noisy.lines.at(-1) ?? '{}')
      const measured = `quiet ${JSON.stringify(quiet)}, beside ${JSON.stringify(beside)}: ${noisy.lines.at(-1)}`
      console.log(measured)
      expect(beside.p99, measured).toBeLessThan(Math.max(FLOOR_MS, RATIO * quiet.p99))
      expect(health.status).not.toBe('waiting')
      // The limits were reached, which takes a while, and no call failed.
      for (const name of LIMITED) expect(counts[name]?.['429'] ?? 0, measured).toBeGreaterThan(0)
      expect(
        Object.values(counts).flatMap((statuses) => Object.keys(statuses)),
        measured,
      ).not.toContain('500')
    } finally {
      if (noisy?.process.exitCode === null) await noisy.kill()
      product.child.kill('SIGTERM')
      await new Promise((resolve) => product.child.once('exit', resolve))
      await rm(dataDir, { recursive: true, force: true })
    }
  },
  120_000 + 4000 * SECONDS,
)
