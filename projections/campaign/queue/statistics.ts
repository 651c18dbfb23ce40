import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Days before the range in which the submissions of its decisions are found. */
const LOOK_BACK_DAYS = 60
/** Moderators in an answer, those with most decisions. */
const MOST_MODERATORS = 100

/** A white-label and UTC days, both included. */
export type StatisticsScope = { readonly whitelabelId: string; readonly from: string; readonly to: string }

/** Decisions of a moderator, or of all for null. Times are minutes from the submission; null without one in reach. */
export type DecisionSums = {
  readonly moderator_id: string | null
  readonly approved: number
  readonly rejected: number
  readonly median_minutes: number | null
  readonly p90_minutes: number | null
  /** Share of the decisions whose submission is known, 0 to 1. */
  readonly in_time: number | null
  /** Rejections after which the campaign was approved without a change that moderators review. */
  readonly approved_unchanged: number
  /** Approvals of theirs that a second moderator checked in the range, and those that this one agreed with (fine print 104). */
  readonly second_looks: number
  readonly second_looks_agreed: number
}
export type DecisionsOfDay = {
  readonly day: string
  readonly moderator_id: string
  readonly approved: number
  readonly rejected: number
}
/** Submissions that waited at the end of a day; `oldest_minutes` is null when none did. */
export type QueueOfDay = { readonly day: string; readonly waiting: number; readonly oldest_minutes: number | null }

/**
 * Decisions of people, each with the submission before it. The positions of the days bound the rows that are read; the index begins with
 * the white-label and the type.
 */
const withDecisions = ({ whitelabelId, from, to }: StatisticsScope) => sql`
  bounds as materialized (
    select min(first_position) as first, max(last_position) as last from rm_audit_days
    where day between to_char(${from}::date - ${LOOK_BACK_DAYS}::int, 'YYYY-MM-DD') and ${to}),
  steps as materialized (
    select l.subject_id, l.type, l.actor, l.at::timestamptz as at, l.position,
      lead(l.type) over campaign as next_type, lead(l.at::timestamptz) over campaign as next_at,
      lead(l.position, 2) over campaign as second_position, lead(l.type, 2) over campaign as second_type,
      lag(l.type) over campaign as before_type, lag(l.at::timestamptz) over campaign as before_at
    from bounds, rm_audit_log l
    where l.whitelabel_id = ${whitelabelId} and l.position between bounds.first and bounds.last
      and l.type in ('CampaignSubmitted', 'SubmissionWithdrawn', 'CampaignApproved', 'CampaignRejected', 'CampaignArchived')
    window campaign as (partition by l.subject_id order by l.position)),
  decisions as materialized (
    select s.subject_id, s.actor, s.type, s.at, s.position, s.second_position,
      (s.at at time zone 'UTC')::date as day,
      case when s.before_type = 'CampaignSubmitted' then extract(epoch from s.at - s.before_at) / 60 end as minutes,
      case when s.before_type = 'CampaignSubmitted' then s.at <= ${dueAt(sql`s.before_at`)} end as in_time,
      s.type = 'CampaignRejected' and s.next_type = 'CampaignSubmitted' and s.second_type = 'CampaignApproved' as approved_later
    from steps s
    where s.type in ('CampaignApproved', 'CampaignRejected') and s.actor not like 'system:%'
      and (s.at at time zone 'UTC')::date between ${from}::date and ${to}::date)`

/** `reviewDueAt` of the domain in SQL ("the due time of the statistics is that of the queue"). */
const dueAt = (started: ReturnType<typeof sql>) => sql`
  (case extract(isodow from ${started} at time zone 'UTC')
     when 5 then (${started} at time zone 'UTC') + interval '3 days'
     when 6 then date_trunc('day', ${started} at time zone 'UTC') + interval '3 days'
     when 7 then date_trunc('day', ${started} at time zone 'UTC') + interval '2 days'
     else (${started} at time zone 'UTC') + interval '1 day' end) at time zone 'UTC'`

/** Sums of all decisions first, then of each moderator, those with most decisions first; at most 100. */
export async function decisionSums(
  db: Kysely<Db>,
  scope: StatisticsScope,
  isReviewed: (path: string) => boolean,
): Promise<readonly DecisionSums[]> {
  const { rows } = await sql<Omit<DecisionSums, 'approved_unchanged' | keyof LookSums>>`
    with ${withDecisions(scope)}
    select actor as moderator_id,
      count(*) filter (where type = 'CampaignApproved')::int as approved,
      count(*) filter (where type = 'CampaignRejected')::int as rejected,
      percentile_cont(0.5) within group (order by minutes)::float8 as median_minutes,
      percentile_cont(0.9) within group (order by minutes)::float8 as p90_minutes,
      avg(in_time::int)::float8 as in_time
    from decisions group by grouping sets ((actor), ())
    order by actor is not null, count(*) desc, actor limit ${MOST_MODERATORS + 1}`.execute(db)
  const { rows: appeals } = await sql<{ readonly actor: string; readonly fields: readonly string[]; readonly n: number }>`
    with ${withDecisions(scope)},
    pairs as (
      select d.actor, array(
        select distinct f from rm_audit_log u, unnest(u.fields) f
        where u.subject_id = d.subject_id and u.kind <> 'ledger' and u.type = 'CampaignUpdated'
          and u.position > d.position and u.position < d.second_position order by f) as fields
      from decisions d where d.approved_later)
    select actor, fields, count(*)::int as n from pairs group by actor, fields`.execute(db)
  const unchanged = appeals.filter(({ fields }) => !fields.some(isReviewed))
  const unchangedOf = (id: string | null) =>
    unchanged.reduce((sum, { actor, n }) => sum + (id === null || id === actor ? n : 0), 0)
  const looks = await secondLookSums(db, scope)
  return rows.map((row) => ({
    ...row,
    approved_unchanged: unchangedOf(row.moderator_id),
    ...(looks.get(row.moderator_id) ?? NO_LOOKS),
  }))
}

type LookSums = Pick<DecisionSums, 'second_looks' | 'second_looks_agreed'>
const NO_LOOKS: LookSums = { second_looks: 0, second_looks_agreed: 0 }

/** Outcomes of second looks by the moderator who approved, and of all for null. */
async function secondLookSums(
  db: Kysely<Db>,
  { whitelabelId, from, to }: StatisticsScope,
): Promise<ReadonlyMap<string | null, LookSums>> {
  const { rows } = await sql<LookSums & { readonly approver_id: string | null }>`
    select approver_id, count(*)::int as second_looks, count(*) filter (where state = 'agreed')::int as second_looks_agreed
    from app.second_looks
    where whitelabel_id = ${whitelabelId} and decided_at >= ${from}::date::timestamp at time zone 'UTC'
      and decided_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    group by grouping sets ((approver_id), ())`.execute(db)
  return new Map(rows.map(({ approver_id, ...sums }) => [approver_id, sums]))
}

/** By day and moderator, days with a decision only. */
export async function decisionsByDay(db: Kysely<Db>, scope: StatisticsScope): Promise<readonly DecisionsOfDay[]> {
  const { rows } = await sql<DecisionsOfDay>`
    with ${withDecisions(scope)},
    most as (select actor from decisions group by actor order by count(*) desc, actor limit ${MOST_MODERATORS})
    select to_char(day, 'YYYY-MM-DD') as day, actor as moderator_id,
      count(*) filter (where type = 'CampaignApproved')::int as approved,
      count(*) filter (where type = 'CampaignRejected')::int as rejected
    from decisions join most using (actor) group by day, actor order by day, actor`.execute(db)
  return rows
}

/** The length of the queue and its oldest submission at the end of each day of the range, or now for a day that is not over. */
export async function queueByDay(db: Kysely<Db>, scope: StatisticsScope, now: string): Promise<readonly QueueOfDay[]> {
  const { rows } = await sql<QueueOfDay>`
    with ${withDecisions(scope)},
    waits as materialized (
      select least(((at at time zone 'UTC')::date), ${scope.to}::date) as start_day,
        (next_at at time zone 'UTC')::date as end_day, min(at) as oldest, count(*)::int as n
      from steps where type = 'CampaignSubmitted' group by 1, 2),
    days as (select generate_series(${scope.from}::date, ${scope.to}::date, interval '1 day')::date as day)
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(sum(w.n), 0)::int as waiting,
      (extract(epoch from least(((days.day + 1)::timestamp at time zone 'UTC'), ${now}::timestamptz) - min(w.oldest)) / 60)::float8
        as oldest_minutes
    from days left join waits w on w.start_day <= days.day and (w.end_day is null or w.end_day > days.day)
    where days.day <= (${now}::timestamptz at time zone 'UTC')::date
    group by days.day order by days.day`.execute(db)
  return rows
}
