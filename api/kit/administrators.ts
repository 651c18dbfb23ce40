import { sql, type Kysely } from 'kysely'
import type { AccountCommands } from '../../commands/account/account-commands.ts'
import type { Kit } from './kit.ts'
import type { Links } from './links.ts'
import type { MailKeys } from './mail/mail-keys.ts'
import { personOfAddress } from './mail/mail-policy.ts'
import { systemContext } from './registrations.ts'

const WHITE_LABEL = { id: 'dsp', name: 'Placard' }
/** The address of an administrator whom nobody has named. */
const FIRST_ADDRESS = 'admin@placard.local'

export type AdministratorsDeps = {
  readonly db: Kysely<never>
  readonly accounts: AccountCommands
  readonly derivedId: Kit['derivedId']
  readonly mailKeys: MailKeys
  readonly links: Pick<Links, 'originOf'>
}

export type Invited = { readonly email: string; readonly link: string }

/**
 * The way in for system administrators: a link, which works once and for 72 hours, to the page that sets a password. No password is
 * ever made by the product.
 */
export function createAdministrators({ db, accounts, derivedId, mailKeys, links }: AdministratorsDeps) {
  return {
    /** A new link for a new or invited administrator; null for an address that another user has. */
    async invite(address: string): Promise<Invited | null> {
      const email = address.trim().toLowerCase()
      const spaceId = derivedId('house', WHITE_LABEL.id)
      await accounts.execute(spaceId, systemContext(derivedId('open-house', WHITE_LABEL.id)), {
        type: 'OpenAccount',
        spaceId,
        whitelabelId: WHITE_LABEL.id,
        name: WHITE_LABEL.name,
        currency: 'USD',
        house: true,
      })
      await sql`
        insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, status_key)
        values (${derivedId('administrator', email)}, ${WHITE_LABEL.id}, ${spaceId}, '{SYSTEM_ADMIN}', 'System', 'Administrator',
          ${email}, 2)
        on conflict do nothing`.execute(db)
      const person = await personOfAddress(db, WHITE_LABEL.id, email)
      if (person === null || person.status_key !== 2 || !person.roles.includes('SYSTEM_ADMIN')) return null
      const key = await mailKeys.create(person.id, 'confirmation')
      return { email, link: `${links.originOf(WHITE_LABEL.id)}/auth/confirm-registration/${key}` }
    },

    /** A link for the first administrator; null once an administrator can sign in. */
    async inviteFirst(): Promise<Invited | null> {
      const { rows } = await sql<{ readonly email: string; readonly status_key: number }>`
        select email, status_key from identity.people
        where 'SYSTEM_ADMIN' = any(roles) and not demo and status_key in (2, 5) and not suspended
        order by status_key desc, created_at`.execute(db)
      if (rows.some(({ status_key }) => status_key === 5)) return null
      return this.invite(rows[0]?.email ?? FIRST_ADDRESS)
    },
  }
}
