import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

const run = promisify(execFile)

/** Rows per second that PostgreSQL's own load generator inserts, one durable transaction a row: the server's baseline. */
export type Pgbench = {
  readonly insertsPerSecond: (clients: number, seconds: number) => Promise<number>
  readonly close: () => Promise<void>
}

/**
 * `bytes` of JSON a row, into a table with a primary key and nothing else. Throws with advice when pgbench is not on the path.
 */
export async function preparePgbench(url: string, bytes: number): Promise<Pgbench> {
  await run('pgbench', ['--version']).catch(() => {
    throw new Error('this bench compares with pgbench, which is not on the path (Debian: postgresql-contrib)')
  })
  const client = new Client({ connectionString: url })
  // A failing bench drops its database under this client: its own error should be reported, not this one.
  client.on('error', () => {})
  await client.connect()
  await client.query(
    'create table if not exists bench_rows (id bigint generated always as identity primary key, data jsonb not null)',
  )
  const folder = mkdtempSync(join(tmpdir(), 'placard-pgbench-'))
  const script = join(folder, 'insert.sql')
  writeFileSync(script, `insert into bench_rows (data) values ('${JSON.stringify({ note: 'x'.repeat(bytes - 11) })}');\n`)
  const { hostname, port, username, password, pathname } = new URL(url)
  const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGSSLMODE: 'disable' }
  return {
    insertsPerSecond: async (clients, seconds) => {
      const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', String(Math.min(2, clients)), '-T', String(seconds)]
      const { stdout } = await run('pgbench', [...options, '-f', script, pathname.slice(1)], { env })
      const found = /tps = ([\d.]+)/.exec(stdout)?.[1]
      if (found === undefined) throw new Error(`pgbench said: ${stdout}`)
      return Number(found)
    },
    close: async () => {
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
