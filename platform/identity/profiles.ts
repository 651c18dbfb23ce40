import { saveMailChoice } from '../notifications/notifications.ts'
import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { defaultChoice, type MailChoice, type NotificationKind } from '#domain/notifications/notification'
import { NOW } from '#eventstore/postgres/expressions'
import { sealRow } from '#eventstore/postgres/sealed-columns'
import { phoneOf } from './people.ts'
import type { Db } from '#migrations/db'

/** Choices of a user about themselves; missing choices have their defaults. */
export type Choices = {
  readonly allow_make_payment: boolean
  readonly notifications: { readonly balance: boolean; readonly moderation: boolean }
}

export type ProfileChanges = {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly phone?: string | null | undefined
  readonly language_key?: number | undefined
  readonly user_type_key?: number | undefined
  readonly notifications?: { readonly balance?: boolean | undefined; readonly moderation?: boolean | undefined } | undefined
}

/** Kinds behind each of the two switches of the profile; the kinds have finer choices of their own. */
const SWITCHES: Readonly<Record<'balance' | 'moderation', readonly NotificationKind[]>> = {
  balance: ['balance-low'],
  moderation: ['campaign-approved', 'campaign-rejected'],
}

type Picture = { readonly content_type: string; readonly bytes: Buffer }

/** Profiles of users: primary data of PostgreSQL, erased with the person. */
export function createProfiles(db: Kysely<Db>) {
  type Mails = ReadonlyMap<string, MailChoice>
  async function mailsOf(personId: string): Promise<Mails> {
    const rows = await db
      .selectFrom('app.notification_choices')
      .select(['kind', 'mail'])
      .where('person_id', '=', personId)
      .execute()
    return new Map(rows.map(({ kind, mail }) => [kind, mail]))
  }
  const isOn = (mails: Mails, name: keyof typeof SWITCHES): boolean =>
    SWITCHES[name].some((kind) => (mails.get(kind) ?? defaultChoice(kind).mail) !== 'never')

  /** Whether a switch changed. What is switched on that was on keeps its finer choice. */
  async function saveSwitches(personId: string, given: NonNullable<ProfileChanges['notifications']>): Promise<boolean> {
    if (given.balance === undefined && given.moderation === undefined) return false
    const mails = await mailsOf(personId)
    const names = (['balance', 'moderation'] as const).filter(
      (name) => given[name] !== undefined && given[name] !== isOn(mails, name),
    )
    for (const name of names)
      for (const kind of SWITCHES[name])
        await saveMailChoice(db, personId, { kind, mail: given[name] === true ? 'now' : 'never' })
    return names.length > 0
  }

  /** Names the picture of a person, and removes the one before. */
  async function setPicture(on: Kysely<Db>, personId: string, id: string | null): Promise<void> {
    await on.updateTable('identity.people').set({ picture_id: id, updated_at: NOW }).where('id', '=', personId).execute()
    await on.deleteFrom('identity.pictures').where('person_id', '=', personId).execute()
  }

  return {
    async choicesOf(personId: string): Promise<Choices> {
      const [person, mails] = await Promise.all([
        db
          .selectFrom('identity.people')
          .select('settings')
          .where('id', '=', personId)
          .$castTo<{ settings: { readonly allow_make_payment?: boolean } }>()
          .executeTakeFirst(),
        mailsOf(personId),
      ])
      const { allow_make_payment = true } = person?.settings ?? {}
      return { allow_make_payment, notifications: { balance: isOn(mails, 'balance'), moderation: isOn(mails, 'moderation') } }
    },

    /** Saves what is given, and answers the names of the fields that changed. */
    async save(personId: string, changes: ProfileChanges): Promise<readonly string[]> {
      const { first_name, last_name, phone, language_key, user_type_key, notifications } = changes
      const changed = await db.transaction().execute(async (tx) => {
        await tx.selectFrom('identity.people').select('id').where('id', '=', personId).forUpdate().execute()
        const isNewPhone = phone !== undefined && phone !== (await phoneOf(tx, personId))
        const sealed = sealRow(tx, 'identity.people', personId, { phone: phone ?? null })
        const { rows } = await sql<{ changed: readonly string[] }>`
        with old as (select * from identity.people where id = ${personId})
        update identity.people set
          first_name = coalesce(${first_name ?? null}, old.first_name),
          last_name = coalesce(${last_name ?? null}, old.last_name),
          phone = case when ${isNewPhone} then ${sealed.phone} else old.phone end,
          language_key = coalesce(${language_key ?? null}::smallint, old.language_key),
          type_key = coalesce(${user_type_key ?? null}::smallint, old.type_key),
          updated_at = now()
        from old where people.id = old.id
        returning array_remove(array[
          case when people.first_name <> old.first_name then 'first_name' end,
          case when people.last_name <> old.last_name then 'last_name' end,
          case when ${isNewPhone} then 'phone' end,
          case when people.language_key <> old.language_key then 'language_key' end,
          case when people.type_key <> old.type_key then 'user_type_key' end], null) as changed`.execute(tx)
        return rows[0]?.changed ?? []
      })
      const switched = await saveSwitches(personId, notifications ?? {})
      return [...changed, ...(switched ? ['notifications'] : [])]
    },

    /** Replaces the picture; answers its new, unguessable id. */
    async savePicture(personId: string, { content_type, bytes }: Picture): Promise<string> {
      const id = randomBytes(24).toString('base64url')
      await db.transaction().execute(async (tx) => {
        await setPicture(tx, personId, id)
        await tx.insertInto('identity.pictures').values({ id, person_id: personId, content_type, bytes }).execute()
      })
      return id
    },

    removePicture: (personId: string): Promise<void> => setPicture(db, personId, null),

    async picture(id: string): Promise<Picture | null> {
      const pictures = db.selectFrom('identity.pictures').select(['content_type', 'bytes'])
      return (await pictures.where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** When the record last changed, ISO 8601. */
    async updatedAt(personId: string): Promise<string> {
      const people = db.selectFrom('identity.people').select('updated_at')
      const person = await people.where('id', '=', personId).executeTakeFirst()
      return (person?.updated_at ?? new Date(0)).toISOString()
    },
  }
}
export type Profiles = ReturnType<typeof createProfiles>
