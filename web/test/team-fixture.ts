import type { z } from '#contract/zod'
import type { getTeam, TeamMember } from '#contract/team'

type Team = z.output<typeof getTeam.output>

export const memberWith = (changes: Partial<TeamMember> = {}): TeamMember => ({
  id: 'ada',
  first_name: 'Ada',
  last_name: 'Nile',
  email: 'ada@nile.example',
  roles: ['USER_OWNER'],
  rights: [],
  state: 'active',
  second_factor: true,
  sign_on: false,
  elsewhere: false,
  created_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: '2026-11-02T10:00:00.000Z',
  ...changes,
})

export const KARIM = memberWith({
  id: 'karim',
  first_name: 'Karim',
  last_name: 'Saleh',
  email: 'karim@nile.example',
  roles: ['ACCOUNTANT'],
  second_factor: false,
  sign_on: false,
})

/** The team of an advertiser's account. */
export const teamOf = (...people: readonly TeamMember[]): Team => ({
  people: [...people],
  roles: ['ACCOUNTANT', 'USER_OWNER'],
  most: 100,
})

/** The staff of a white-label, as its owner sees them. */
export const staffOf = (...people: readonly TeamMember[]): Team => ({
  people: [...people],
  roles: ['WL_OWNER', 'WL_MODERATOR', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'],
  most: 100,
})
