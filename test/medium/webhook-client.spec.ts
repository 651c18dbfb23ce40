import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createWebhookClient, signedHeaders } from '#platform/audit/webhook-client'
import { CA } from '../support/kurrent/certificates.ts'
import { isVerified, startWebhookReceiver } from '../support/webhook-receiver.ts'

const MESSAGE = { id: 'msg_1', body: '{"type":"audit.test","data":{}}' }
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const { signal } = new AbortController()

test('signs the example of the Standard Webhooks specification as it says', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  expect(signedHeaders(message, [SECRET], 1_614_265_330)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('posts over TLS to a name, and only where the certificate is trusted', async () => {
  const receiver = await startWebhookReceiver({ secure: true })
  onTestFinished(() => receiver.stop())
  const trusting = createWebhookClient({ allowPrivate: true, ca: CA })
  expect(await trusting(receiver.url, MESSAGE, [SECRET], signal)).toEqual({ status: 204, error: null })
  const [message] = receiver.received
  expect(message !== undefined && isVerified(message, SECRET)).toBe(true)
  const strict = await createWebhookClient({ allowPrivate: true })(receiver.url, MESSAGE, [SECRET], signal)
  expect(strict).toEqual({ status: null, error: 'The connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  const walled = createWebhookClient({ allowPrivate: false, ca: CA })
  expect(await walled(receiver.url, MESSAGE, [SECRET], signal)).toEqual({
    status: null,
    error: 'The port must be 80, 443 or 8443',
  })
  expect(await walled('https://localhost/', MESSAGE, [SECRET], signal)).toEqual({
    status: null,
    error: 'The name has no address on the public internet',
  })
  expect(receiver.received).toHaveLength(1)
})

test('gives up a receiver that does not answer, and reads little of a long answer', async () => {
  let sent = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/silent') return
    response.writeHead(200)
    const fill = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', fill)
    fill()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = createWebhookClient({ allowPrivate: true, withinMs: 500 })
  expect(await send(`${base}/silent`, MESSAGE, [SECRET], signal)).toEqual({ status: null, error: 'No answer within 0.5 seconds' })
  expect(await send(`${base}/endless`, MESSAGE, [SECRET], signal)).toEqual({ status: 200, error: null })
  expect(sent).toBeLessThan(50_000_000)
})

test('ends with the process, and blames no receiver for it', async () => {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  receiver.answers({ afterMs: 5000 })
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(), 100)
  await expect(createWebhookClient({ allowPrivate: true })(receiver.url, MESSAGE, [SECRET], stopping.signal)).rejects.toThrow(
    'aborted',
  )
})
