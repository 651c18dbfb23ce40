import type { Role } from '#domain/kit/access'

/** The demo white-label of running.md: its users and their spaces. */
export const DEMO_WHITELABEL = 'dsp'
export const DEMO_PASSWORD = 'Placard#2026'

export type DemoSpace = {
  readonly key: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  readonly balance: number
}

/** Balance in currency units. */
export const DEMO_SPACES: readonly DemoSpace[] = [
  { key: 'house', name: 'DSP House', currency: 'USD', house: true, balance: 0 },
  { key: 'nile', name: 'Nile Travel', currency: 'USD', house: false, balance: 5000 },
  { key: 'lagos', name: 'Lagos Foods', currency: 'NGN', house: false, balance: 0 },
]

export type DemoPerson = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: Role
  readonly space: string
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { email: 'owner@dsp.example', firstName: 'Olivia', lastName: 'Mbeki', role: 'WL_OWNER', space: 'house' },
  { email: 'moderator@dsp.example', firstName: 'Marek', lastName: 'Novak', role: 'WL_MODERATOR', space: 'house' },
  { email: 'accountant@dsp.example', firstName: 'Aisha', lastName: 'Karim', role: 'WHITELABEL_ACCOUNTANT', space: 'house' },
  { email: 'auditor@dsp.example', firstName: 'Armen', lastName: 'Petrosyan', role: 'AUDITOR', space: 'house' },
  { email: 'admin@dsp.example', firstName: 'Ada', lastName: 'Root', role: 'SYSTEM_ADMIN', space: 'house' },
  { email: 'ada@nile.example', firstName: 'Ada', lastName: 'Hassan', role: 'USER_OWNER', space: 'nile' },
  { email: 'bola@lagos.example', firstName: 'Bola', lastName: 'Adeyemi', role: 'USER_OWNER', space: 'lagos' },
  { email: 'clerk@nile.example', firstName: 'Karim', lastName: 'Saleh', role: 'ACCOUNTANT', space: 'nile' },
]
