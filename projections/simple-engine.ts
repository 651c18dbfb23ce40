import { sql, type Kysely } from 'kysely'
import type { EventStore, StoredEvent } from '../eventstore/event-store.ts'

export type Tables = Readonly<Record<string, string>>
export type ReadModel = {
  readonly name: string
  readonly tables: readonly string[]
  readonly create: (db: Kysely<never>, tables: Tables) => Promise<void>
  readonly apply: (db: Kysely<never>, tables: Tables, events: readonly StoredEvent[]) => Promise<void>
}

export async function startSimpleEngine(db: Kysely<never>, store: EventStore, models: readonly ReadModel[]) {
  const runs: { at: bigint; stop: () => Promise<void> }[] = []
  for (const model of models) {
    const tables = Object.fromEntries(model.tables.map((t) => [t, `rm_${t}__g1`]))
    const { rows } = await sql<{ position: bigint }>`select position from app.checkpoints where name = ${model.name}`
      .execute(db)
      .catch(async () => {
        await sql`create table if not exists app.checkpoints (name text primary key, position bigint not null)`.execute(db)
        return { rows: [] as { position: bigint }[] }
      })
    if (rows.length === 0) {
      await model.create(db, tables)
      for (const t of model.tables)
        await sql`create view ${sql.table(`rm_${t}`)} as select * from ${sql.table(`rm_${t}__g1`)}`.execute(db)
      await sql`insert into app.checkpoints values (${model.name}, 0)`.execute(db)
    }
    const run = { at: BigInt(rows[0]?.position ?? 0), stop: async () => {} }
    const sub = store.subscribe({
      after: run.at,
      onPage: async (page) => {
        await db.transaction().execute(async (trx) => {
          await model.apply(trx as never, tables, page.events)
          await sql`update app.checkpoints set position = ${page.upTo} where name = ${model.name}`.execute(trx)
        })
        run.at = page.upTo
      },
      onError: (e) => console.error('projection', model.name, e),
    })
    run.stop = () => sub.stop()
    runs.push(run)
  }
  const waitFor = async (position: bigint, ms: number) => {
    const end = Date.now() + ms
    while (runs.some((r) => r.at < position)) {
      if (Date.now() > end) return false
      await new Promise((r) => setTimeout(r, 2))
    }
    return true
  }
  return {
    waitFor,
    unready: async () => ((await store.head()) > runs.reduce((m, r) => (r.at < m ? r.at : m), 10n ** 18n) ? ['projections'] : []),
    stop: async () => {
      for (const r of runs) await r.stop()
    },
  }
}
