import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, signIn, type Session } from '../support/product.ts'

const DRAFT = { country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
type Campaign = { readonly id: string; readonly name: string; readonly budget: number }

describe('an archive of the embedded database', { timeout: 300_000 }, () => {
  let root: string
  let archive: string
  let dataDir: string
  let base = ''
  /** Between the good acts and the wrong one. */
  let instant = ''
  let kept: Campaign
  const before: string[] = []
  const after: string[] = []
  const running: ChildProcess[] = []

  const tool = (file: string, dir: string, ...args: readonly string[]) =>
    runTool(`api/cli/${file}.ts`, args, '', { env: { PLACARD_DATA_DIR: dir } })
  const restore = (dir: string, at: string, from = archive) => tool('restore', dir, '--from', from, '--at', at)
  const place = (name: string) => join(root, name)

  async function start(dir: string, folder: string) {
    const product = await startProductProcess(nodeRuns('api/main.ts'), dir, { PLACARD_PG_ARCHIVE: folder, LOG_LEVEL: 'silent' })
    running.push(product.child)
    return product
  }
  /** The line of a start with the archive that fails. */
  const refusedStart = async (dir: string) => {
    const env = { PLACARD_DATA_DIR: dir, PLACARD_PG_ARCHIVE: archive, PORT: '0', LOG_LEVEL: 'silent' }
    const { code, err } = await runTool('api/main.ts', [], '', { env })
    expect(code).toBe(1)
    return err.trim().split('\n').at(-1)
  }
  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  /** On the embedded server of a data folder that runs. */
  async function query<T extends object>(dir: string, text: string): Promise<readonly T[]> {
    const [secret, pid] = await Promise.all(
      ['secret', 'data/postmaster.pid'].map((name) => readFile(join(dir, 'postgres', name), 'utf8')),
    )
    const url = `postgres://placard:${secret}@127.0.0.1:${pid?.split('\n')[3]}/placard`
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<T>(text)).rows
    } finally {
      await client.end()
    }
  }
  const create = async (session: Session, name: string): Promise<Campaign> => {
    const { code, data } = await session.call<Campaign>('POST', '/v1/campaign', { ...DRAFT, name })
    expect(code).toBe(0)
    return data
  }
  const health = async (at: string) =>
    (await (await fetch(`${at}/health/ready`)).json()) as { readonly status: string; readonly away?: readonly string[] }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'placard-way-back-'))
    ;[archive, dataDir] = [place('archive'), place('data')]
    const { base: address, child } = await start(dataDir, archive)
    const ada = await signIn(address, 'ada@nile.example')
    kept = await create(ada, 'kept')
    // A base is taken, and segments are archived, while users work.
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) before.push((await create(ada, `before ${writer}-${n}`)).name)
    })
    const made = await tool('backup', dataDir, '--base')
    expect(made).toMatchObject({ code: 0, err: '' })
    base = made.out.split('\n')[0] ?? ''
    for (let n = 0; n < 3; n++) {
      await query(dataDir, 'select pg_switch_wal()')
      await delay(300)
    }
    isOver = true
    await Promise.all(writers)
    await delay(20)
    instant = new Date().toISOString()
    await delay(20)
    for (let n = 0; n < 5; n++) after.push((await create(ada, `after ${n}`)).name)
    // The wrong act.
    expect((await ada.call('PUT', '/v1/campaign', { id: kept.id, budget: 5000 })).code).toBe(0)
    await query(dataDir, 'select pg_switch_wal()')
    for (let n = 0; n < 5; n++) after.push((await create(ada, `later ${n}`)).name)
    // A stop archives the last segment too.
    await end(child)
  }, 600_000)
  afterAll(async () => {
    for (const child of running) await end(child)
    await rm(root, { recursive: true, force: true, maxRetries: 10 })
  })

  it(
    'restores what was acknowledged before an instant, and nothing of after it, and goes on from there',
    { timeout: 600_000 },
    async () => {
      const dir = place('restored')
      const restored = await restore(dir, instant)
      expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`Restored the database as of ${instant}`) })
      // Stored files are not part of the archive.
      await cp(join(dataDir, 'files'), join(dir, 'files'), { recursive: true })
      // The archive goes on to belong to the database that filled it.
      expect(await refusedStart(dir)).toMatch(/^PLACARD_PG_ARCHIVE: .* holds the archive of another database/)
      const { base: address, child } = await start(dir, place('archive-2'))
      const ada = await signIn(address, 'ada@nile.example')
      const log = (await query<{ text: string }>(dir, 'select data::text as text from es.events'))
        .map(({ text }) => text)
        .join('\n')
      const isThere = (name: string) => log.includes(`"${name}"`)
      expect(before.length).toBeGreaterThan(10)
      expect(before.filter((name) => !isThere(name))).toEqual([])
      expect(after.filter(isThere)).toEqual([])
      expect((await ada.call<Campaign>('GET', `/v1/campaign/${kept.id}`)).data).toMatchObject({ name: 'kept', budget: 50 })
      await create(ada, 'after the restore')
      // Its own archive has its own base, and leads back too.
      expect(await tool('backup', dir, '--base')).toMatchObject({ code: 0, err: '' })
      // Nothing is written meanwhile, so the read models say what the log says.
      await end(child)
      for (const [file, args] of [
        ['audit', ['verify', '--all']],
        ['projections', ['verify']],
        ['billing', ['reconcile']],
      ] as const) {
        const { code, out } = await tool(file, dir, ...args)
        expect([file, code], out).toEqual([file, 0])
      }
    },
  )

  it('refuses instants that it does not reach, and says which it does', async () => {
    const dir = place('refused')
    const [oldest, newest] = ['2026-01-01T00:00:00Z', new Date().toISOString()]
    expect((await restore(dir, oldest)).err).toMatch(/begins at 20\d\d-.*, with its oldest base backup/)
    const late = await restore(dir, newest)
    expect(late.code).toBe(1)
    expect(late.err).toMatch(/goes from 20\d\d-\S+Z to 20\d\d-\S+Z, its last transaction: a later segment is missing/)
    expect((await restore(dir, '2999-01-01T00:00:00Z')).err).toContain('in the future')
    expect((await restore(dir, 'yesterday')).err).toContain('is an instant with its zone')
    // Nothing is left behind.
    expect(await readdir(dir)).toEqual([])
  })

  it('an archive of the embedded database is not replayed over a gap: a lost segment ends it', async () => {
    const broken = place('broken')
    await cp(archive, broken, { recursive: true })
    const segments = (await readdir(join(broken, 'wal'))).toSorted((a, b) => (a < b ? -1 : 1))
    const { segment } = JSON.parse(await readFile(join(base, 'base.json'), 'utf8')) as { readonly segment: string }
    const needed = segments.filter((name) => name > `${segment}.gz` && /^[0-9A-F]{24}\.gz$/.test(name))
    expect(needed.length).toBeGreaterThan(3)
    await rm(join(broken, 'wal', needed[1] ?? ''))
    const { code, err } = await restore(place('refused'), instant, broken)
    expect([code, err]).toEqual([1, expect.stringContaining('a later segment is missing')])
  })

  it('an archive of the embedded database is refused where a part of its base is damaged', async () => {
    const path = join(base, 'data.gz')
    const whole = await readFile(path)
    try {
      await writeFile(path, whole.subarray(1))
      expect((await restore(place('refused'), instant)).err).toContain('data.gz is damaged')
      await rm(path)
      expect((await restore(place('refused'), instant)).err).toContain('data.gz is missing')
    } finally {
      await writeFile(path, whole)
    }
  })

  it('never overwrites a database', async () => {
    const version = join(dataDir, 'postgres', 'data', 'PG_VERSION')
    const refused = await restore(dataDir, instant)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('holds a database already')])
    expect(await readFile(version, 'utf8')).toMatch(/^\d+\n$/)
    const foreign = place('foreign')
    await mkdir(join(foreign, 'postgres'), { recursive: true })
    await writeFile(join(foreign, 'postgres', 'thesis.txt'), 'mine')
    expect((await restore(foreign, instant)).code).toBe(1)
    expect(await readdir(foreign)).toEqual(['postgres'])
    expect(await readFile(join(foreign, 'postgres', 'thesis.txt'), 'utf8')).toBe('mine')
  })

  it(
    'says in its health that it takes no segment, keeps what it could not take, and takes it afterwards',
    { timeout: 600_000 },
    async () => {
      const { base: address, child } = await start(dataDir, archive)
      const away = `${archive}-away`
      expect((await health(address)).away ?? []).not.toContain('archive')
      // As a disk that is not mounted.
      await rename(archive, away)
      await query(dataDir, 'create table lost (id int); select pg_switch_wal()').catch(() => [])
      await eventually(
        () => health(address),
        (found) => JSON.stringify(found).includes('"archive"'),
        60_000,
      )
      // Users notice nothing.
      const ada = await signIn(address, 'ada@nile.example')
      await create(ada, 'without an archive')
      expect(await refusedStart(dataDir)).toMatch(/^PLACARD_PG_ARCHIVE: .* is its disk mounted/)
      await rename(away, archive)
      const [found] = await query<{ name: string }>(dataDir, 'select pg_walfile_name(pg_switch_wal()) as name')
      await eventually(
        async () => readdir(join(archive, 'wal')),
        (names) => names.includes(`${found?.name}.gz`),
        120_000,
      )
      await eventually(
        () => health(address),
        (now) => !JSON.stringify(now).includes('"archive"'),
        60_000,
      )
      await end(child)
    },
  )

  it('an archive of the embedded database is continued by the start of a tool, which has no such setting', async () => {
    const count = async () => (await readdir(join(archive, 'wal'))).length
    const earlier = await count()
    expect((await tool('audit', dataDir, 'verify', '--all')).code).toBe(0)
    // The stop of its server archived what it wrote.
    expect(await count()).toBeGreaterThan(earlier)
  })

  it('keeps the newest bases, and the segments from the oldest of them on', { timeout: 600_000 }, async () => {
    expect((await tool('backup', dataDir, '--base', '--keep', '2')).code).toBe(0)
    const [first] = (await readdir(join(archive, 'base'))).toSorted((a, b) => (a < b ? -1 : 1))
    expect(join(archive, 'base', first ?? '')).toBe(base)
    await mkdir(join(archive, 'base', 'killed.partial'))
    const pruned = await tool('backup', dataDir, '--base', '--keep', '2')
    expect(pruned).toMatchObject({ code: 0, out: expect.stringContaining('removed 1 older base backups') })
    const bases = (await readdir(join(archive, 'base'))).toSorted((a, b) => (a < b ? -1 : 1))
    expect(bases).toHaveLength(2)
    expect(bases).not.toContain(first)
    const { segment, at } = JSON.parse(await readFile(join(archive, 'base', bases[0] ?? '', 'base.json'), 'utf8')) as {
      readonly segment: string
      readonly at: string
    }
    const segments = (await readdir(join(archive, 'wal'))).filter((name) => /^[0-9A-F]{24}\./.test(name))
    expect(segments.filter((name) => name.slice(0, 24) < segment)).toEqual([])
    expect(segments).toContain(`${segment}.gz`)
    expect((await restore(place('refused'), instant)).err).toContain(`begins at ${at}`)
  })

  it('an archive is made of the embedded database alone, and needs the setting', async () => {
    const env = { PLACARD_DATA_DIR: place('none') }
    const url = 'postgres://placard@127.0.0.1:1/placard'
    expect((await runTool('api/cli/backup.ts', ['--base'], url, { env })).err).toContain('--base is of the embedded database')
    expect((await tool('backup', place('none'), '--base')).err).toContain('start the product with PLACARD_PG_ARCHIVE')
    expect(await tool('backup', dataDir, '--base', '--keep', '0')).toMatchObject({ code: 2 })
    expect((await tool('backup', dataDir, '--base', '--to', root)).err).toContain('beside the segments')
  })
})
