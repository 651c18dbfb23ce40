import { ConfigFault } from '#commands/config-fault'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket, createSecureContext } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#platform/database/database'
import { freePort } from '../support/ports.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/product.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const IGNORING = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options'

async function startPgbouncer(url: URL, more: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'placard-pgbouncer-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const user = decodeURIComponent(url.username)
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${url.port} user=${user} password=${decodeURIComponent(url.password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    more,
  ]
  await writeFile(file, lines.join('\n'))
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const child = spawn(PGBOUNCER, process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  })
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy()
          resolve(true)
        })
        socket.on('error', () => resolve(false))
      }),
    (isOpen) => isOpen,
  )
  return port
}

/** Message of a start when PostgreSQL cannot be used: one line that begins with the variable and never holds the password. */
describe('a start with DATABASE_URL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const lineOf = async (change: (url: URL) => void, base = database.url): Promise<string> => {
    const url = new URL(base)
    change(url)
    const error: unknown = await openDatabase({
      databaseUrl: url.href,
      dataDir: tmpdir(),
      connections: { calls: 10 },
      log: () => {},
    }).catch((thrown: unknown) => thrown)
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
    // The server of the tests checks passwords for this name only.
    const checked = new URL(database.url)
    checked.pathname = '/checked'
    for (const change of [{ password: 'hidden' }, { username: 'hidden' }, { password: '' }])
      expect(await lineOf((url) => Object.assign(url, change), checked.href)).toMatch(/does not accept this user and password$/)
  })

  it('names a certificate file that cannot be read', async () => {
    expect(await lineOf((url) => (url.search = '?sslrootcert=/nowhere/ca.crt'))).toBe(
      'DATABASE_URL: a file that sslrootcert, sslcert or sslkey names cannot be read',
    )
  })

  it('names a missing database', async () => {
    expect(await lineOf((url) => (url.pathname = '/nowhere'))).toBe('DATABASE_URL: PostgreSQL has no such database')
  })

  it.skipIf(!existsSync(PGBOUNCER)).each([
    ['', /the pooler at \S+ refuses settings of a session/],
    [IGNORING, /the pooler at \S+ shares sessions \(transaction mode\)/],
  ])('names a pooler in transaction mode, with "%s"', async (more, said) => {
    const port = await startPgbouncer(new URL(database.url), more)
    expect(await lineOf((url) => (url.port = String(port)))).toMatch(said)
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
      connections: { calls: 10 },
      log: () => {},
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigFault)
    expect(String(error)).toMatch(/is not a URL that can be read/)
    expect(String(error)).not.toMatch(/hid|den/)
  })
})
