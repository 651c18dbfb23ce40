import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

async function serve(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`
}

const allowed = createGuardedFetch({ allowPrivate: true, withinMs: 300 })

it('sends a form, and answers status, headers and body', async () => {
  let seen = ''
  const url = await serve((request, response) => {
    request.on('data', (part: Buffer) => (seen += part.toString()))
    request.on('end', () => response.writeHead(201, { 'x-answer': 'yes' }).end('body'))
  })
  const answer = await allowed(url, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })
  expect([seen, answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual(['a=b+c', 201, 'yes', 'body'])
})

it('reaches no private network, by its address or by a name, and no plain http', async () => {
  let calls = 0
  const url = await serve((_, response) => {
    calls += 1
    response.end()
  })
  const guarded = createGuardedFetch({ allowPrivate: false })
  await expect(guarded(url)).rejects.toThrow('https://')
  await expect(guarded(url.replace('http:', 'https:'))).rejects.toThrow('port')
  await expect(guarded('https://127.0.0.1/')).rejects.toThrow('not public')
  await expect(guarded('https://localhost/')).rejects.toThrow('no address on the public internet')
  expect(calls).toBe(0)
})

it('follows no redirect', async () => {
  const url = await serve((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  expect((await allowed(url)).status).toBe(302)
})

it('gives up an answer that is too long or too late', async () => {
  const long = await serve((_, response) => response.end(Buffer.alloc(600 * 1024)))
  await expect(allowed(long)).rejects.toThrow('longer than')
  server?.close()
  const late = await serve(() => undefined)
  await expect(allowed(late)).rejects.toMatchObject({ name: expect.stringMatching(/Timeout|Abort/) as string })
})

it('answers with the headers of a body of any length where that is all that is wanted', async () => {
  let isEnded = false
  const url = await serve((_, response) => {
    response.on('close', () => (isEnded = true))
    response.writeHead(404, { 'x-answer': 'yes' }).write(Buffer.alloc(600 * 1024))
  })
  const answer = await createGuardedFetch({ allowPrivate: true, headersOnly: true, withinMs: 5000 })(url)
  expect([answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual([404, 'yes', ''])
  await expect.poll(() => isEnded).toBe(true)
})

it('reaches no private network where plain http is allowed', async () => {
  const guarded = createGuardedFetch({ allowPrivate: false, plainHttp: true })
  await expect(guarded('http://127.0.0.1/')).rejects.toThrow('not public')
  await expect(guarded('http://localhost/')).rejects.toThrow('no address on the public internet')
})
