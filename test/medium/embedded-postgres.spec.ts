import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { hydrateSymlinks } from '#platform/database/postgres-binaries'
import { isPostmasterOf } from '#platform/database/postmaster'
import { processIdentity } from '#platform/database/process-identity'
import { type Child, startChild } from '../support/child.ts'

// mkdtemp creates it for the owner only, like a project inside /root.
const root = mkdtempSync(path.join(tmpdir(), 'placard-launcher-'))
const dir = path.join(root, 'postgres')
const pidFile = path.join(dir, 'data', 'postmaster.pid')
const holder = new URL('../support/embedded-postgres-holder.ts', import.meta.url)
const servers: EmbeddedPostgres[] = []
const children: Child[] = []

afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()))
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(root, { recursive: true, force: true })
})

async function start(folder = dir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dir: folder })
  servers.push(server)
  return server
}

function startHolder(folder = dir, options: Parameters<typeof startChild>[2] = {}): Child {
  const child = startChild(holder, [folder], options)
  children.push(child)
  return child
}

const started = async (child: Child): Promise<{ pid: number; url: string }> => JSON.parse(await child.nextLine())

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const gone = async (pid: number): Promise<void> => {
  while (processIdentity(pid) !== null) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a cold start creates a durable, private server on loopback only', async () => {
  const server = await start()
  const settings = await query(server.url, 'select name, setting from pg_settings')
  const setting = (name: string): unknown => settings.find((row) => row['name'] === name)?.['setting']
  expect([setting('fsync'), setting('synchronous_commit'), setting('full_page_writes'), setting('data_checksums')]).toEqual(
    Array.from({ length: 4 }, () => 'on'),
  )
  expect([setting('listen_addresses'), setting('unix_socket_directories')]).toEqual(['127.0.0.1', ''])
  const [locale] = await query(server.url, 'select datlocprovider, datlocale from pg_database where datname = current_database()')
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' })
  expect(statSync(path.join(dir, 'secret')).mode & 0o777).toBe(0o600)
  expect(statSync(path.join(dir, 'data')).mode & 0o777).toBe(0o700)
  const stranger = new URL(server.url)
  stranger.password = 'wrong'
  await expect(query(stranger.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  await query(server.url, 'create table kept (id int)')
  await server.stop()
  expect(processIdentity(server.pid)).toBeNull()
})

test('the server of a killed process is reused, and stops with its last user', async () => {
  const child = startHolder()
  const { pid } = await started(child)
  await child.kill()
  expect(processIdentity(pid)).not.toBeNull()
  const server = await start()
  expect(server.pid).toBe(pid)
  await server.stop()
  expect(processIdentity(pid)).toBeNull()
})

// covers FP-24
test('the last process to close stops the server', async () => {
  const server = await start()
  const child = startHolder()
  expect((await started(child)).pid).toBe(server.pid)
  await server.stop()
  await server.stop()
  expect(processIdentity(server.pid)).not.toBeNull()
  await child.finish()
  expect(processIdentity(server.pid)).toBeNull()
})

test('kill -9 of the server keeps every committed row', async () => {
  const server = await start()
  await query(server.url, 'insert into kept select generate_series(1, 1000)')
  process.kill(server.pid, 'SIGKILL')
  await gone(server.pid)
  expect(existsSync(pidFile)).toBe(true)
  const restarted = await start()
  expect(restarted.pid).not.toBe(server.pid)
  expect(await query(restarted.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 1000 }])
  await server.stop()
  await restarted.stop()
})

test('the pid of an unrelated process or a zombie in postmaster.pid is ignored', async () => {
  const first = await start()
  const text = readFileSync(pidFile, 'utf8')
  expect(isPostmasterOf(first.pid, root)).toBe(false)
  await first.stop()
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const zombie = await new Promise<string>((resolve) =>
    parent.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
  )
  try {
    for (const pid of [String(process.pid), zombie]) {
      writeFileSync(pidFile, text.replace(/^\d+/, pid))
      const server = await start()
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.stop()
    }
  } finally {
    parent.kill('SIGKILL')
  }
})

// covers FP-24
test('two processes that start in a new folder share one server', async () => {
  const folder = path.join(root, 'shared')
  const [one, two] = [startHolder(folder), startHolder(folder)]
  const [first, second] = await Promise.all([started(one), started(two)])
  expect(first).toEqual(second)
  await Promise.all([one.finish(), two.finish()])
  expect(processIdentity(first.pid)).toBeNull()
})

test('a folder of another PostgreSQL version is refused with advice', async () => {
  const file = path.join(dir, 'data', 'PG_VERSION')
  const ours = readFileSync(file, 'utf8')
  writeFileSync(file, '12\n')
  await expect(startEmbeddedPostgres({ dir })).rejects.toThrow(/made by PostgreSQL 12, .* set DATABASE_URL/)
  writeFileSync(file, ours)
})

test('a folder that is not a database is not changed', async () => {
  const folder = path.join(root, 'foreign')
  mkdirSync(path.join(folder, 'data'), { recursive: true })
  writeFileSync(path.join(folder, 'data', 'thesis.txt'), 'mine')
  await expect(startEmbeddedPostgres({ dir: folder })).rejects.toThrow(/is not a PostgreSQL data folder/)
  expect(readFileSync(path.join(folder, 'data', 'thesis.txt'), 'utf8')).toBe('mine')
})

test('links missing after an install without scripts are created', () => {
  const home = path.join(root, 'package')
  mkdirSync(path.join(home, 'native', 'lib'), { recursive: true })
  writeFileSync(path.join(home, 'native', 'lib', 'libx.so.1.2'), 'library')
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  writeFileSync(path.join(home, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  hydrateSymlinks(home)
  hydrateSymlinks(home)
  expect(lstatSync(path.join(home, 'native', 'lib', 'libx.so.1')).isSymbolicLink()).toBe(true)
  expect(readFileSync(path.join(home, 'native', 'lib', 'libx.so.1'), 'utf8')).toBe('library')
})

const NOBODY = { uid: 65_534, gid: 65_534 }
const canBecomeNobody =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--import', 'tsx', '--eval', '0'], { ...NOBODY }).status === 0

test.skipIf(!canBecomeNobody)('starts for an ordinary user', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'placard-nobody-'))
  chmodSync(home, 0o700)
  chownSync(home, NOBODY.uid, NOBODY.gid)
  const child = startHolder(path.join(home, 'postgres'), NOBODY)
  const { pid, url } = await started(child)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await child.finish()
  expect(processIdentity(pid)).toBeNull()
  rmSync(home, { recursive: true, force: true })
})

test.skipIf(!canBecomeNobody)('starts under another user for root where namespaces are forbidden', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'placard-other-'))
  chmodSync(home, 0o711)
  const commands = path.join(home, 'commands')
  mkdirSync(commands)
  writeFileSync(path.join(commands, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const folder = path.join(home, 'postgres')
  const child = startHolder(folder, { env: { ...process.env, PATH: `${commands}:${process.env['PATH']}` } })
  const { pid, url } = await started(child)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(statSync(path.join(folder, 'data')).uid).not.toBe(0)
  await child.finish()
  expect(processIdentity(pid)).toBeNull()
  const server = await start(folder)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})
