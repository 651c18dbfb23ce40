import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isVerified, startWebhookReceiver } from '../support/webhook-receiver.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, signIn } from '../support/product.ts'

async function start(dataDir: string) {
  const product = await startProductProcess(nodeRuns('api/main.ts'), dataDir, { PLACARD_WEBHOOK_PRIVATE: 'true' })
  const { child } = product
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  return product
}

it('kill -9 while a webhook is sent: the message is repeated under its id, and nothing is lost or comes in another order', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-webhook-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const to = await startWebhookReceiver()
  onTestFinished(() => to.stop())
  const first = await start(dataDir)
  const owner = await signIn(first.base, 'owner@dsp.example')
  // Taken by the receiver, and not known to the product.
  to.answers({ hangsUp: true })
  const body = { url: to.url, filter: { kind: 'campaign' }, after: '0' }
  const { data } = await owner.call<{ secret: string }>('POST', '/v1/audit/webhooks', body)
  await eventually(
    async () => to.received.length,
    (count) => count >= 1,
  )
  const postmaster = Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(first.child.pid ?? 0, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  const before = to.received.length
  to.answers({})

  const second = await start(dataDir)
  const auditor = await signIn(second.base, 'auditor@dsp.example')
  const { data: feed } = await auditor.call<{ entries: readonly { position: string }[] }>(
    'GET',
    '/v1/audit/feed?kind=campaign&limit=1000',
  )
  const expected = feed.entries.map(({ position }) => position)
  expect(expected.length).toBeGreaterThan(100)
  // A job of a process that died is taken again when its lease ends.
  await eventually(
    async () => to.taken().length,
    (count) => count >= expected.length,
    120_000,
  )
  expect(to.taken().slice(0, expected.length)).toEqual(expected)
  const repeats = to.received.filter(({ id }) => id === to.received[0]?.id)
  expect(repeats.length).toBeGreaterThan(before > 0 ? 1 : 0)
  expect(new Set(repeats.map(({ text }) => text)).size).toBe(1)
  expect(to.received.every((message) => isVerified(message, data.secret))).toBe(true)
})
