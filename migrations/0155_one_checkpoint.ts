import { sql, type Kysely } from 'kysely'

/**
 * One checkpoint per generation instead of one per shard. Applying an event twice changes nothing, so the lowest checkpoint is correct.
 * The columns `shard` and `shards` keep their defaults: processes of the previous version still read them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update es.subscriptions s set position = of_all.position, parked = of_all.parked, shards = 1
    from (
      select name, generation, min(position) as position, sum(parked)::int as parked from es.subscriptions group by name, generation
    ) of_all
    where s.name = of_all.name and s.generation = of_all.generation and s.shard = 0 and s.shards > 1`.execute(db)
  await sql`delete from es.subscriptions where shard > 0`.execute(db)
  await sql`delete from es.leases where name like 'projector/%'`.execute(db)
}
