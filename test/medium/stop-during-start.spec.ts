import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeNotice } from '#api/node-version'
import { readPostmasterFile } from '#platform/database/postmaster'
import { processIdentity } from '#platform/database/process-identity'
import { eventually } from '../support/events.ts'
import { nodeRuns, root } from '../support/product-process.ts'

const MOMENTS: readonly (readonly [string, (postgres: string) => boolean])[] = [
  ['while its database is made', (postgres) => existsSync(join(postgres, 'secret'))],
  ['when it begins to use its database', (postgres) => existsSync(join(postgres, 'holders'))],
  ['while it makes the demo', (postgres) => entriesOf(join(postgres, '..', 'files')) > 0],
]

const entriesOf = (folder: string): number => (existsSync(folder) ? readdirSync(folder).length : 0)

it.each(MOMENTS)('SIGTERM during the start, %s, stops all processes and exits with 0', async (_, hasCome) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-stop-'))
  const postgres = join(dataDir, 'postgres')
  const child = spawn(process.execPath, nodeRuns('api/main.ts'), {
    cwd: root,
    env: { ...process.env, PLACARD_DATA_DIR: dataDir, PORT: '0', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
  const ended = once(child, 'exit')
  let postmaster = 0
  try {
    await eventually(() => hasCome(postgres))
    postmaster = readPostmasterFile(join(postgres, 'data'))?.pid ?? 0
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    // The phases that it finished, and no complaint.
    expect(said.replaceAll(/^\S.* … \d+\.\d s$/gm, '').trim()).toBe(nodeNotice(process.version) ?? '')
    expect(processIdentity(postmaster)).toBeNull()
    expect(readPostmasterFile(join(postgres, 'data'))).toBeNull()
  } finally {
    child.kill('SIGKILL')
    if (processIdentity(postmaster) !== null) process.kill(postmaster, 'SIGQUIT')
    await rm(dataDir, { recursive: true, force: true })
  }
})
