/**
 * What would happen if a guard were missing. Each mutant takes one guard out of the sources; the named test must then fail, and
 * must pass otherwise. A guard that can be taken out unnoticed is not guarded.
 */
export type Mutant = {
  /** The guard that is missing. */
  readonly without: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly replace: string
  readonly by: string
  readonly spec: string
  /** The whole title of a test, or what its title begins with. */
  readonly test: string
  /** Belongs to every run, not to a sample of them. */
  readonly always?: true
}

const READER = 'test/medium/postgres-reader.spec.ts'
const APPEND = 'test/medium/postgres-append.spec.ts'
const CONTRACT = 'test/contract/postgres-event-store.spec.ts'
const EVIDENCE = 'eventstore/postgres/hole-evidence.spec.ts'
const REBUILD = 'test/medium/rebuild.spec.ts'
const RAISED = 'test/medium/raised-version.spec.ts'
const SCHEMA = 'migrations/0001_event_store.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    without: 'waiting at a hole in the positions',
    file: 'eventstore/postgres/read-log.ts',
    replace: 'row.evidence !== null && !holes.isDead(sent, BigInt(row.position) - 1n)',
    by: 'false',
    spec: READER,
    test: 'waits for the event of a transaction still open',
    always: true,
  },
  {
    without: 'positions in the order they are handed out',
    file: SCHEMA,
    replace: 'identity (cache 1)',
    by: 'identity (cache 20)',
    spec: APPEND,
    test: 'positions rise from append to append, whichever process makes them',
    always: true,
  },
  {
    without: 'the comparison of the checkpoint',
    file: 'projections/projector/checkpoint.ts',
    replace: "and position = ${at.position}\n      and status <> 'retired'",
    by: "and status <> 'retired'",
    spec: 'test/medium/checkpoint.spec.ts',
    test: 'two workers that both believe the same shard to be theirs apply every event once',
    always: true,
  },
  {
    without: 'the comparison of the checkpoint that rows travel with',
    file: 'projections/projector/checkpoint.ts',
    replace: "and position = ${at.position}\n        and status <> 'retired' and parked = 0",
    by: "and status <> 'retired' and parked = 0",
    spec: 'test/medium/checkpoint.spec.ts',
    test: 'two workers that write rows and checkpoint in one statement apply every event once',
  },
  {
    without: 'the look for a generation that was replaced when rows travel with the checkpoint',
    file: 'projections/projector/checkpoint.ts',
    replace: "and position = ${at.position}\n        and status <> 'retired' and parked = 0",
    by: 'and position = ${at.position}\n        and parked = 0',
    spec: 'test/medium/replaced-generation.spec.ts',
    test: 'a worker that writes rows and checkpoint in one statement goes over to the generation that replaced its own',
  },
  {
    without: 'the end of a lease with the session of its holder',
    file: 'projections/projector/leases.ts',
    replace: "where l.owner = excluded.owner or l.until < now() or not ${alive(sql.ref('l.owner'))}",
    by: 'where l.owner = excluded.owner or l.until < now()',
    spec: 'test/medium/leases.spec.ts',
    test: 'a lease is free at once when the session of its holder has ended',
  },
  {
    without: 'telling other processes of appends',
    file: 'eventstore/postgres/postgres-event-store.ts',
    replace: 'wakeUps.announce()',
    by: 'void wakeUps',
    spec: 'test/medium/announcements.spec.ts',
    test: 'other processes are told of every append that stands alone',
  },
  {
    without: 'the look for streams set aside when rows travel with the checkpoint',
    file: 'projections/projector/checkpoint.ts',
    replace: "and status <> 'retired' and parked = 0",
    by: "and status <> 'retired'",
    spec: 'test/medium/checkpoint.spec.ts',
    test: 'rows do not go with a checkpoint where a stream has been set aside meanwhile',
  },
  {
    without: 'the check for torn appends',
    file: SCHEMA,
    replace: 'case when g.c = a.n then a.idx::int else es.raise_torn(a.stream_id) end',
    by: 'a.idx::int',
    spec: APPEND,
    test: 'es.append raises when only a part of an append could go in',
    always: true,
  },
  {
    without: 'the writers that may still fill a hole',
    file: 'eventstore/postgres/hole-evidence.ts',
    replace: 'writers: new Set(writers) })',
    by: 'writers: new Set() })',
    spec: EVIDENCE,
    test: 'a hole lives as long as one who could fill it',
  },
  {
    without: 'the look at who holds the lock',
    file: 'eventstore/postgres/read-log.ts',
    replace: `l.mode = 'RowExclusiveLock'`,
    by: `l.mode = 'RowShareLock'`,
    spec: READER,
    test: 'waits for the event of a transaction still open',
  },
  {
    without: 'the order of a proof and the statement it is used for',
    file: 'eventstore/postgres/hole-evidence.ts',
    replace: 'position <= sent.proven',
    by: 'position <= proven',
    spec: EVIDENCE,
    test: 'a proof does not apply to a statement sent before it',
  },
  {
    without: 'prepared transactions among the writers',
    file: 'eventstore/postgres/hole-evidence.ts',
    replace: 'if (isPrepared(writer)) suspicion.writers.add(writer)',
    by: 'if (isPrepared(writer)) continue',
    spec: EVIDENCE,
    test: 'a writer may have become a prepared transaction',
  },
  {
    without: 'what readers have seen meanwhile, before a generation goes live',
    file: 'projections/projector/flip.ts',
    replace: 'if (first === undefined) return building',
    by: 'return building',
    spec: REBUILD,
    test: 'a rebuild does not go live behind what readers have seen',
  },
  {
    without: 'the lock on the checkpoints before a generation goes live',
    file: 'projections/projector/flip.ts',
    replace: `status = 'live' for update`,
    by: `status = 'live'`,
    spec: REBUILD,
    test: 'a rebuild does not go live behind a page that is being committed',
  },
  {
    without: 'the look at the live version before a generation goes live',
    file: 'projections/projector/rebuild.ts',
    replace: 'if (live.version !== model.version) return',
    by: `if (mode === 'raise') return true\n  if (live.version !== model.version) return`,
    spec: RAISED,
    test: 'a rebuild that is not needed any more when it is done does not go live',
  },
  {
    without: 'the places of the live shards in a comparison',
    file: 'projections/projector/compare.ts',
    replace: 'event.position <= positionIn(live, event.stream) && ',
    by: '',
    spec: REBUILD,
    test: 'a rebuild with another number of shards is compared while the live ones are at different places',
  },
  {
    without: 'the streams that the live generation has set aside, in one that is compared with it',
    file: 'projections/projector/rebuild.ts',
    replace: 'alike ? await setAsideAs(db, live, building) : new Map()',
    by: 'new Map()',
    spec: 'test/medium/projector-aside.spec.ts',
    test: 'a read model is compared though streams of it are set aside (one shard)',
  },
  {
    without: 'the lock on the checkpoint while a stream is tried again',
    file: 'projections/projector/parked.ts',
    replace: "and status = 'live' for update`",
    by: "and status = 'live'`",
    spec: 'test/medium/projector-aside.spec.ts',
    test: 'an event that comes while its stream is tried again is not lost',
  },
  {
    without: 'the names that a process asks for, where fair parts are reckoned',
    file: 'projections/projector/leases.ts',
    replace: '.update(JSON.stringify([...names].sort()))',
    by: ".update('')",
    spec: 'test/medium/projector-versions.spec.ts',
    test: 'every read model is kept up while a newer process builds three of them anew',
  },
  {
    without: 'forgetting how far read models were once the connection broke',
    file: 'projections/projector/progress.ts',
    replace: 'known.clear()',
    by: 'void known',
    spec: 'test/medium/progress.spec.ts',
    test: 'a position that the database has lost in a crash is not reached any more',
  },
  {
    without: 'one view of the live rows for a whole comparison',
    file: 'projections/projector/compare.ts',
    replace: `.setIsolationLevel('repeatable read')`,
    by: '',
    spec: REBUILD,
    test: 'a rebuild is compared with rows that go on changing at the events they had',
  },
  {
    without: 'the question whether what was compared is still live',
    file: 'projections/projector/rebuild.ts',
    replace: 'comparison?.generation === live?.generation ? comparison : null',
    by: 'comparison',
    spec: REBUILD,
    test: 'a rebuild does not replace a generation that it was not compared with',
  },
  {
    without: 'the renewal of the lease on a rebuild',
    file: 'projections/projector/raise.ts',
    replace: 'const RENEW_MS = 500',
    by: 'const RENEW_MS = 500_000',
    spec: RAISED,
    test: 'a rebuild that takes longer than a lease is made by one process',
  },
  {
    without: 'the sign of life of a generation that is being built',
    file: 'projections/projector/rebuild.ts',
    replace: 'const TOUCH_MS = 1000',
    by: 'const TOUCH_MS = 1_000_000',
    spec: RAISED,
    test: 'what is being built is not taken for a build that died, however long it takes',
  },
  {
    without: 'the minute for readers of a generation that was replaced',
    file: 'projections/projector/generations.ts',
    replace: `group by generation having max(updated_at) < now() - interval '1 minute'`,
    by: 'group by generation',
    spec: REBUILD,
    test: 'what a rebuild leaves behind is dropped while the product runs, but not under who still reads it',
  },
  {
    without: 'the recognition of an append that had gone in',
    file: 'eventstore/postgres/append-statements.ts',
    replace: 'rows[index]?.event_id === event.id',
    by: 'rows[index]?.event_id === event.type',
    spec: APPEND,
    test: 'an append whose answer was lost is stored once (alone)',
  },
  {
    without: 'another attempt after a lost connection',
    file: 'eventstore/postgres/commit-batch.ts',
    replace: '!isConnectionLoss(error) || Date.now() > deadline',
    by: 'failures >= 0 || Date.now() > deadline',
    spec: APPEND,
    test: 'an append whose answer was lost is stored once (alone)',
  },
  {
    without: 'the look at the log that needs no announcement',
    file: 'eventstore/subscription.ts',
    replace: 'page.waiting ? HOLE_POLL_MS : source.pollMs',
    by: 'page.waiting ? HOLE_POLL_MS : 1_000_000',
    spec: READER,
    test: 'an event that nobody announced is delivered',
  },
  {
    without: 'the check of the version before an append of one event',
    file: 'eventstore/postgres/append-statements.ts',
    replace: 'where $2 = 0 or (',
    by: 'where $2 >= 0 or (',
    spec: CONTRACT,
    test: 'to a stream of 3 events expecting 9',
  },
  {
    without: 'the check of the version before an append of several events',
    file: SCHEMA,
    replace: 'where p_expected[e.idx] = 0',
    by: 'where p_expected[e.idx] >= 0',
    spec: CONTRACT,
    test: 'to a stream of 3 events expecting 9',
  },
  {
    without: 'the order of data and metadata among the appends of a batch',
    file: 'eventstore/postgres/append-statements.ts',
    replace: 'type Row = { stream_id: string; position: string }',
    by: 'values[5] = listOf(events.map((event) => event.data).toReversed())\n  type Row = { stream_id: string; position: string }',
    spec: CONTRACT,
    test: 'conflicts in a batch leave the others in (of one event each)',
  },
  {
    without: 'the refusal to change what was logged',
    file: SCHEMA,
    replace: 'before update or delete or truncate on es.events',
    by: 'before truncate on es.events',
    spec: APPEND,
    test: 'the log is append-only: update',
  },
  {
    without: 'listening to connections that are in use',
    file: 'platform/database/pool.ts',
    replace: `pool.on('connect', (client) => client.on('error', () => {}))`,
    by: '',
    spec: 'test/medium/pool.spec.ts',
    test: 'a connection that breaks inside a transaction fails that transaction alone',
  },
  {
    without: 'the age of a reservation in its take-over',
    file: 'platform/names.ts',
    replace: 'and campaign_id = ${holder.campaign_id}\n        and reserved_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval`',
    by: 'and campaign_id = ${holder.campaign_id}`',
    spec: 'test/medium/campaign-names.spec.ts',
    test: 'a name that its campaign takes up again is not taken over',
  },
  {
    without: 'the look for erasures since an answer began',
    file: 'api/http/once.ts',
    replace: 'where (select count::text from app.erasures) is not distinct from ${erasures}',
    by: 'where ${erasures}::text is not null',
    spec: 'test/medium/answers.spec.ts',
    test: 'is not stored when that person was erased while it was made',
  },
  {
    without: 'the lock of an erasure on stored answers',
    file: 'api/personal/erasure.ts',
    replace: 'await sql`lock table app.answers in share row exclusive mode`.execute(tx)',
    by: '',
    spec: 'test/medium/answers.spec.ts',
    test: 'is not stored behind an erasure',
  },
]
