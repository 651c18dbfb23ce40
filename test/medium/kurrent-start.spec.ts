import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { CLOCKS } from '#eventstore/kurrentdb/clocks'
import { openKurrentEventStore } from '#eventstore/kurrentdb/start'
import { someEvents, someStream } from '../support/events.ts'
import { CA, ELSEWHERE, LOCAL } from '../support/kurrent/certificates.ts'
import { startCluster } from '../support/kurrent/cluster.ts'
import { startStandIn, type StandIn, type StandInOptions } from '../support/kurrent/stand-in.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

const FAST = { ...CLOCKS, startMs: 300, pingMs: 300 }
const USERS = { ada: { password: 'p@ss', readsAll: true }, writer: { password: 'p@ss', readsAll: false } }

let folder: string
let caFile: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placard-ca-'))
  caFile = join(folder, 'ca.crt')
  await writeFile(caFile, CA)
})
afterAll(() => rm(folder, { recursive: true }))

const servers: StandIn[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
async function serve(options: StandInOptions = {}): Promise<StandIn> {
  const server = await startStandIn(options)
  servers.push(server)
  return server
}

/** Message of the start; the password must never be part of it, nor of anything that the client prints. */
async function reasonOf(url: string): Promise<string> {
  const warn = vi.spyOn(console, 'warn')
  const reason = await openKurrentEventStore(url, FAST).then(
    async (store) => store.close().then(() => 'it started'),
    (error: unknown) => String(error instanceof Error ? error.message : error),
  )
  expect(reason).not.toMatch(/p@ss|p%40ss|wrong-secret/)
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
  return reason
}
const secure = ({ port }: StandIn, { login = 'ada:p%40ss', host = '127.0.0.1', query = `?tlsCAFile=${caFile}` } = {}) =>
  `kurrentdb://${login}@${host}:${port}${query}`

it('a server with TLS and users takes the user and the certificate of its CA', async () => {
  const server = await serve({ tls: LOCAL, users: USERS })
  const store = await openKurrentEventStore(secure(server), FAST)
  const stream = someStream()
  expect(await store.append({ stream, expected: 0, events: someEvents(1) })).toMatchObject({ kind: 'appended' })
  expect(await store.readStream(stream)).toHaveLength(1)
  await store.close()
})

it('a node named by its address is asked without a server name, which Node.js 26 would refuse', async () => {
  const names: unknown[] = []
  const server = createServer(LOCAL, (socket) => {
    names.push(socket.servername)
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const host of ['127.0.0.1', 'localhost'])
    await openKurrentEventStore(`kurrentdb://ada:secret@${host}:${port}?tlsCAFile=${caFile}`, FAST).catch(() => undefined)
  server.close()
  expect(new Set(names)).toEqual(new Set([false, 'localhost']))
})

it.each(['ada:wrong-secret', 'eve:p%40ss'])(
  'the start says that the server refuses the user or password of %s',
  async (login) => {
    const server = await serve({ tls: LOCAL, users: USERS })
    expect(await reasonOf(secure(server, { login }))).toBe('KurrentDB answers, and refuses this user or password')
  },
)

it('the start says which right is missing to a user who may not read $all', async () => {
  const server = await serve({ tls: LOCAL, users: USERS })
  expect(await reasonOf(secure(server, { login: 'writer:p%40ss' }))).toBe(
    'KurrentDB answers, and this user has no right to read $all; docs/extensions.md, "KurrentDB", shows how to grant it',
  )
})

it.each([
  ['of an unknown CA', LOCAL],
  ['that is self-signed', UNTRUSTED],
])('the start says that a certificate %s is not trusted', async (_, tls) => {
  const server = await serve({ tls })
  expect(await reasonOf(secure(server, { query: '' }))).toBe(
    `the certificate of 127.0.0.1:${server.port} is not trusted; name the file of its CA with tlsCAFile`,
  )
})

it('the start says whose certificate it is when it is of another host', async () => {
  const server = await serve({ tls: ELSEWHERE })
  // An address is compared with addresses alone, and this certificate has none.
  expect(await reasonOf(secure(server))).toBe(`the certificate of 127.0.0.1:${server.port} is for other names, not for 127.0.0.1`)
  expect(await reasonOf(secure(server, { host: 'localhost' }))).toBe(
    `the certificate of localhost:${server.port} is for DNS:elsewhere.example, not for localhost`,
  )
})

it('the start says that a server without TLS was asked with it, and the other way round', async () => {
  const [without, withTls] = [await serve(), await serve({ tls: LOCAL })]
  expect(await reasonOf(secure(without))).toBe(
    `127.0.0.1:${without.port} does not support TLS; add tls=false to the connection string, or enable TLS on the server`,
  )
  expect(await reasonOf(`kurrentdb://127.0.0.1:${withTls.port}?tls=false`)).toBe(
    `127.0.0.1:${withTls.port} closes the connection; the server may require TLS: remove tls=false from the connection string`,
  )
})

it('the start says that a connection is refused, and that a name does not resolve', async () => {
  expect(await reasonOf('kurrentdb://127.0.0.1:1?tls=false')).toBe('connection refused by 127.0.0.1:1')
  expect(await reasonOf('kurrentdb://kurrent.invalid:2113?tls=false')).toBe('the name kurrent.invalid does not resolve')
})

it('the start says that a server takes the connection and does not answer', async () => {
  const server = await serve()
  server.freeze()
  expect(await reasonOf(server.url)).toBe(`127.0.0.1:${server.port} did not answer in 5 s`)
})

it('the start names each node of a cluster that cannot be used, and takes one that can', async () => {
  const refused = 'connection refused by 127.0.0.1:1; connection refused by 127.0.0.1:2'
  expect(await reasonOf('kurrentdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=1')).toBe(refused)
  const cluster = await startCluster()
  servers.push(...cluster.nodes)
  const [first, ...others] = cluster.nodes
  await first?.kill()
  // The follower answers, and is not blamed.
  expect(await reasonOf(`kurrentdb://127.0.0.1:1,127.0.0.1:${others[0]?.port}?tls=false`)).toBe(
    'connection refused by 127.0.0.1:1',
  )
  const followers = others.map(({ port }) => `127.0.0.1:${port}`)
  expect(await reasonOf(`kurrentdb://${followers.join(',')}?tls=false&maxDiscoverAttempts=1`)).toMatch(
    new RegExp(`^the nodes ${followers.join(', ')} answer, but no leader can be reached`),
  )
  await first?.revive()
  expect(await reasonOf(cluster.url)).toBe('it started')
})
