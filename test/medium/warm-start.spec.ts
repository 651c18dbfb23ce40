import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'

test('a warm start of an initialised folder takes less than 300 ms', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'placard-warm-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const dir = path.join(root, 'postgres')
  const cold = await startEmbeddedPostgres({ dir })
  await cold.stop()
  const times: number[] = []
  for (let run = 0; run < 5; run += 1) {
    const before = performance.now()
    const server = await startEmbeddedPostgres({ dir })
    times.push(performance.now() - before)
    await server.stop()
  }
  expect(Math.min(...times)).toBeLessThan(300)
})
