import { sql, type Kysely, type RawBuilder, type UpdateObject } from 'kysely'
import { WEBHOOK } from '#commands/audit/webhook-deliveries'
import type { DueWebhook, WebhookFilter, WebhookProgress } from '#commands/audit/webhook-port'
import { removeJobs, storeWithJob } from '#platform/jobs/job-queue'
import type { Db } from '#migrations/db'
import { beginning } from '#domain/kit/text'

/** Webhooks of one white-label. */
const MOST_WEBHOOKS = 10
/** A webhook that fails for so long is parked. */
const PARKED_AFTER_DAYS = 3
/** Characters of the last error that are kept. */
const MOST_OF_ERROR = 300

export type WebhookRow = {
  readonly id: string
  readonly whitelabel_id: string
  readonly url: string
  readonly description: string
  readonly filter: WebhookFilter
  readonly enabled: boolean
  readonly generation: number
  readonly position: bigint
  readonly delivered_at: string | null
  readonly failing_since: string | null
  readonly error: string | null
  readonly parked: boolean
  readonly next_attempt_at: string | null
  readonly previous_until: string | null
  readonly created_by: string
  readonly created_at: string
}

export type WebhookSettings = Pick<WebhookRow, 'url' | 'description' | 'filter'>
type NewWebhook = WebhookSettings & Pick<WebhookRow, 'id' | 'whitelabel_id' | 'position' | 'created_by'>

/** ISO 8601 in UTC with milliseconds. */
const iso = (column: RawBuilder<unknown>) =>
  sql<string | null>`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const SHOWN = sql`
  w.id, w.whitelabel_id, w.url, w.description, w.filter, w.enabled, w.generation, w.position, w.error, w.created_by,
  w.parked_at is not null as parked, ${iso(sql`w.delivered_at`)} as delivered_at, ${iso(sql`w.failing_since`)} as failing_since,
  ${iso(sql`w.created_at`)} as created_at,
  case when w.previous_until > now() then ${iso(sql`w.previous_until`)} end as previous_until,
  (select ${iso(sql`j.run_at`)} from app.jobs j
   where j.kind = ${WEBHOOK.name} and j.key = w.id and w.failing_since is not null) as next_attempt_at`

type WebhookSet = UpdateObject<Db, 'app.audit_webhooks'>
/** With a new epoch, so that a delivery that is under way stores nothing. */
const AT_ONCE = { pending: null, epoch: sql<number>`epoch + 1`, failing_since: null, error: null, parked_at: null }

export type Webhooks = ReturnType<typeof createWebhooks>

/** The webhooks of the audit feed. Where a white-label is given, those of others do not exist; null is all of them. */
export function createWebhooks(db: Kysely<Db>) {
  const reached = (id: string, whitelabelId: string | null) =>
    sql<boolean>`id = ${id} and (${whitelabelId}::text is null or whitelabel_id = ${whitelabelId})`

  /** Changes a webhook, and ends its job: the next one begins at once. */
  async function change(id: string, whitelabelId: string | null, set: WebhookSet): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('app.audit_webhooks')
        .set({ ...set, ...AT_ONCE })
        .where(reached(id, whitelabelId))
        .executeTakeFirstOrThrow()
      if (numUpdatedRows !== 1n) return false
      await removeJobs(tx, WEBHOOK, [id])
      return true
    })
  }

  return {
    async list(whitelabelId: string | null, id: string | null = null): Promise<readonly WebhookRow[]> {
      const { rows } = await sql<WebhookRow>`
        select ${SHOWN} from app.audit_webhooks w
        where (${whitelabelId}::text is null or w.whitelabel_id = ${whitelabelId}) and (${id}::text is null or w.id = ${id})
        order by w.whitelabel_id, w.created_at, w.id limit 1000`.execute(db)
      return rows
    },

    /** False when the white-label has as many as it may. */
    async create({ id, whitelabel_id, url, description, filter, position, created_by }: NewWebhook): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        // Concurrent callers count one after the other ("a white-label has ten webhooks, however many are created at once").
        await sql`lock table app.audit_webhooks in exclusive mode`.execute(tx)
        const { numAffectedRows } = await sql`
          insert into app.audit_webhooks (id, whitelabel_id, url, description, filter, position, created_by)
          select ${id}, ${whitelabel_id}, ${url}, ${description}, ${JSON.stringify(filter)}::jsonb, ${position}, ${created_by}
          where (select count(*) from app.audit_webhooks where whitelabel_id = ${whitelabel_id}) < ${MOST_WEBHOOKS}`.execute(tx)
        return numAffectedRows === 1n
      })
    },

    change: (
      id: string,
      whitelabelId: string | null,
      { url, description, filter, enabled }: WebhookSettings & { readonly enabled: boolean },
    ) => change(id, whitelabelId, { url, description, filter: JSON.stringify(filter), enabled }),

    replay: (id: string, whitelabelId: string | null, after: bigint) => change(id, whitelabelId, { position: after }),

    /** The new generation, and until when the one before signs too; null for an unknown webhook. */
    async rotate(
      id: string,
      whitelabelId: string | null,
      overlapHours: number,
    ): Promise<{ readonly generation: number; readonly previous_until: string | null } | null> {
      const { rows } = await sql<{ generation: number; previous_until: string | null }>`
        update app.audit_webhooks set generation = generation + 1,
          previous_until = case when ${overlapHours}::int > 0 then now() + make_interval(hours => ${overlapHours}) end
        where ${reached(id, whitelabelId)} returning generation, ${iso(sql`previous_until`)} as previous_until`.execute(db)
      return rows[0] ?? null
    },

    async remove(id: string, whitelabelId: string | null): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const removed = tx.deleteFrom('app.audit_webhooks').where(reached(id, whitelabelId))
        const { numDeletedRows } = await removed.executeTakeFirstOrThrow()
        await removeJobs(tx, WEBHOOK, numDeletedRows === 1n ? [id] : [])
        return numDeletedRows === 1n
      })
    },
  }
}

/** Queues a job for every webhook that is behind the feed; one that has a job keeps it. */
export async function queueWebhooks(db: Kysely<Db>, head: bigint): Promise<void> {
  const behind = sql`
    select id as key from app.audit_webhooks where enabled and parked_at is null and position < ${head}`
  await storeWithJob(db, behind, { kind: WEBHOOK, payload: {} })
}

export function createWebhookProgress(db: Kysely<Db>): WebhookProgress {
  // Nothing is stored of an epoch that is over ("a replay during a delivery is not undone by it").
  const update = async ({ id, epoch, position }: DueWebhook, set: WebhookSet): Promise<boolean> => {
    const webhook = db
      .updateTable('app.audit_webhooks')
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('position', '=', position)
    return (await webhook.set(set).executeTakeFirstOrThrow()).numUpdatedRows === 1n
  }
  return {
    async due(id) {
      const { rows } = await sql<DueWebhook>`
        select id, whitelabel_id as "whitelabelId", url, filter, generation, coalesce(previous_until > now(), false) as overlaps,
          position, pending, epoch
        from app.audit_webhooks where id = ${id} and enabled and parked_at is null`.execute(db)
      return rows[0] ?? null
    },
    begin: (webhook, upTo) => update(webhook, { pending: upTo }),
    skip: (webhook, upTo) => update(webhook, { position: upTo, pending: null }),
    delivered: (webhook, upTo) =>
      update(webhook, { position: upTo, pending: null, delivered_at: sql`now()`, failing_since: null, error: null }),
    async failed({ id, epoch, position }, error) {
      const { rows } = await sql<{ parked: boolean }>`
        update app.audit_webhooks
        set error = ${beginning(error, MOST_OF_ERROR)}, failing_since = coalesce(failing_since, now()),
          parked_at = case when failing_since < now() - make_interval(days => ${PARKED_AFTER_DAYS}) then now() end
        where id = ${id} and epoch = ${epoch} and position = ${position} returning parked_at is not null as parked`.execute(db)
      return rows[0]?.parked ?? false
    },
  }
}

export type WebhookFigures = { readonly waiting: number; readonly failing: number; readonly parked: number }

/** How many webhooks wait for a delivery, fail, or are parked. */
export async function webhookFigures(db: Kysely<Db>): Promise<WebhookFigures> {
  const { rows } = await sql<WebhookFigures>`
    select count(*) filter (where parked_at is null and failing_since is null and j.key is not null)::int as waiting,
      count(*) filter (where parked_at is null and failing_since is not null)::int as failing,
      count(*) filter (where parked_at is not null)::int as parked
    from app.audit_webhooks w left join app.jobs j on j.kind = ${WEBHOOK.name} and j.key = w.id where w.enabled`.execute(db)
  return rows[0] ?? { waiting: 0, failing: 0, parked: 0 }
}
