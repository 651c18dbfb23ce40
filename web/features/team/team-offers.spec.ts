import { describe, expect, it } from 'vitest'
import type { TeamMember } from '#contract/team'
import { KARIM, memberWith, staffOf, teamOf } from '@/test/team-fixture'
import { offersFor, rolesAfterHandOver, rolesFor } from './team-offers.ts'

const user = (role: string, id = 'ada') => ({ id, roles: [role], space_id: 'space-1', whitelabel_id: 'dsp' })
const ADA = memberWith()
const INVITED = memberWith({ id: 'noor', state: 'invited', roles: ['ACCOUNTANT'] })

describe('the actions on a person', () => {
  it('the team offers no actions on oneself', () => {
    expect(offersFor(user('USER_OWNER'), teamOf(ADA, KARIM), ADA)).toEqual([])
  })

  it('the team offers no actions to users who may only read', () => {
    expect(offersFor(user('AUDITOR', 'audrey'), staffOf(memberWith({ roles: ['WL_MODERATOR'] })), KARIM)).toEqual([])
  })

  it('the actions on a person repeat and withdraw an invitation, and nothing else of an invited person', () => {
    expect(offersFor(user('USER_OWNER'), teamOf(ADA, INVITED), INVITED)).toEqual(['resend', 'withdraw'])
  })

  it('the actions on a person change, hand over to and deactivate an active person', () => {
    expect(offersFor(user('USER_OWNER'), teamOf(ADA, KARIM), KARIM)).toEqual([
      'roles',
      'rights',
      'handOver',
      'signOut',
      'deactivate',
    ])
  })

  it('the actions on a person reactivate a deactivated person', () => {
    const gone = { ...KARIM, state: 'deactivated' as const }
    expect(offersFor(user('USER_OWNER'), teamOf(ADA, gone), gone)).toEqual(['roles', 'reactivate'])
  })

  it('the actions on a person hand nothing over to a person who is an owner already', () => {
    const second = { ...KARIM, roles: ['USER_OWNER' as const] }
    expect(offersFor(user('USER_OWNER'), teamOf(ADA, second), second)).toEqual(['roles', 'signOut', 'deactivate'])
  })

  it('the actions on a person leave the last owner of an account as they are, also for staff', () => {
    expect(offersFor(user('WL_OWNER', 'olivia'), teamOf(ADA, KARIM), ADA)).toEqual(['lostFactor', 'signOut'])
    expect(offersFor(user('WL_OWNER', 'olivia'), teamOf(ADA, KARIM), KARIM)).toEqual(['roles', 'rights', 'signOut', 'deactivate'])
  })

  it('the actions on a person leave system administrators to each other', () => {
    const admin = memberWith({ id: 'root', roles: ['SYSTEM_ADMIN'] })
    const other = memberWith({ id: 'other', roles: ['SYSTEM_ADMIN'] })
    const owner = memberWith({ id: 'olivia', roles: ['WL_OWNER'] })
    const staff = staffOf(owner, admin, other)
    expect(offersFor(user('WL_OWNER', 'olivia'), staff, admin)).toEqual([])
    const seen = { ...staff, roles: [...staff.roles, 'SYSTEM_ADMIN' as const] }
    expect(offersFor(user('SYSTEM_ADMIN', 'other'), seen, admin)).toEqual(['roles', 'lostFactor', 'signOut', 'deactivate'])
  })

  it('the actions on a person reset the second factor of people who have one and whose home is this account', () => {
    const offered = (changes: Partial<TeamMember>) => {
      const person = { ...KARIM, second_factor: true, ...changes }
      return offersFor(user('USER_OWNER'), teamOf(ADA, person), person).includes('lostFactor')
    }
    expect(offered({})).toBe(true)
    expect(offered({ second_factor: false })).toBe(false)
    expect(offered({ elsewhere: true })).toBe(false)
    expect(offered({ state: 'deactivated' })).toBe(false)
  })
})

it('the roles that a person may get leave out those that they have', () => {
  const moderator = memberWith({ id: 'marek', roles: ['WL_MODERATOR'] })
  const staff = staffOf(memberWith({ roles: ['WL_OWNER'] }), moderator)
  expect(rolesFor(user('WL_OWNER'), staff, moderator)).toEqual(['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'])
})

it('the user has the roles of the other person after handing over', () => {
  expect(rolesAfterHandOver(user('USER_OWNER'), teamOf(ADA, KARIM), KARIM)).toEqual(['ACCOUNTANT'])
})
