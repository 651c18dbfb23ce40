import { PERSON_STATUS } from '#domain/registration/person-status'
import type { DerivedId } from '#domain/kit/derived-id'
import { newId } from '../ids.ts'
import { personOfAddress } from './people.ts'
import { createTeamStore } from './team-store.ts'
import { systemContext } from '#domain/kit/event-metadata'
import { sql, type Kysely } from 'kysely'
import type { AccountCommands } from '#commands/account/account-commands'
import type { MailKeys } from '../mail/mail-keys.ts'
import type { Db } from '#migrations/db'

/** Roles of staff, and the names that a new member has until they enter their own. */
const NAMES = {
  SYSTEM_ADMIN: ['System', 'Administrator'],
  WL_OWNER: ['New', 'Owner'],
  WL_MODERATOR: ['New', 'Moderator'],
  WHITELABEL_ACCOUNTANT: ['New', 'Accountant'],
  AUDITOR: ['New', 'Auditor'],
} as const
export type StaffRole = keyof typeof NAMES
export const isStaffRole = (text: string): text is StaffRole => Object.hasOwn(NAMES, text)

export type Staff = { readonly role: StaffRole; readonly whiteLabel: { readonly id: string; readonly name: string } }

const ADMINISTRATOR: Staff = { role: 'SYSTEM_ADMIN', whiteLabel: { id: 'dsp', name: 'Placard' } }
/** The address of the first administrator by default. */
const FIRST_ADDRESS = 'admin@placard.local'

export type AdministratorsDeps = {
  readonly db: Kysely<Db>
  readonly accounts: AccountCommands
  readonly derivedId: DerivedId
  readonly mailKeys: MailKeys
  readonly links: { readonly originOf: (whitelabelId: string) => string }
}

export type Invited = { readonly email: string; readonly link: string }

/**
 * The way in for system administrators and the staff of white-labels: a link, which works once and for 72 hours, to the page that sets a password. No password is
 * ever made by the product.
 */
export function createAdministrators({ db, accounts, derivedId, mailKeys, links }: AdministratorsDeps) {
  return {
    /** A new link for a new or invited member of staff; null for an address that another user of the white-label has. */
    async invite(address: string, { role, whiteLabel }: Staff = ADMINISTRATOR): Promise<Invited | null> {
      const email = address.trim().toLowerCase()
      const spaceId = derivedId('house', whiteLabel.id)
      await accounts.execute(spaceId, systemContext('registration', derivedId('open-house', whiteLabel.id)), {
        type: 'OpenAccount',
        spaceId,
        whitelabelId: whiteLabel.id,
        name: whiteLabel.name,
        currency: 'USD',
        house: true,
      })
      const [first, last] = NAMES[role]
      await db
        .insertInto('identity.people')
        .values({
          id: derivedId('staff', whiteLabel.id, email),
          whitelabel_id: whiteLabel.id,
          home_space_id: spaceId,
          roles: [role],
          first_name: first,
          last_name: last,
          email,
          status_key: PERSON_STATUS.approved,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const person = await personOfAddress(db, whiteLabel.id, email)
      // The house account says who belongs to it, also who was added here.
      await accounts.execute(spaceId, systemContext('registration', newId()), {
        type: 'RecordPeople',
        by: 'system:registration',
        byAdministrator: true,
        known: await createTeamStore(db).known(spaceId),
      })
      if (person === null || person.deactivated || person.status_key !== PERSON_STATUS.approved || !person.roles.includes(role))
        return null
      const key = await mailKeys.create(person.id, 'confirmation')
      return { email, link: `${links.originOf(whiteLabel.id)}/auth/confirm-registration/${key}` }
    },

    /** A link for the first administrator; null once an administrator can sign in. */
    async inviteFirst(): Promise<Invited | null> {
      const rows = await db
        .selectFrom('identity.people')
        .select(['email', 'status_key'])
        .where((eb) => sql<boolean>`'SYSTEM_ADMIN' = any(${eb.ref('roles')})`)
        .where('demo', '=', false)
        .where('status_key', 'in', [PERSON_STATUS.approved, PERSON_STATUS.active])
        .where('suspended', '=', false)
        .orderBy('status_key', 'desc')
        .orderBy('created_at')
        .execute()
      if (rows.some(({ status_key }) => status_key === PERSON_STATUS.active)) return null
      return this.invite(rows[0]?.email ?? FIRST_ADDRESS)
    },
  }
}
