import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely'
import * as eventStore from './0001_event_store.ts'
import * as identity from './0010_identity.ts'
import * as campaignNames from './0020_campaign_names.ts'
import * as personKeys from './0030_person_keys.ts'
import * as projectionShards from './0040_projection_shards.ts'
import * as logGrants from './0050_log_grants.ts'
import * as whitelists from './0060_whitelists.ts'
import * as media from './0070_media.ts'
import * as fileWarnings from './0080_file_warnings.ts'
import * as logKind from './0090_log_kind.ts'
import * as erasures from './0100_erasures.ts'
import * as kurrentLog from './0110_kurrent_log.ts'
import * as generations from './0120_generations.ts'
import * as recordedAt from './0130_recorded_at.ts'
import * as whitelabelSettings from './0140_whitelabel_settings.ts'
import * as fileRooms from './0141_file_rooms.ts'
import * as sessions from './0150_sessions.ts'
import * as signingKeys from './0151_signing_keys.ts'
import * as limits from './0152_limits.ts'
import * as serviceCredentials from './0153_service_credentials.ts'
import * as securityEvents from './0154_security_events.ts'
import * as oneCheckpoint from './0155_one_checkpoint.ts'
import * as facts from './0160_facts.ts'
import * as delivery from './0161_delivery.ts'
import * as events from './0170_events.ts'
import * as people from './0180_people.ts'
import * as registration from './0181_registration.ts'
import * as accounts from './0190_accounts.ts'
import * as suspendedWhitelabels from './0200_suspended_whitelabels.ts'
import * as chat from './0201_chat.ts'
import * as signIn from './0210_sign_in.ts'
import * as chargedHours from './0220_charged_hours.ts'
import * as payments from './0230_payments.ts'
import * as invoices from './0240_invoices.ts'
import * as audiences from './0250_audiences.ts'
import * as moneyByHand from './0260_money_by_hand.ts'
import * as audienceClaims from './0270_audience_claims.ts'
import * as credentialEnds from './0280_credential_ends.ts'
import * as reviewedFiles from './0281_reviewed_files.ts'
import * as pixelSettings from './0282_pixel_settings.ts'
import * as paymentAttempts from './0290_payment_attempts.ts'
import * as uncertainMails from './0300_uncertain_mails.ts'
import * as failedUploads from './0310_failed_uploads.ts'
import * as keyEnds from './0311_key_ends.ts'
import * as wholeInvoices from './0320_whole_invoices.ts'
import * as savedReports from './0330_saved_reports.ts'
import * as notifications from './0340_notifications.ts'
import * as chargesOfADay from './0350_charges_of_a_day.ts'
import * as jobs from './0360_jobs.ts'
import * as ledgers from './0370_ledgers.ts'
import * as hoursCharged from './0380_charged_hours.ts'
import * as retention from './0390_retention.ts'
import * as narrowFacts from './0400_facts.ts'
import * as factGroups from './0410_fact_groups.ts'
import * as transparencyLog from './0437_transparency_log.ts'
import * as unsettledCharges from './0440_unsettled_charges.ts'
import * as auditWebhooks from './0445_audit_webhooks.ts'
import * as teams from './0450_teams.ts'
import * as passkeys from './0460_passkeys.ts'
import * as securityForwarding from './0465_security_forwarding.ts'
import * as sessionProofs from './0470_session_proofs.ts'
import * as singleSignOn from './0480_single_sign_on.ts'
import * as scim from './0490_scim.ts'
import * as keyRotation from './0500_key_rotation.ts'
import * as secondPerson from './0510_second_person.ts'
import * as sealedKeys from './0520_sealed_keys.ts'
import * as ownRights from './0530_own_rights.ts'
import * as sessionCookies from './0540_session_cookies.ts'
import * as credentialNotices from './0550_credential_notices.ts'
import * as signOnSessionIds from './0560_sign_on_session_ids.ts'
import * as memberships from './0570_memberships.ts'
import * as sealedColumns from './0580_sealed_columns.ts'
import * as accountNames from './0590_account_names.ts'
import * as operations from './0610_operations.ts'
import * as scheduledChanges from './0620_scheduled_changes.ts'
import * as reviewHolds from './0630_review_holds.ts'
import * as listViews from './0640_list_views.ts'
import * as bidSamples from './0645_bid_samples.ts'
import * as secondLooks from './0650_second_looks.ts'
import * as labels from './0670_labels.ts'
import * as secondKeys from './0680_second_keys.ts'
import * as unconfirmedEvents from './0690_unconfirmed_events.ts'
import * as nameKeys from './0700_name_keys.ts'
import * as frameRates from './0710_frame_rates.ts'

/** In order of name. A released name never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_event_store': eventStore,
  '0010_identity': identity,
  '0020_campaign_names': campaignNames,
  '0030_person_keys': personKeys,
  '0040_projection_shards': projectionShards,
  '0050_log_grants': logGrants,
  '0060_whitelists': whitelists,
  '0070_media': media,
  '0080_file_warnings': fileWarnings,
  '0090_log_kind': logKind,
  '0100_erasures': erasures,
  '0110_kurrent_log': kurrentLog,
  '0120_generations': generations,
  '0130_recorded_at': recordedAt,
  '0140_whitelabel_settings': whitelabelSettings,
  '0141_file_rooms': fileRooms,
  '0150_sessions': sessions,
  '0151_signing_keys': signingKeys,
  '0152_limits': limits,
  '0153_service_credentials': serviceCredentials,
  '0154_security_events': securityEvents,
  '0155_one_checkpoint': oneCheckpoint,
  '0160_facts': facts,
  '0161_delivery': delivery,
  '0170_events': events,
  '0180_people': people,
  '0181_registration': registration,
  '0190_accounts': accounts,
  '0200_suspended_whitelabels': suspendedWhitelabels,
  '0201_chat': chat,
  '0210_sign_in': signIn,
  '0220_charged_hours': chargedHours,
  '0230_payments': payments,
  '0240_invoices': invoices,
  '0250_audiences': audiences,
  '0260_money_by_hand': moneyByHand,
  '0270_audience_claims': audienceClaims,
  '0280_credential_ends': credentialEnds,
  '0281_reviewed_files': reviewedFiles,
  '0282_pixel_settings': pixelSettings,
  '0290_payment_attempts': paymentAttempts,
  '0300_uncertain_mails': uncertainMails,
  '0310_failed_uploads': failedUploads,
  '0311_key_ends': keyEnds,
  '0320_whole_invoices': wholeInvoices,
  '0330_saved_reports': savedReports,
  '0340_notifications': notifications,
  '0350_charges_of_a_day': chargesOfADay,
  '0360_jobs': jobs,
  '0370_ledgers': ledgers,
  '0380_charged_hours': hoursCharged,
  '0390_retention': retention,
  '0400_facts': narrowFacts,
  '0410_fact_groups': factGroups,
  '0437_transparency_log': transparencyLog,
  '0440_unsettled_charges': unsettledCharges,
  '0445_audit_webhooks': auditWebhooks,
  '0450_teams': teams,
  '0460_passkeys': passkeys,
  '0465_security_forwarding': securityForwarding,
  '0470_session_proofs': sessionProofs,
  '0480_single_sign_on': singleSignOn,
  '0490_scim': scim,
  '0500_key_rotation': keyRotation,
  '0510_second_person': secondPerson,
  '0520_sealed_keys': sealedKeys,
  '0530_own_rights': ownRights,
  '0540_session_cookies': sessionCookies,
  '0550_credential_notices': credentialNotices,
  '0560_sign_on_session_ids': signOnSessionIds,
  '0570_memberships': memberships,
  '0580_sealed_columns': sealedColumns,
  '0590_account_names': accountNames,
  '0610_operations': operations,
  '0620_scheduled_changes': scheduledChanges,
  '0630_review_holds': reviewHolds,
  '0640_list_views': listViews,
  '0645_bid_samples': bidSamples,
  '0650_second_looks': secondLooks,
  '0670_labels': labels,
  '0680_second_keys': secondKeys,
  '0690_unconfirmed_events': unconfirmedEvents,
  '0700_name_keys': nameKeys,
  '0710_frame_rates': frameRates,
}

/**
 * Brings the database up to date, with all migrations or none, and returns the names of those that ran. Of two concurrent
 * processes the second waits and has nothing to do.
 */
export async function migrateToLatest<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  const later = laterThanThis(await migrationsRun(db))
  if (later !== undefined) throw new NewerDatabase(later)
  return migrated(db, MIGRATIONS)
}

/** How long an upgrade tries to get its locks, milliseconds. */
const TRIES_FOR_MS = 120_000
/**
 * How long it waits for a table while it holds others, and in all, milliseconds. PostgreSQL looks for deadlocks after a second: by
 * then the upgrade has given way, so that none ends the call of a user.
 */
const WAITS_HOLDING_MS = 250
const HOLDS_MS = 700
/** How long calls may queue behind the table that was busy before, for which it waits while it holds none. */
const WAITS_FREE_MS = 2000
/** A lock that others hold, and a deadlock about what is no table. */
const BUSY = ['55P03', '40P01']

/**
 * Runs what is missing of these, all or none, beside a product in use. Every table is locked first, so that migrations may take them
 * in any order; a try that does not get all of them soon gives them back.
 */
export async function migrated<DB>(db: Kysely<DB>, migrations: typeof MIGRATIONS): Promise<readonly string[]> {
  const until = performance.now() + TRIES_FOR_MS
  const locks: Locks = { busy: null }
  for (;;) {
    const ran = await migrationsRun(db)
    const [first] = Object.keys(migrations)
      .filter((name) => !ran.includes(name))
      .toSorted()
    const { error, results }: MigrationResultSet = await migrating(db, migrations, first, locks)
    if (error === undefined) return (results ?? []).map((result) => result.migrationName)
    const { code, message } = causeOf(error)
    if (!BUSY.includes(code) || performance.now() > until) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first step'
      const held = locks.busy === null ? '' : ` (others held ${locks.busy})`
      throw new Error(`migration failed at ${failed}: ${message}${held}`, { cause: error })
    }
    // Random, so that two that compete do not stay in step.
    await delay(50 + Math.random() * 200)
  }
}

/** The table that the last try did not get. */
type Locks = { busy: string | null }

const causeOf = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof Error
    ? { code: 'code' in error && typeof error.code === 'string' ? error.code : '', message: error.message }
    : { code: '', message: String(error) }

function migrating<DB>(db: Kysely<DB>, migrations: typeof MIGRATIONS, first: string | undefined, locks: Locks) {
  const missing = first === undefined ? undefined : migrations[first]
  const behindLocks: typeof MIGRATIONS =
    first === undefined || missing === undefined
      ? migrations
      : {
          ...migrations,
          [first]: {
            up: async (tx) => {
              await lockTables(tx, locks)
              await missing.up(tx)
            },
          },
        }
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...behindLocks }) } }).migrateToLatest()
}

/** Locks every table of the product against calls, the one that was busy first. */
async function lockTables(tx: Kysely<unknown>, locks: Locks): Promise<void> {
  // A table is locked with its partitions.
  const { rows } = await sql<{ readonly name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('app', 'es', 'facts', 'identity') order by 1`.execute(
    tx,
  )
  async function lock(name: string, ms: number): Promise<void> {
    locks.busy = name
    await sql`${sql.raw(`set local lock_timeout = ${ms}`)}`.execute(tx)
    await sql`${sql.raw(`lock table ${name} in access exclusive mode`)}`.execute(tx)
  }
  if (locks.busy !== null) await lock(locks.busy, WAITS_FREE_MS)
  const since = performance.now()
  for (const { name } of rows)
    await lock(name, Math.max(1, Math.min(WAITS_HOLDING_MS, Math.floor(HOLDS_MS - (performance.now() - since)))))
  locks.busy = null
}

/** Brings an empty database to where one had run these migrations and no others: a backup fits it. */
export async function migrateThrough<DB>(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  const later = laterThanThis(names)
  if (later !== undefined) throw new NewerDatabase(later)
  await migrated(db, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => names.includes(name))))
}

/**
 * Throws with one line unless the database has exactly the migrations of this build. For command-line tools: only the product
 * upgrades a database.
 */
export async function requireLatest<DB>(db: Kysely<DB>): Promise<void> {
  const ran = new Set(await migrationsRun(db))
  const later = laterThanThis([...ran])
  const missing = Object.keys(MIGRATIONS).find((name) => !ran.has(name))
  if (ran.size === 0) throw new Error('this database was never migrated: start the product on it first')
  if (later !== undefined) throw new Error(`this database has migration ${later} of a newer build: use the tools of that build`)
  if (missing !== undefined)
    throw new Error(`this database lacks migration ${missing} of this build: start the product of this build on it first`)
}

const laterThanThis = (ran: readonly string[]): string | undefined => ran.find((name) => !(name in MIGRATIONS))

/** The database has a migration that this build does not know. */
export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(`this database was upgraded by a newer build (migration ${migration}): start that build, or restore a backup of before`)
    this.name = 'NewerDatabase'
  }
}

async function migrationsRun<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  const { rows: found } = await sql<{ known: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as known`.execute(db)
  if (found[0]?.known !== true) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}
