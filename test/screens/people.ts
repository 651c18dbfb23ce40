import { ACCESS, type Action, type Role } from '#domain/kit/access'

/** One demo user per role. */
export const PEOPLE = {
  advertiser: 'ada@nile.example',
  owner: 'owner@dsp.example',
  moderator: 'moderator@dsp.example',
  auditor: 'auditor@dsp.example',
  accountant: 'accountant@dsp.example',
  clerk: 'clerk@nile.example',
  admin: 'admin@dsp.example',
} as const
export type Person = keyof typeof PEOPLE

const ROLE: Record<Person, Role> = {
  advertiser: 'USER_OWNER',
  owner: 'WL_OWNER',
  moderator: 'WL_MODERATOR',
  auditor: 'AUDITOR',
  accountant: 'WHITELABEL_ACCOUNTANT',
  clerk: 'ACCOUNTANT',
  admin: 'SYSTEM_ADMIN',
}

export const EVERYBODY: readonly Person[] = ['advertiser', 'owner', 'moderator', 'auditor', 'accountant', 'clerk', 'admin']
const may = (person: Person, action: Action) => (ACCESS[action] as readonly Role[]).includes(ROLE[person])

/** Users with access, by the access rules: a screen is checked as every user who has it. */
export const whoMay = (action: Action) => EVERYBODY.filter((person) => may(person, action))
