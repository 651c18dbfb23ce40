import { ROLES, SINGLE_RIGHT_NAMES } from '#domain/kit/access'
import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** The people of an account, and of the house account of a white-label: its staff (access.md). */

/** People in a list: invitations that were taken back are not shown. */
export const TEAM_STATES = ['invited', 'active', 'deactivated'] as const

/** A single right that a person has beyond their roles, or one of theirs that was taken (fine print 89). */
const memberRight = named(
  'MemberRight',
  z.object({
    right: z.enum(SINGLE_RIGHT_NAMES),
    kind: z.enum(['granted', 'taken']),
    until: z.nullable(z.string()).check(z.describe('When it is over; null for no end')),
    by: z.string().check(z.describe('The name of who granted or took it')),
  }),
)

export const teamMember = named(
  'TeamMember',
  z.object({
    id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(ROLES)),
    rights: z.array(memberRight).check(z.describe('What differs from the roles; without those that are over')),
    state: z
      .enum(TEAM_STATES)
      .check(z.describe('invited: has not accepted so far; deactivated: cannot act in the account until they are reactivated')),
    second_factor: z.boolean(),
    sign_on: z
      .boolean()
      .check(z.describe('Whether a subject of an identity provider is linked to them; false for people from elsewhere')),
    elsewhere: z.boolean().check(z.describe('Whether their home is another account, and they joined this one beside it')),
    created_at: z.string(),
    last_seen_at: z.nullable(z.string()).check(z.describe('Of the last session; null before the first')),
  }),
)
export type TeamMember = z.output<typeof teamMember>

const params = z.object({ id: z.string() })
const personParams = z.object({ id: z.string(), person: z.string() })
const roles = z.array(z.enum(ROLES)).check(z.maxLength(ROLES.length))
const member = z.object({ member: teamMember, position })
/** Command that waits for a second person in place of being done (fine print 87); null when it was done. */
const approval_id = z.nullable(z.string())
const memberOrWaiting = z.object({ member: teamMember, approval_id, position })

export const getTeam = endpoint({
  id: 'team.get',
  method: 'GET',
  path: '/v1/space/:id/team',
  access: 'team.read',
  summary: 'The people of an account, and the roles that they may have',
  params,
  output: named(
    'Team',
    z.object({
      people: z.array(teamMember),
      roles: z.array(z.enum(ROLES)).check(z.describe('That the caller may give to people of this account')),
      most: z.number().check(z.describe('Most people who are active or invited')),
    }),
  ),
  reads: [],
})

export const invitePerson = endpoint({
  id: 'team.invite',
  method: 'POST',
  path: '/v1/space/:id/team/invite',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Invite a person by mail, for 72 hours: a new one sets a password, and a user of another account accepts signed in',
  params,
  body: 'json',
  input: z.object({
    email: z.string().check(z.maxLength(300)),
    first_name: z.string().check(z.maxLength(300)),
    last_name: z.string().check(z.maxLength(300)),
    roles,
  }),
  output: z.object({ member: z.nullable(teamMember), approval_id, position }),
  reads: [],
  write: true,
})

export const repeatInvitation = endpoint({
  id: 'team.resend',
  method: 'POST',
  path: '/v1/space/:id/team/:person/resend',
  access: 'team.manage',
  summary: 'Mail the invitation again, with a new link',
  params: personParams,
  output: member,
  reads: [],
  write: true,
})

export const withdrawInvitation = endpoint({
  id: 'team.withdraw',
  stops: true,
  method: 'POST',
  path: '/v1/space/:id/team/:person/withdraw',
  access: 'team.manage',
  summary: 'Take an invitation back before it is accepted: its link ends',
  params: personParams,
  output: z.object({ id: z.string(), position }),
  reads: [],
  write: true,
})

export const changeRoles = endpoint({
  id: 'team.roles',
  perDay: { of: 'target', name: 'team', limit: 100 },
  method: 'POST',
  path: '/v1/space/:id/team/:person/roles',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Give a person other roles: they sign in again. The own roles cannot be changed, and an owner stays',
  params: personParams,
  body: 'json',
  input: z.object({ roles }),
  output: memberOrWaiting,
  reads: [],
  write: true,
})

const right = z.enum(SINGLE_RIGHT_NAMES)

export const grantRight = endpoint({
  id: 'team.grantRight',
  perDay: { of: 'target', name: 'team', limit: 100 },
  method: 'POST',
  path: '/v1/space/:id/team/:person/rights',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Grant a person one right beyond their roles, for good or until an instant; or give back one of theirs that was taken',
  params: personParams,
  body: 'json',
  input: z.object({ right, until: z.nullable(z.string().check(z.maxLength(40), z.describe('An instant; null for no end'))) }),
  output: memberOrWaiting,
  reads: [],
  write: true,
})

export const takeRight = endpoint({
  id: 'team.takeRight',
  stops: true,
  method: 'POST',
  path: '/v1/space/:id/team/:person/rights/take',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Take one right from a person within 5 s: one that was granted, or one of their roles',
  params: personParams,
  body: 'json',
  input: z.object({ right }),
  output: member,
  reads: [],
  write: true,
})

export const deactivatePerson = endpoint({
  id: 'team.deactivate',
  stops: true,
  method: 'POST',
  path: '/v1/space/:id/team/:person/deactivate',
  access: 'team.manage',
  stepUp: 'session',
  summary:
    'End every session, stream and key of a person in this account within 5 s, and keep them out until they are reactivated',
  params: personParams,
  output: member,
  reads: [],
  write: true,
})

export const reactivatePerson = endpoint({
  id: 'team.reactivate',
  perDay: { of: 'target', name: 'team', limit: 100 },
  method: 'POST',
  path: '/v1/space/:id/team/:person/reactivate',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Let a deactivated person sign in again',
  params: personParams,
  output: memberOrWaiting,
  reads: [],
  write: true,
})

export const signPersonOut = endpoint({
  id: 'team.signOut',
  stops: true,
  method: 'POST',
  path: '/v1/space/:id/team/:person/sign-out',
  access: 'team.manage',
  summary: 'End every session, stream and key of another person in this account within 5 s: they sign in again',
  params: personParams,
  output: z.object({ id: z.string(), position }),
  reads: [],
  write: true,
})

export const resetFactor = endpoint({
  id: 'team.resetFactor',
  perDay: { of: 'target', name: 'team', limit: 100 },
  method: 'POST',
  path: '/v1/space/:id/team/:person/reset-second-factor',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Ask that the lost second factor of a person is switched off, once an owner of the white-label confirms it',
  params: personParams,
  body: 'json',
  input: z.object({
    comment: z.string().check(z.minLength(1), z.maxLength(300), z.describe('How you recognised the person')),
  }),
  output: z.object({ approval_id: z.string(), position }),
  reads: [],
  write: true,
})

export const freeSignOn = endpoint({
  id: 'team.freeSignOn',
  method: 'POST',
  path: '/v1/space/:id/team/:person/free-sign-on',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Free a person from the subject of an identity provider, so that another one with their address may sign in as them',
  params: personParams,
  output: memberOrWaiting,
  reads: [],
  write: true,
})

export const handOver = endpoint({
  id: 'team.handOver',
  perDay: { of: 'target', name: 'team', limit: 100 },
  method: 'POST',
  path: '/v1/space/:id/team/:person/hand-over',
  access: 'team.manage',
  stepUp: 'session',
  summary: 'Make another person the owner and take their roles: both sign in again',
  params: personParams,
  output: memberOrWaiting,
  reads: [],
  write: true,
})

/** Invitations of the caller into further accounts (fine print 93). */
export const listInvitations = endpoint({
  id: 'team.invitations',
  method: 'GET',
  path: '/v1/user/invitations',
  access: 'signed-in',
  summary: 'Invitations of the caller into further accounts that can be accepted',
  output: named(
    'AccountInvitations',
    z.object({
      invitations: z.array(
        z.object({
          space_id: z.string(),
          account: z.string(),
          by: z.nullable(z.string()).check(z.describe('The name of who asked; null for staff')),
          until: z.string().check(z.describe('When it ends')),
        }),
      ),
    }),
  ),
  reads: [],
})

export const acceptInvitation = endpoint({
  id: 'team.accept',
  method: 'POST',
  path: '/v1/user/invitations/:id/accept',
  access: 'signed-in',
  summary: 'Accept an invitation into a further account; the id is that of its space. The session stays where it acts',
  params,
  output: z.object({ space_id: z.string(), position }),
  reads: [],
  write: true,
})

export const declineInvitation = endpoint({
  id: 'team.decline',
  method: 'POST',
  path: '/v1/user/invitations/:id/decline',
  access: 'signed-in',
  summary: 'Decline an invitation into a further account, which ends it; the id is that of its space',
  params,
  output: z.object({ space_id: z.string(), position }),
  reads: [],
  write: true,
})

export const TEAM_ENDPOINTS = [
  getTeam,
  invitePerson,
  repeatInvitation,
  withdrawInvitation,
  changeRoles,
  grantRight,
  takeRight,
  deactivatePerson,
  reactivatePerson,
  signPersonOut,
  resetFactor,
  freeSignOn,
  handOver,
  listInvitations,
  acceptInvitation,
  declineInvitation,
]
