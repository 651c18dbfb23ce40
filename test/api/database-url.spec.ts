import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { TLSSocket, createSecureContext } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigFault } from '../../api/config.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

/** What a start says when PostgreSQL cannot be used: one line that begins with the variable and never holds the password. */
describe('a start with DATABASE_URL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const lineOf = async (change: (url: URL) => void, base = database.url): Promise<string> => {
    const url = new URL(base)
    change(url)
    const begin = performance.now()
    const error: unknown = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), log: () => {} }).catch(
      (thrown: unknown) => thrown,
    )
    expect(performance.now() - begin).toBeLessThan(6000)
    expect(error).toBeInstanceOf(ConfigFault)
    const { message } = error as Error
    expect(message).toMatch(/^DATABASE_URL: /)
    expect(message).not.toMatch(/hidden|\n/)
    expect(error).not.toHaveProperty('cause')
    return message
  }

  it('names a closed port', async () => {
    expect(await lineOf((url) => (url.port = '1'))).toBe('DATABASE_URL: 127.0.0.1:1 refuses the connection')
  })

  it('names an unknown host', async () => {
    expect(await lineOf((url) => (url.hostname = 'nowhere.invalid'))).toMatch(/the host of nowhere\.invalid:\d+ is unknown$/)
  })

  it('names a wrong password and a wrong user', async () => {
    expect(await lineOf((url) => (url.password = 'hidden'))).toMatch(/does not accept this user and password$/)
    expect(await lineOf((url) => (url.username = 'hidden'))).toMatch(/does not accept this user and password$/)
    expect(await lineOf((url) => (url.password = ''))).toMatch(/does not accept this user and password$/)
  })

  it('names a certificate file that cannot be read', async () => {
    expect(await lineOf((url) => (url.search = '?sslrootcert=/nowhere/ca.crt'))).toBe(
      'DATABASE_URL: a file that sslrootcert, sslcert or sslkey names cannot be read',
    )
  })

  it('names a missing database', async () => {
    expect(await lineOf((url) => (url.pathname = '/nowhere'))).toBe('DATABASE_URL: PostgreSQL has no such database')
  })

  it('names a missing right', async () => {
    const name = `reader_${process.pid}`
    await database.pool.query('alter schema es rename to es_aside')
    await database.pool.query(`create role ${name} login password 'hidden'`)
    onTestFinished(async () => {
      await database.pool.query(`drop role ${name}`)
      await database.pool.query('alter schema es_aside rename to es')
    })
    const asReader = (url: URL) => {
      url.username = name
      url.password = 'hidden'
    }
    expect(await lineOf(asReader)).toMatch(/no right to create schemas in this database$/)
  })

  it('names a server without TLS, and a certificate that is not trusted', async () => {
    expect(await lineOf((url) => url.searchParams.set('sslmode', 'verify-full'))).toMatch(/does not speak TLS/)
    const tls = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('S')
        new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(UNTRUSTED) }).on('error', () => {})
      })
    })
    tls.listen(0, '127.0.0.1')
    await once(tls, 'listening')
    onTestFinished(() => void tls.close())
    const through = (url: URL) => {
      url.port = String((tls.address() as AddressInfo).port)
      url.searchParams.set('sslmode', 'verify-full')
    }
    expect(await lineOf(through)).toMatch(/the certificate of \S+ is not trusted/)
  })

  it('names a server that freezes after 5 s', async () => {
    const proxy = await startLossyProxy(database.url)
    onTestFinished(() => proxy.close())
    proxy.silence()
    expect(await lineOf(() => {}, proxy.url)).toBe('DATABASE_URL: no answer in 5 s')
  })

  it('names a server of another kind, and a URL that cannot be read', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    expect(await lineOf((url) => (url.port = String((other.address() as AddressInfo).port)))).toMatch(
      /is not a PostgreSQL that can be used$/,
    )
    const error: unknown = await openDatabase({
      databaseUrl: 'postgres://u:hid#den@host:x/d',
      dataDir: tmpdir(),
      log: () => {},
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigFault)
    expect(String(error)).toMatch(/is not a URL that can be read/)
    expect(String(error)).not.toMatch(/hid|den/)
  })
})
