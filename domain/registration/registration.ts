import { type Decision, happened, rejected, unreachable } from '#domain/kit/decision'
import { CATALOGUE, type ErrorCode } from '#domain/kit/errors'
import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'

/** A person's registration, from the form to the password (decisions G-180). Names and addresses are in the person's record. */

export const REGISTRATION_STREAMS = 'registration-'
export const registrationStream = (personId: string): string => `${REGISTRATION_STREAMS}${personId}`

// ── Events ──

export type RegistrationEvent =
  | {
      readonly type: 'RegistrationSubmitted'
      readonly data: {
        readonly whitelabel_id: string
        /** The account that an approval opens. */
        readonly space_id: string
        readonly country: string
        readonly currency: string
        /** Author of the form. */
        readonly by: 'registrant' | 'staff'
      }
    }
  | { readonly type: 'RegistrationApproved'; readonly data: Readonly<Record<string, never>> }
  /** The comment is personal data of the registrant: a token, or null without one. */
  | { readonly type: 'RegistrationRejected'; readonly data: { readonly comment: string | null } }
  /** Staff asked for another confirmation mail. */
  | { readonly type: 'ConfirmationRequested'; readonly data: Readonly<Record<string, never>> }
  | { readonly type: 'RegistrationCompleted'; readonly data: Readonly<Record<string, never>> }

export const REGISTRATION_EVENTS: EventSchemas<RegistrationEvent> = {
  RegistrationSubmitted: FIRST,
  RegistrationApproved: FIRST,
  RegistrationRejected: FIRST,
  ConfirmationRequested: FIRST,
  RegistrationCompleted: FIRST,
}

export const decodeRegistrationEvent = eventDecoder<RegistrationEvent>(REGISTRATION_EVENTS)

// ── State ──

export type RegistrationStatus = 'none' | 'submitted' | 'approved' | 'rejected' | 'completed'

export type RegistrationState = {
  readonly status: RegistrationStatus
  readonly whitelabel_id: string
  readonly space_id: string
  readonly currency: string
  readonly by: 'registrant' | 'staff'
  /** How often the form was submitted. */
  readonly submissions: number
  /** Confirmation mails that are due: one for an approval, and one for each later request. */
  readonly confirmations: number
}

export const initial: RegistrationState = {
  status: 'none',
  whitelabel_id: '',
  space_id: '',
  currency: 'USD',
  by: 'registrant',
  submissions: 0,
  confirmations: 0,
}

export function evolve(state: RegistrationState, event: RegistrationEvent): RegistrationState {
  switch (event.type) {
    case 'RegistrationSubmitted': {
      const { whitelabel_id, space_id, currency, by } = event.data
      return { ...state, status: 'submitted', whitelabel_id, space_id, currency, by, submissions: state.submissions + 1 }
    }
    case 'RegistrationApproved':
      return { ...state, status: 'approved', confirmations: state.confirmations + 1 }
    case 'RegistrationRejected':
      return { ...state, status: 'rejected' }
    case 'ConfirmationRequested':
      return { ...state, confirmations: state.confirmations + 1 }
    case 'RegistrationCompleted':
      return { ...state, status: 'completed' }
    default:
      return unreachable(event, state)
  }
}

// ── Commands ──

type Submission = Extract<RegistrationEvent, { type: 'RegistrationSubmitted' }>['data']

export type RegistrationCommand =
  | { readonly type: 'Submit'; readonly submission: Submission }
  /** Staff add an account, which needs no screening. */
  | { readonly type: 'Add'; readonly submission: Submission }
  | { readonly type: 'Approve'; readonly personId: string; readonly actor: string }
  | { readonly type: 'Reject'; readonly personId: string; readonly actor: string; readonly comment: string | null }
  | { readonly type: 'RequestConfirmation' }
  | { readonly type: 'Complete' }
  /** Records nothing: the answer holds the state. */
  | { readonly type: 'Read' }

const refused = (code: ErrorCode): Decision<RegistrationEvent> =>
  rejected(code, [{ path: 'id', code, message: CATALOGUE[code].message }])

/**
 * A form is submitted once, and again after a rejection. A rejection can be reversed by an approval; an approval stands. Refuses a
 * registration that does not exist (161), one that is decided or completed already (162), one that no confirmation was sent for
 * (163), and a decision about oneself (3).
 */
export function decide(command: RegistrationCommand, state: RegistrationState): Decision<RegistrationEvent> {
  const { status } = state
  switch (command.type) {
    case 'Submit':
      if (status !== 'none' && status !== 'rejected') return happened()
      return happened({ type: 'RegistrationSubmitted', data: command.submission })
    case 'Add':
      if (status !== 'none') return happened()
      return happened({ type: 'RegistrationSubmitted', data: command.submission }, { type: 'RegistrationApproved', data: {} })
    case 'Approve':
      if (status === 'none') return refused(161)
      if (command.actor === command.personId) return refused(3)
      return status === 'submitted' || status === 'rejected' ? happened({ type: 'RegistrationApproved', data: {} }) : refused(162)
    case 'Reject':
      if (status === 'none') return refused(161)
      if (command.actor === command.personId) return refused(3)
      if (status === 'rejected') return happened()
      return status === 'submitted'
        ? happened({ type: 'RegistrationRejected', data: { comment: command.comment } })
        : refused(162)
    case 'RequestConfirmation':
      if (status === 'none') return refused(161)
      if (status === 'completed') return refused(162)
      return status === 'approved' ? happened({ type: 'ConfirmationRequested', data: {} }) : refused(163)
    case 'Complete':
      return status === 'approved' ? happened({ type: 'RegistrationCompleted', data: {} }) : happened()
    case 'Read':
      return happened()
    default:
      return unreachable(command, happened())
  }
}
