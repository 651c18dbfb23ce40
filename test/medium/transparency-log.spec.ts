import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogHeads } from '#commands/audit/log-heads'
import { createLogTree } from '#commands/audit/log-tree'
import { createPublisher, PUBLISH, PUBLISH_POLICY } from '#commands/audit/publish-head'
import { COSIGN, COSIGN_POLICY, createCosigner } from '#commands/audit/witnesses'
import { createJobWorker } from '#commands/jobs/job-worker'
import type { EventStore } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createLogHeadStore, createWitnessStore, logFigures, rotateLogKey } from '#platform/audit/log-head-store'
import { createLogTreeStore } from '#platform/audit/log-tree-store'
import { askWitness } from '#platform/audit/witness-client'
import { createKysely } from '#platform/database/pool'
import { createJobStore } from '#platform/jobs/job-store'
import { eventHash } from '#proof/event-hash'
import { isConsistent, isIncluded, readCheckpoint, readVerifierKey } from '#proof/log/offline-verifier'
import { noteSigner } from '#proof/log/signed-note'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually as within, readToHead, someEvents, someStream } from '../support/events.ts'
import { startWitness, type TestWitness } from '../support/witness.ts'

const ORIGIN = 'ads.example/log'
/** A machine that other work shares may take this long for a job. */
const eventually = (check: () => boolean | Promise<boolean>) => within(check, 20_000)

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
const stops: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await store.close()
  await database.drop()
})

/** The log as a process has it that was just started. */
function opened(
  given: { readonly from?: EventStore; readonly keys?: readonly Uint8Array[]; readonly witnesses?: readonly TestWitness[] } = {},
) {
  const { from = store, keys = [], witnesses = [] } = given
  const tree = createLogTreeStore(db, ORIGIN)
  const headStore = createLogHeadStore(db, { makeSigner: noteSigner, given: keys })
  const log = createLogTree({ store: from, tree })
  const named = witnesses.map(({ setting }) => {
    const [url = '', ...key] = setting.split('#')
    return { url, key: readVerifierKey(key.join('#')) }
  })
  const heads = createLogHeads({ store: from, tree, log, heads: headStore, witnesses: named.map(({ key }) => key.name) })
  const cosigner = createCosigner({
    log,
    heads: headStore,
    store: createWitnessStore(db),
    witnesses: named,
    ask: askWitness,
  })
  return { tree, headStore, log, heads, cosigner }
}

const written = async (count: number): Promise<void> => {
  await store.append({ stream: someStream(), expected: 0, events: someEvents(count) })
}
const sha = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
/** The tree of RFC 6962 as its text defines it. */
function rootOf(entries: readonly Buffer[]): Buffer {
  const [only] = entries
  if (only === undefined) return sha()
  if (entries.length === 1) return sha(Buffer.of(0), only)
  const k = 2 ** Math.ceil(Math.log2(entries.length) - 1)
  return sha(Buffer.of(1), rootOf(entries.slice(0, k)), rootOf(entries.slice(k)))
}
const hashesIn = async (from: EventStore): Promise<readonly Buffer[]> =>
  (await readToHead(from, 0n, 500)).map((event) => Buffer.from(eventHash(event), 'hex'))
const tampered = (statement: string) =>
  database.pool.query(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`)
const verifiers = async () => (await opened().headStore.keys()).map(({ verifier_key }) => readVerifierKey(verifier_key))
const tilesNow = async () => (await database.pool.query('select level, index, hashes from app.log_tiles order by 1, 2')).rows

describe('the transparency log', () => {
  // covers FP-23
  it('the transparency log has every event in the order of positions, with several writers and builders', async () => {
    const writers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 40; i++) await written(1 + (i % 9))
    })
    // Two builders at once add every event once.
    const builders = [opened(), opened(), opened()].map(async ({ log }) => {
      for (let i = 0; i < 60; i++) await log.follow(1)
    })
    await Promise.all([...writers, ...builders])
    const { heads, tree } = opened()
    expect((await tree.state()).fault).toBeNull()
    const head = await heads.signNow()
    const hashes = await hashesIn(store)
    expect(hashes).toHaveLength(760)
    expect([head.size, head.root.toString('hex')]).toEqual([760, rootOf(hashes).toString('hex')])
    const all = await readToHead(store, 0n, 500)
    for (const index of [0, 255, 256, 759]) expect(await tree.indexOf(all[index]?.id ?? '')).toBe(index)
  })

  it('the transparency log has every event also from a log outside the database', async () => {
    const outside = createMemoryEventStore()
    await outside.append({ stream: someStream(), expected: 0, events: someEvents(300) })
    const head = await opened({ from: outside }).heads.signNow()
    expect(head.root.equals(rootOf(await hashesIn(outside)))).toBe(true)
  })

  it('continues after a restart, and proves every head from every earlier one', async () => {
    const sizes: number[] = []
    for (const count of [1, 2, 60, 193, 1, 300]) {
      await written(count)
      sizes.push((await opened().heads.signNow()).size)
    }
    expect(sizes).toEqual([1, 3, 63, 256, 257, 557])
    const { headStore, log } = opened()
    const known = await verifiers()
    const leaf = sha(Buffer.of(0), (await hashesIn(store))[0] ?? Buffer.alloc(0))
    for (const [i, second] of sizes.entries()) {
      const newer = readCheckpoint((await headStore.ofSize(second))?.note ?? '', known)
      expect(isIncluded({ ...newer, index: 0n, leaf, path: await log.inclusion(0, second) })).toBe(true)
      for (const first of sizes.slice(0, i + 1)) {
        const older = readCheckpoint((await headStore.ofSize(first))?.note ?? '', known)
        expect(isConsistent({ first: older, second: newer, path: await log.consistency(first, second) })).toBe(true)
      }
    }
  })

  it('keeps an event out while an open transaction may still commit one before it', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       values ('note-slow', 1, gen_random_uuid(), 'Noted', 1, '{}', '{}')`,
    )
    await written(3)
    await opened().log.follow(10)
    expect((await opened().tree.state()).size).toBe(0)
    await client.query('commit')
    client.release()
    await opened().log.reach(await store.head())
    expect((await opened().tree.state()).size).toBe(4)
    expect((await opened().heads.sign()).root.equals(rootOf(await hashesIn(store)))).toBe(true)
  })

  it('names the origin once, and signs by one key with several processes', async () => {
    await written(2)
    const [first, second] = await Promise.all([opened().heads.signNow(), opened().heads.signNow()])
    expect(first.note).toBe(second.note)
    expect(await opened().headStore.keys()).toHaveLength(1)
    expect((await createLogTreeStore(db, 'other.example/log').state()).origin).toBe(ORIGIN)
  })
})

describe('a transparency log that contradicts the events', () => {
  const builtAndCompared = async (events: number) => {
    await written(events)
    await opened().heads.signNow()
    expect(await compareAll()).toBeNull()
  }
  /** As many pages as there are, and the first fault. */
  async function compareAll(): Promise<string | null> {
    const { log } = opened()
    for (let page = 0; page < 3; page++) {
      const fault = await log.compareNext()
      if (fault !== null) return fault
    }
    return null
  }

  it.each([
    [
      'an event was altered',
      `update es.events set data = '{"note": "other"}' where position = 1200`,
      /^leaf 1199 is not event .* at position 1200 as it is stored now$/,
    ],
    ['an event was removed', 'delete from es.events where position = 700', /^leaf 699 is not event .* at position 701/],
    [
      'the end of the log is gone',
      'delete from es.events where position > 1400',
      /^the log ends after 1400 events, and the tree has 1500$/,
    ],
    [
      'a leaf was altered',
      `update app.log_tiles set hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) where level = 0 and index = 2`,
      /^leaf 512 is not event/,
    ],
  ])('a transparency log that contradicts the events is reported when %s, and never rebuilt', async (_, statement, fault) => {
    await builtAndCompared(1500)
    await tampered(statement)
    const before = await tilesNow()
    expect(await compareAll()).toMatch(fault)
    expect((await opened().tree.state()).fault).toMatch(fault)
    expect(await logFigures(db, [])).toMatchObject({ size: 1500, fault: true })
    await opened().log.follow(10)
    expect(await tilesNow()).toEqual(before)
  })

  it('a transparency log that contradicts the events is not reported where the log has a hole that a new reader has to wait at', async () => {
    await written(5)
    await database.pool.query(`select nextval(pg_get_serial_sequence('es.events', 'position'))`)
    await written(5)
    await opened().heads.signNow()
    await store.close()
    store = createPostgresEventStore(database)
    expect(await opened().log.compareNext()).toBeNull()
    expect(await opened().log.compareAll()).toBeNull()
    expect((await opened().tree.state()).fault).toBeNull()
  })

  it('signs no head that contradicts one that it has signed', async () => {
    await builtAndCompared(600)
    await tampered(
      'update app.log_tiles set hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) where level = 1 and index = 0',
    )
    await written(1)
    await expect(opened().heads.signNow()).rejects.toThrow('the tree of 601 leaves does not continue the head of size 600')
    expect((await opened().headStore.newest())?.size).toBe(600)
    expect((await opened().tree.state()).fault).toContain('does not continue')
  })

  it('a transparency log that contradicts the events is not reported while the database is away', async () => {
    await builtAndCompared(3)
    const { tree, headStore } = opened()
    const root = () => Promise.reject(new Error('connection lost'))
    const heads = createLogHeads({ store, tree, log: { reach: async () => {}, root }, heads: headStore, witnesses: [] })
    await expect(heads.sign()).rejects.toThrow('connection lost')
    expect((await tree.state()).fault).toBeNull()
  })

  it('says when a tile at its edge was cut, and adds nothing to it', async () => {
    await builtAndCompared(300)
    await tampered('update app.log_tiles set hashes = substr(hashes, 1, 64) where level = 0 and index = 1')
    await written(1)
    await opened().log.follow(10)
    expect(await opened().tree.state()).toMatchObject({ size: 300, fault: 'tile 0/1 has 2 hashes instead of 44' })
  })
})

describe('keys of the log', () => {
  const rotated = (compromised: boolean) => rotateLogKey(db, { makeSigner: noteSigner, origin: ORIGIN, compromised })
  const signersOf = async (note: string) => readCheckpoint(note, await verifiers()).signers.map(({ id }) => id)
  const idOf = (verifierKey: string) => readVerifierKey(verifierKey).id

  it('keys of the log sign together after a rotation, and stay listed', async () => {
    await written(1)
    const [first] = await signersOf((await opened().heads.signNow()).note)
    const second = idOf(await rotated(false))
    await written(1)
    const head = await opened().heads.signNow()
    expect(await signersOf(head.note)).toEqual([first, second])
    const keys = await opened().headStore.keys()
    expect(keys.map(({ verifier_key, signs, signs_until }) => [idOf(verifier_key), signs, signs_until === null])).toEqual([
      [first, true, false],
      [second, true, true],
    ])
    await database.pool.query(`update app.log_keys set signs_until = now() where signs_until is not null`)
    await written(1)
    expect(await signersOf((await opened().heads.signNow()).note)).toEqual([second])
    // The head of before is still verified by the listed key.
    expect(await signersOf((await opened().headStore.ofSize(1))?.note ?? '')).toEqual([first])
  })

  it('keys of the log sign no longer once they are compromised', async () => {
    await written(1)
    await opened().heads.signNow()
    const second = idOf(await rotated(true))
    await written(1)
    expect(await signersOf((await opened().heads.signNow()).note)).toEqual([second])
    expect((await opened().headStore.keys()).map(({ signs }) => signs)).toEqual([false, true])
  })

  it('keys of the log come from the environment where it has some, and no secret is stored then', async () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await written(1)
    const { note } = await opened({ keys }).heads.signNow()
    expect(await signersOf(note)).toEqual(keys.map((seed) => noteSigner(ORIGIN, seed).keyId))
    expect((await opened({ keys: keys.slice(1) }).headStore.keys()).filter(({ signs }) => signs)).toHaveLength(1)
    const { rows } = await database.pool.query('select count(*)::int as n from app.log_keys where secret is not null')
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('a witness', () => {
  async function witnessed(name: string): Promise<TestWitness> {
    const witness = await startWitness(name)
    stops.push(() => witness.stop())
    return witness
  }
  /** Works on the jobs of the log as the policies do, with short pauses. */
  function working(witnesses: readonly TestWitness[], write = async (_name: string, _bytes: Buffer) => {}) {
    const { cosigner, headStore } = opened({ witnesses })
    const worker = createJobWorker({
      store: createJobStore(db, 'test'),
      kinds: [
        { kind: COSIGN.name, ...COSIGN_POLICY, ...cosigner },
        { kind: PUBLISH.name, ...PUBLISH_POLICY, ...createPublisher(headStore, write) },
      ],
      onError: () => {},
      onDead: () => {},
    })
    const timer = setInterval(() => void worker.scan([]).catch(() => undefined), 20)
    stops.push(async () => {
      clearInterval(timer)
      await worker.stop()
    })
  }
  const dueNow = () => database.pool.query(`update app.jobs set run_at = now() where leased_until is null`)
  const trustedBy = async (...witnesses: readonly TestWitness[]) => {
    const { verifierKey = '' } = (await opened().headStore.signers(ORIGIN))[0] ?? {}
    for (const witness of witnesses) witness.trust([verifierKey])
  }

  it('cosigns every head that continues the one before, and its line is published', async () => {
    const [one, two] = [await witnessed('witness.example/w1'), await witnessed('witness.example/w2')]
    await trustedBy(one, two)
    const files = new Map<string, string>()
    working([one, two], async (name, bytes) => void files.set(name, bytes.toString()))
    for (const count of [5, 300]) {
      await written(count)
      const { size } = await opened({ witnesses: [one, two] }).heads.signNow()
      await eventually(async () => (await opened().headStore.ofSize(size))?.cosignatures.length === 2)
    }
    expect([one.cosigned, two.cosigned]).toEqual([
      [5, 305],
      [5, 305],
    ])
    await eventually(() => files.get('proof/checkpoint')?.split('\n').length === 8)
    expect(files.get('proof/checkpoint')).toBe(files.get('proof/checkpoints/305'))
    const known = [...(await verifiers()), readVerifierKey(one.key), readVerifierKey(two.key)]
    const { signers, size } = readCheckpoint(files.get('proof/checkpoint') ?? '', known)
    expect([size, signers.map(({ name }) => name)]).toEqual([305n, [ORIGIN, 'witness.example/w1', 'witness.example/w2']])
    expect(await logFigures(db, ['witness.example/w1'])).toMatchObject({ witnesses: [{ failing: false }] })
  })

  it('a witness that is down delays no other, and cosigns the newest head alone once it is back', async () => {
    const [one, two] = [await witnessed('witness.example/w1'), await witnessed('witness.example/w2')]
    await trustedBy(one, two)
    two.down(true)
    working([one, two])
    for (const count of [3, 4, 5]) {
      await written(count)
      const { size } = await opened({ witnesses: [one, two] }).heads.signNow()
      await eventually(async () => (await opened().headStore.ofSize(size))?.cosignatures.length === 1)
    }
    await eventually(async () => (await logFigures(db, ['witness.example/w2'])).witnesses[0]?.failing === true)
    two.down(false)
    await dueNow()
    await eventually(async () => {
      await dueNow()
      return (await opened().headStore.ofSize(12))?.cosignatures.length === 2
    })
    expect([one.cosigned, two.cosigned]).toEqual([[3, 7, 12], [12]])
    expect(await logFigures(db, ['witness.example/w2'])).toMatchObject({ witnesses: [{ failing: false }] })
  })

  it('a witness that remembers another size of this log is sent the proof from there', async () => {
    const one = await witnessed('witness.example/w1')
    await trustedBy(one)
    await written(10)
    const { size, root } = await opened().heads.signNow()
    // As after a restore of this database alone.
    one.set(size, root)
    working([one])
    await written(10)
    await opened({ witnesses: [one] }).heads.signNow()
    await eventually(() => one.cosigned.length === 1)
    expect([one.answers, one.cosigned]).toEqual([[409, 200], [20]])
  })

  it.each([
    [
      'has cosigned more than the log has',
      (one: TestWitness) => one.set(999, Buffer.alloc(32)),
      /has cosigned 999 leaves, and this log has 10: the log was set back/,
    ],
    ['has cosigned another tree', (one: TestWitness) => one.set(4, Buffer.alloc(32)), /422: the tree does not continue/],
    [
      'does not trust the key',
      (one: TestWitness) => one.trust([noteSigner(ORIGIN, Buffer.alloc(32, 9)).verifierKey]),
      /403: it does not trust the key/,
    ],
  ])('a witness that %s is reported as failing, and its reason kept', async (_, change, reason) => {
    const one = await witnessed('witness.example/w1')
    await trustedBy(one)
    change(one)
    working([one])
    await written(10)
    await opened({ witnesses: [one] }).heads.signNow()
    await eventually(async () => (await logFigures(db, ['witness.example/w1'])).witnesses[0]?.failing === true)
    const { rows } = await database.pool.query<{ error: string }>('select error from app.log_witnesses')
    expect(rows[0]?.error).toMatch(reason)
    expect(one.cosigned).toEqual([])
    expect((await opened().headStore.newest())?.cosignatures).toEqual([])
  })

  it('a witness whose line its key did not sign is ignored', async () => {
    const [one, two] = [await witnessed('witness.example/w1'), await witnessed('witness.example/w2')]
    await trustedBy(one, two)
    // The address of the first with the key of the second.
    const mixed = { ...one, setting: `${one.setting.split('#')[0]}#${two.key}` }
    working([mixed])
    await written(10)
    await opened({ witnesses: [mixed] }).heads.signNow()
    await eventually(async () => (await logFigures(db, ['witness.example/w2'])).witnesses[0]?.failing === true)
    const { rows } = await database.pool.query<{ error: string }>('select error from app.log_witnesses')
    expect(rows[0]?.error).toBe('its answer holds no cosignature of its key')
  })
})
