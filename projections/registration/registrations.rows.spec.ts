import { describe, it } from 'vitest'
import { REGISTRATION_EVENTS, type RegistrationEvent } from '#domain/registration/registration'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { registrations } from './read-model.ts'

const submitted = (currency: string): RegistrationEvent => ({
  type: 'RegistrationSubmitted',
  data: { whitelabel_id: 'dsp', space_id: 'nile', country: 'EG', currency, by: 'registrant' },
})
const REJECTED: RegistrationEvent = { type: 'RegistrationRejected', data: { comment: null } }
const plain = (type: 'RegistrationApproved' | 'ConfirmationRequested' | 'RegistrationCompleted'): RegistrationEvent => ({
  type,
  data: {},
})
const APPROVED = plain('RegistrationApproved')

describe('a registration', () => {
  it.each<readonly [title: string, events: readonly RegistrationEvent[], row: object]>([
    ['waits since it was submitted', [], { currency: 'USD', status: 'submitted', submitted_at: minute(0) }],
    ['is approved', [APPROVED], { status: 'approved', submitted_at: minute(0) }],
    ['is rejected', [REJECTED], { status: 'rejected' }],
    [
      'waits again, with the newest currency and time, when it is submitted once more',
      [REJECTED, submitted('NGN')],
      { currency: 'NGN', status: 'submitted', submitted_at: minute(2) },
    ],
    [
      'keeps its status when another confirmation mail is asked for',
      [APPROVED, plain('ConfirmationRequested')],
      { status: 'approved' },
    ],
    ['is completed', [APPROVED, plain('RegistrationCompleted')], { status: 'completed' }],
  ])('a registration: %s', (_, events, row) =>
    given(...[submitted('USD'), ...events].map((event) => commit('registration-nadia', event)))
      .project(registrations)
      .shows({ registrations: [{ person_id: 'nadia', whitelabel_id: 'dsp', version: events.length + 1, ...row }] }),
  )

  it('registrations have their own statuses', () =>
    given(
      commit('registration-nadia', submitted('USD')),
      commit('registration-omar', submitted('NGN')),
      commit('registration-nadia', APPROVED),
    )
      .project(registrations)
      .shows({
        registrations: [
          { person_id: 'nadia', status: 'approved' },
          { person_id: 'omar', status: 'submitted', currency: 'NGN' },
        ],
      }))
})

itKeepsTheLaws(registrations)

it('every event that changes the rows of registrations has an example', () =>
  expectExamplesOf(registrations, Object.keys(REGISTRATION_EVENTS)))
