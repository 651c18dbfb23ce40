import type { Kysely } from 'kysely'
import { defaultChoice, kindsFor } from '#domain/notifications/notification'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'

export type OwnPicture = { readonly content_type: string; readonly bytes: Buffer }

export type OwnDataDeps = {
  readonly db: Kysely<Db>
  /** The plain text of a personal token; null when its key was erased. */
  readonly open: (token: string) => Promise<string | null>
}

/**
 * Data that is stored about a person and by them, without secrets and without data of others (fine print 80). Columns are named
 * one by one, against accidents ("holds something of each table about people, or the test says why not").
 */
export function createOwnData({ db, open }: OwnDataDeps) {
  return {
    /** All from one moment; null for an unknown person. */
    async of(id: string) {
      const rows = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => rowsOf(tx, id))
      if (rows === null) return null
      const { security_events, ...person } = rows.person
      // After the transaction: opening a text takes its own connection.
      return { ...rows, person: { ...person, security_events: await shownEvents(security_events) } }
    },
  }

  async function shownEvents(rows: Awaited<ReturnType<typeof eventsOf>>) {
    // The same network of the same person is the same token.
    const networks = new Map<string, string | null>()
    for (const { client_network: token } of rows)
      if (token !== null && !networks.has(token)) networks.set(token, await open(token))
    return rows.map(({ client_network, details, ...row }) => ({
      ...row,
      network: networks.get(client_network ?? '') ?? null,
      details: withoutOthers(details),
    }))
  }
}

async function rowsOf(tx: Kysely<Db>, id: string) {
  const stored = await recordOf(tx, id)
  if (stored === undefined) return null
  const record = openRow(tx, 'identity.people', id, stored)
  const { picture_id, ...shown } = record
  return {
    person: {
      record: shown,
      memberships: await membershipsOf(tx, id),
      registration: (await registrationOf(tx, id)) ?? null,
      ...(await credentialsOf(tx, id)),
      ...(await signInsOf(tx, id)),
      security_events: await eventsOf(tx, id),
      notification_choices: await choicesOf(tx, id, record.roles),
      ...(await sentTo(tx, id)),
      saved_reports: await reportsOf(tx, id),
      labels: await labelsOf(tx, id),
      list_views: await viewsOf(tx, id),
      scheduled_changes: await scheduledOf(tx, id),
      guide_closed_at: (await guideOf(tx, id))?.closed_at ?? null,
    },
    messages: await messagesOf(tx, id),
    picture: picture_id === null ? null : ((await pictureOf(tx, id, picture_id)) ?? null),
  }
}

const eventsOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.security_events')
    .select(['at', 'type', 'client_network', 'count', 'details'])
    .where('person_id', '=', id)
    .orderBy('id')
    .execute()

/** Removes other people from the details of a call, which may have changed one. */
function withoutOthers(details: unknown): object {
  const { target: _, ...rest } = details as Readonly<Record<string, unknown>>
  return rest
}

const recordOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('identity.people as p')
    .leftJoin('rm_accounts as a', 'a.space_id', 'p.home_space_id')
    .select(['p.id', 'p.first_name', 'p.last_name', 'p.email', 'p.phone', 'p.country', 'p.company_name'])
    .select(['p.roles', 'p.rights', 'p.whitelabel_id', 'p.home_space_id as account_id', 'a.name as account_name'])
    .select(['p.language_key', 'p.type_key as user_type_key', 'p.status_key', 'p.suspended', 'p.deactivated'])
    .select(['p.settings', 'p.moderator_comment', 'p.picture_id', 'p.created_at', 'p.updated_at'])
    .where('p.id', '=', id)
    .executeTakeFirst()

/** Accounts beside the home account. The names are those that their owners entered. */
const membershipsOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('identity.memberships as m')
    .leftJoin('rm_accounts as a', 'a.space_id', 'm.space_id')
    .select(['m.space_id as account_id', 'a.name as account_name', 'm.state', 'm.roles', 'm.rights'])
    .select(['m.first_name', 'm.last_name', 'm.invited_at', 'm.joined_at'])
    .where('m.person_id', '=', id)
    .orderBy('m.invited_at')
    .execute()

const registrationOf = (tx: Kysely<Db>, id: string) =>
  tx.selectFrom('rm_registrations').select(['status', 'currency', 'submitted_at']).where('person_id', '=', id).executeTakeFirst()

async function credentialsOf(tx: Kysely<Db>, id: string) {
  const factor = await tx
    .selectFrom('identity.second_factors')
    .select(['created_at', 'confirmed_at'])
    .where('person_id', '=', id)
    .executeTakeFirst()
  const codes = await tx
    .selectFrom('identity.recovery_codes')
    .select(({ fn }) => fn.countAll<bigint>().as('left'))
    .where('person_id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  const passkeys = await tx
    .selectFrom('identity.passkeys')
    .select(['id', 'name', 'rp_id as host', 'backed_up', 'transports', 'created_at', 'used_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()
  const links = await tx
    .selectFrom('identity.sign_on_links as l')
    .innerJoin('identity.sign_on_providers as p', 'p.id', 'l.provider_id')
    .select(['p.name as provider', 'l.subject', 'l.created_at'])
    .where('l.person_id', '=', id)
    .orderBy('l.created_at')
    .execute()
  const directory = await tx
    .selectFrom('identity.scim_people')
    .select(['external_id', 'changed_at'])
    .where('person_id', '=', id)
    .executeTakeFirst()
  const keys = await tx
    .selectFrom('identity.api_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'expires_at', 'used_at', 'revoked_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()
  return {
    second_factor: factor === undefined ? null : { ...factor, recovery_codes: Number(codes?.left ?? 0) },
    passkeys,
    single_sign_on: links,
    directory: directory ?? null,
    api_keys: keys,
  }
}

/** Known networks and devices are stored as keyed hashes, of which only the time says something. */
async function signInsOf(tx: Kysely<Db>, id: string) {
  const sessions = await tx
    .selectFrom('identity.session_families')
    .select(['id', 'started_at', 'last_used_at', 'proved_at', 'expires_at', 'revoked_at as ended_at', 'user_agent', 'network'])
    .where('person_id', '=', id)
    .orderBy('started_at')
    .execute()
  const networks = tx.selectFrom('identity.known_networks').select('last_at').where('person_id', '=', id)
  const devices = tx.selectFrom('identity.known_devices').select('last_at').where('person_id', '=', id)
  return {
    sessions,
    known_networks: await networks.orderBy('last_at').execute(),
    known_devices: await devices.orderBy('last_at').execute(),
  }
}

async function choicesOf(tx: Kysely<Db>, id: string, roles: readonly string[]) {
  const rows = await tx
    .selectFrom('app.notification_choices')
    .select(['kind', 'in_app as app', 'mail'])
    .where('person_id', '=', id)
    .execute()
  const chosen = new Map(rows.map(({ kind, ...choice }) => [kind, choice]))
  return kindsFor(roles).map((kind) => ({ kind, ...(chosen.get(kind) ?? defaultChoice(kind)) }))
}

/** Mails and notifications that were sent, without their content: mails may hold keys, and notifications the data of others. */
async function sentTo(tx: Kysely<Db>, id: string) {
  const mails = tx.selectFrom('app.mails').select(['template', 'created_at', 'sent_at']).where('person_id', '=', id)
  const notifications = tx.selectFrom('app.notifications').select(['kind', 'at', 'read_at']).where('person_id', '=', id)
  return {
    mails: await mails.orderBy('created_at').execute(),
    notifications: await notifications.orderBy('at').execute(),
  }
}

const reportsOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.saved_reports')
    .select(['id', 'name', 'space_id as account_id', 'report', 'schedule', 'schedule_day', 'format', 'created_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()

const labelsOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.labels')
    .select(['id', 'space_id as account_id', 'name', 'color', 'created_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()

const viewsOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.list_views')
    .select(['id', 'list', 'place_id', 'name', 'shared', 'state', 'created_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()

const scheduledOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.scheduled_changes')
    .select(['id', 'campaign_id', 'space_id as account_id', 'act', 'due_at', 'note', 'state', 'created_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()

const guideOf = (tx: Kysely<Db>, id: string) =>
  tx.selectFrom('app.closed_guides').select('closed_at').where('person_id', '=', id).executeTakeFirst()

/** Messages that the person wrote. Whose conversation a member of the staff answered in is data of another person. */
const messagesOf = (tx: Kysely<Db>, id: string) =>
  tx
    .selectFrom('app.chat_messages')
    .select(['at', 'from_staff', 'text'])
    .where('author_id', '=', id)
    .orderBy('at')
    .orderBy('number')
    .execute()

const pictureOf = (tx: Kysely<Db>, id: string, pictureId: string): Promise<OwnPicture | undefined> =>
  tx
    .selectFrom('identity.pictures')
    .select(['content_type', 'bytes'])
    .where('id', '=', pictureId)
    .where('person_id', '=', id)
    .executeTakeFirst()
