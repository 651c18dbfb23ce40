import { ConfigFault } from '#commands/config-fault'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#api/config'
import { openFileStore } from '#api/wiring/file-store'
import { createStops } from '#api/process/stops'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { S3_CREDENTIALS, startS3Server, useCredentials, type S3Server } from '../support/s3-server.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

const SECRET = 'hiddenSecret'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server in place of S3. */
async function serve(handle: Handle, tls?: { readonly key: string; readonly cert: string }): Promise<string> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response)
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Refuses everything with this code. */
const refuses =
  (status: number, code: string, more = ''): Handle =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${SECRET}</Message>${more}</Error>`)

/** Message of a start when the file store cannot be used: one line that begins with the variable and holds no secret. */
describe('a start with FILE_STORE_URL', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  beforeEach(() => useCredentials(S3_CREDENTIALS))
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => server.close())

  const start = async (url: string) => {
    const lines: string[] = []
    const log = (line: unknown) => void lines.push(String(line))
    const stops = createStops()
    onTestFinished(() => stops.run())
    const { fileStore } = readConfig({ FILE_STORE_URL: url, PLACARD_DATA_DIR: '/tmp' })
    const adapters = { folder: createDiskFiles, s3: createS3Files }
    const opened = await openFileStore({ fileStore }, { adapters, logger: { error: log, warn: log } as never, stops })
    return { ...opened, lines }
  }
  const lineOf = async (url: string): Promise<string> => {
    const begin = performance.now()
    const error: unknown = await start(url).catch((thrown: unknown) => thrown)
    expect(performance.now() - begin).toBeLessThan(6000)
    expect(error).toBeInstanceOf(ConfigFault)
    const { message } = error as Error
    expect(message).toMatch(/^FILE_STORE_URL: /)
    expect(message).not.toMatch(/hidden|\n/)
    return message
  }
  const at = (endpoint: string, bucket = server.bucket) => `s3://${bucket}?endpoint=${endpoint}`

  it('names a closed port', async () => {
    expect(await lineOf(at('http://127.0.0.1:1'))).toBe('FILE_STORE_URL: 127.0.0.1:1 refuses the connection')
  })

  it('names an unknown host', async () => {
    expect(await lineOf(at('http://nowhere.invalid:9000'))).toBe('FILE_STORE_URL: the host of nowhere.invalid:9000 is unknown')
  })

  it('names a frozen store after 5 s', async () => {
    const proxy = await startLossyProxy(server.endpoint)
    proxy.silence()
    expect(await lineOf(at(new URL(proxy.url).origin))).toBe('FILE_STORE_URL: no answer in 5 s')
    await proxy.close()
  })

  it('names a wrong key, a wrong secret and missing credentials', async () => {
    useCredentials('STRANGER', SECRET)
    expect(await lineOf(at(server.endpoint))).toMatch(/does not accept this access key$/)
    const other = await serve(refuses(403, 'SignatureDoesNotMatch'))
    expect(await lineOf(at(other))).toMatch(/does not accept the secret of this access key$/)
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined)
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere')
    expect(await lineOf(at(server.endpoint))).toMatch(/no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY$/)
  })

  it('names a missing bucket', async () => {
    expect(await lineOf(at(server.endpoint, 'no-such-bucket'))).toMatch(/has no such bucket \(no-such-bucket\)$/)
  })

  it.each([
    { cause: 'another region', status: 301, code: 'PermanentRedirect', line: /another region; set its region in the URL$/ },
    {
      cause: 'another region that the store names',
      status: 400,
      code: 'AuthorizationHeaderMalformed',
      more: '<Region>eu-west-3</Region>',
      line: /another region; set region=eu-west-3 in the URL$/,
    },
    { cause: 'a missing right', status: 403, code: 'AccessDenied', line: /no right to read and write files in the bucket \S+$/ },
    { cause: 'a suspended user', status: 403, code: 'UserSuspended', line: /has suspended the user of this access key$/ },
    { cause: 'a store that fails', status: 503, code: 'ServiceUnavailable', line: /answers with an error \(HTTP 503\)$/ },
    { cause: 'another server', status: 404, code: 'Nothing', line: /is not an S3 store that can be used$/ },
  ])('names $cause', async ({ status, code, more, line }) => {
    expect(await lineOf(at(await serve(refuses(status, code, more))))).toMatch(line)
  })

  it('names a key that may read and not write', async () => {
    const readOnly = await serve((request, response) =>
      (request.method === 'GET' ? refuses(404, 'NoSuchKey') : refuses(403, 'AccessDenied'))(request, response),
    )
    expect(await lineOf(at(readOnly))).toMatch(/no right to read and write files in the bucket \S+$/)
  })

  it('names a certificate that is not trusted, and a port without TLS', async () => {
    expect(await lineOf(at(await serve(refuses(200, 'x'), UNTRUSTED)))).toMatch(/certificate of \S+ is not trusted/)
    expect(await lineOf(at(server.endpoint.replace('http:', 'https:')))).toMatch(/does not speak TLS at this port; use http/)
  })

  it('names a folder that cannot be written', async () => {
    expect(await lineOf('file:///dev/null/files')).toBe(
      'FILE_STORE_URL: the folder /dev/null/files cannot be used: a part of the path is a file',
    )
  })

  it('succeeds with a key that may not list the bucket: there, a missing object is 403', async () => {
    const proxied = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
      const [path = ''] = (request.url ?? '').split('?', 1)
      if (request.method === 'PUT') objects.set(path, Buffer.concat(chunks))
      const object = objects.get(path)
      if (object === undefined) refuses(403, 'AccessDenied')(request, response)
      else response.writeHead(200).end(request.method === 'GET' ? object : '')
    })
    const objects = new Map<string, Buffer>()
    const { outside } = await start(at(proxied))
    expect([...objects.keys()]).toEqual([`/${server.bucket}/placard-probe`])
    expect(outside.map(({ name }) => name)).toEqual(['file store'])
  })

  it('logs one line when the store goes away and one when it is back', async () => {
    const proxy = await startLossyProxy(server.endpoint)
    onTestFinished(() => proxy.close())
    const { host, origin } = new URL(proxy.url)
    const { blobs, outside, lines } = await start(at(origin))
    await proxy.down()
    for (let n = 0; n < 5; n++) await expect(blobs.length('0'.repeat(64))).rejects.toMatchObject({ name: 'Away' })
    expect(lines).toEqual([`file store is away: ${host} refuses the connection. Uploads and files answer 503 until it is back`])
    await proxy.up()
    await expect.poll(() => outside[0]?.isAway()).toBe(false)
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^file store is back after \d+ s$/)])
  })

  it.each([
    { cause: 'a withdrawn key', head: 403, status: 403, code: 'InvalidAccessKeyId', line: /does not accept this access key\. / },
    { cause: 'an expired session', head: 400, status: 400, code: 'ExpiredToken', line: /does not accept this access key\. / },
    { cause: 'a removed bucket', head: 404, status: 404, code: 'NoSuchBucket', line: /has no such bucket \(placard-test\)\. / },
  ])('reports $cause that a HEAD finds, whose answer names no cause', async ({ head, status, code, line }) => {
    let isRefusing = false
    const store = await serve((request, response) => {
      if (!isRefusing) response.writeHead(200).end()
      else if (request.method === 'HEAD') response.writeHead(head).end()
      else refuses(status, code)(request, response)
    })
    const { blobs, lines } = await start(at(store))
    isRefusing = true
    await expect(blobs.length('0'.repeat(64))).rejects.toMatchObject({ name: 'Away' })
    expect(lines).toEqual([expect.stringMatching(line)])
    expect(lines[0]).not.toMatch(/hidden/)
  })

  it('a start with FILE_STORE_URL succeeds after its probe was removed, also where a missing object is 403', async () => {
    let isThere = false
    const store = await serve((request, response) => {
      if (request.method === 'PUT') isThere = true
      if (isThere) response.writeHead(200).end()
      else refuses(403, 'AccessDenied')(request, response)
    })
    const { outside } = await start(at(store))
    isThere = false
    await expect.poll(() => isThere).toBe(true)
    expect(outside[0]?.isAway()).toBe(false)
  })

  it('tries again when an answer stalls in the middle', async () => {
    const bytes = Buffer.from('a whole file')
    let reads = 0
    const stalling = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      if ((reads += 1) === 1) response.write(bytes.subarray(0, 3))
      else response.end(bytes)
    })
    const store = await createS3Files(at(stalling))
    onTestFinished(() => store.close())
    expect(await store.get(createHash('sha256').update(bytes).digest('hex'))).toEqual(bytes)
    expect(reads).toBe(2)
  })

  it('tries again what failed once, for every call of an outage', async () => {
    const seen = new Set<string>()
    const flaky = await serve(({ url = '' }, response) => {
      response.writeHead(seen.has(url) ? 200 : 500, { 'content-length': 5 }).end()
      seen.add(url)
    })
    const store = await createS3Files(at(flaky))
    onTestFinished(() => store.close())
    // The SDK's own retries end after a hundred.
    const names = Array.from({ length: 120 }, (_, n) => String(n).padStart(64, '0'))
    expect(await Promise.all(names.map((name) => store.length(name)))).toEqual(names.map(() => 5))
  })
})
