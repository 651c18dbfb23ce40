import type { Notice } from '#commands/notifications/notify'
import type { DerivedId } from '#domain/kit/derived-id'
import type { WhiteLabels } from '#commands/white-label/white-labels'
import { sql, type Kysely } from 'kysely'
import { storableJson } from '#domain/kit/text'
import type { Role } from '#domain/kit/access'
import { defaultChoice, nextDigest, RECIPIENTS, type MailChoice } from '#domain/notifications/notification'
import type { Db } from '#migrations/db'
import { queueMail } from '../mail/mail-queue.ts'
import { mayEnter } from '../identity/people.ts'

/** Notifications kept for one person; older ones are removed. */
export const MOST_NOTIFICATIONS = 1000
/** Most recipients of one notification. */
const MOST_RECIPIENTS = 500
/** Mails of their own within an hour for one person: beyond that, notifications wait for the digest. */
const MAILS_AN_HOUR = 20
/** Age beyond which a notification is not mailed: a process that reads old events again must not send old news. Milliseconds. */
export const MAILED_WITHIN_MS = 2 * 86_400_000

export type NotifyKit = {
  readonly derivedId: DerivedId
  readonly now: () => string
  readonly whiteLabels: Pick<WhiteLabels, 'brandOf' | 'settingsOf'>
}

type Recipient = {
  readonly id: string
  readonly roles: readonly Role[]
  readonly in_app: boolean | null
  readonly mail: MailChoice | null
  /** Mails of their own in the last hour. */
  readonly mailed: number
}

/**
 * Stores a notification for each recipient, and queues its mail, as each of them chose. A repeat of the cause changes nothing. Active users
 * alone are notified. In the caller's transaction.
 */
export async function notify(tx: Kysely<Db>, kit: NotifyKit, notice: Notice): Promise<void> {
  const { kind, cause, whitelabelId, spaceId, at, data } = notice
  const instant = kit.now()
  const isOld = Date.parse(at) < Date.parse(instant) - MAILED_WITHIN_MS
  const digest = nextDigest(instant, kit.whiteLabels.brandOf(whitelabelId).zone)
  const standard = defaultChoice(kind)
  const rows = (await recipientsOf(tx, notice, instant)).map((one) => {
    const choice = one.mail ?? standard.mail
    const mail = isOld || (notice.mailedTo !== undefined && one.roles.includes(notice.mailedTo)) ? 'never' : choice
    const now = mail === 'now' && one.mailed < MAILS_AN_HOUR
    return {
      person_id: one.id,
      in_app: one.in_app ?? standard.app,
      mailed_at: now ? instant : null,
      digest_at: mail === 'never' || now ? null : digest,
    }
  })
  const wanted = rows.filter((row) => row.in_app || row.mailed_at !== null || row.digest_at !== null)
  if (wanted.length === 0) return
  const { rows: stored } = await sql<{ readonly person_id: string; readonly mailed: boolean }>`
    insert into app.notifications
      (person_id, whitelabel_id, space_id, kind, cause, data, at, created_at, in_app, mailed_at, digest_at)
    select w.person_id, ${whitelabelId}, ${spaceId}, ${kind}, ${cause}, ${storableJson(data)}::jsonb, ${at}, ${instant},
      w.in_app, w.mailed_at, w.digest_at
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      as w (person_id text, in_app boolean, mailed_at timestamptz, digest_at timestamptz)
    order by w.person_id
    on conflict (person_id, cause) do nothing
    returning person_id, mailed_at is not null as mailed`.execute(tx)
  for (const { person_id: personId, mailed } of stored)
    if (mailed)
      await queueMail(tx, {
        id: mailIdOf(kit, personId, cause),
        whitelabelId,
        ...(notice.mailAfterSeconds === undefined ? {} : { afterSeconds: notice.mailAfterSeconds }),
        to: { personId },
        template: kind === 'balance-low' ? 'low-balance' : 'notification',
        data: { ...data, kind },
      })
  await removeOldest(
    tx,
    stored.map(({ person_id: id }) => id),
  )
}

/** Id of the mail of a notification. */
export const mailIdOf = ({ derivedId }: Pick<NotifyKit, 'derivedId'>, personId: string, cause: string): string =>
  derivedId('notification', personId, cause)

async function recipientsOf(tx: Kysely<Db>, notice: Notice, instant: string): Promise<readonly Recipient[]> {
  const { kind, spaceId, whitelabelId, personId, colleaguesOf } = notice
  const who =
    personId !== undefined
      ? sql`people.id = ${personId}`
      : colleaguesOf !== undefined
        ? sql`people.whitelabel_id = ${whitelabelId} and people.id <> ${colleaguesOf}`
        : sql`true`
  // By the roles in the account that the notice is about (fine print 93); staff have theirs at home.
  const isOfAccount = sql`a.space_id = ${spaceId}`
  const account =
    personId === undefined && colleaguesOf === undefined
      ? isOfAccount
      : sql`(${isOfAccount} or (a.home and not exists (
          select from identity.memberships m where m.person_id = a.person_id and m.space_id = ${spaceId})))`
  const { rows } = await sql<Recipient>`
    select people.id, a.roles, c.in_app, c.mail,
      (select count(*)::int from app.notifications n
       where n.person_id = people.id and n.mailed_at > ${instant}::timestamptz - interval '1 hour') as mailed
    from identity.account_access a join identity.people on people.id = a.person_id left join app.notification_choices c on c.person_id = people.id and c.kind = ${kind}
    where ${account} and ${who} and a.roles && ${[...RECIPIENTS[kind]]}::text[] and ${mayEnter(true)}
    order by people.created_at, people.id limit ${MOST_RECIPIENTS}`.execute(tx)
  return rows
}

async function removeOldest(tx: Kysely<Db>, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return
  await sql`
    delete from app.notifications n using unnest(${[...personIds]}::text[]) as p (id)
    where n.person_id = p.id and n.id <= (
      select o.id from app.notifications o where o.person_id = p.id order by o.id desc offset ${MOST_NOTIFICATIONS} limit 1)`.execute(
    tx,
  )
}
