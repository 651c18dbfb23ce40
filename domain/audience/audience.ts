import { AUDIENCE_STATUS, type AudienceStatus, type VersionStatus } from './audience-status.ts'
import { type Decision, happened, rejected, unreachable } from '#domain/kit/decision'
import { CATALOGUE, type ErrorCode } from '#domain/kit/errors'
import type { RuleGroup } from '../campaign/content/content.ts'
import { eventDecoder, FIRST, type EventSchemas, type StoredForm } from '../kit/event-schema.ts'
import type { RowRejection } from './identifiers.ts'

/**
 * An audience of an account: its name, its kind and its versions. Members are hashes beside the log: events hold ids and counts
 * alone.
 */

export const AUDIENCE_STREAMS = 'audience-'
export const audienceStream = (id: string): string => `${AUDIENCE_STREAMS}${id}`

export type AudienceKind = 'static' | 'dynamic'

/** Members from which bidders read an audience (fine print 62): in a smaller one, a list of one id above all, people can be singled out. */
export const SMALLEST_SERVED = 100

/** Rows of a file, or visitors that rules were evaluated for. */
export type VersionCounts = {
  readonly rows: number
  /** Members: rows less the rejected and repeated ones. */
  readonly accepted: number
  readonly rejected: number
  readonly duplicates: number
  readonly reasons: { readonly [Reason in RowRejection]?: number }
}

// ── Events ──

type None = Readonly<Record<string, never>>

export type AudienceEvent =
  | {
      readonly type: 'AudienceCreated'
      readonly data: {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly kind: AudienceKind
        readonly name: string
        /** Null for a static audience. */
        readonly rules: RuleGroup | null
      }
    }
  /** A file was received, or rules are new: the members of this version are being determined. */
  | { readonly type: 'AudienceVersionStarted'; readonly data: { readonly version: number } }
  | { readonly type: 'AudienceVersionReady'; readonly data: VersionCounts & { readonly version: number } }
  | { readonly type: 'AudienceVersionFailed'; readonly data: { readonly version: number; readonly code: number } }
  | { readonly type: 'AudienceRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'AudienceRulesChanged'; readonly data: { readonly rules: RuleGroup } }
  | { readonly type: 'AudienceDeleted'; readonly data: None }

export const AUDIENCE_EVENTS: EventSchemas<AudienceEvent> = {
  AudienceCreated: FIRST,
  AudienceVersionStarted: FIRST,
  AudienceVersionReady: FIRST,
  AudienceVersionFailed: FIRST,
  AudienceRenamed: FIRST,
  AudienceRulesChanged: FIRST,
  AudienceDeleted: FIRST,
}

export const decodeAudienceEvent = eventDecoder<AudienceEvent>(AUDIENCE_EVENTS)

// ── State ──

export type AudienceState = {
  readonly exists: boolean
  readonly deleted: boolean
  readonly space_id: string
  readonly whitelabel_id: string
  readonly kind: AudienceKind
  readonly name: string
  readonly rules: RuleGroup | null
  /** By version, from 1: the first element is version 1. */
  readonly versions: readonly VersionStatus[]
}

export const initial: AudienceState = {
  exists: false,
  deleted: false,
  space_id: '',
  whitelabel_id: '',
  kind: 'static',
  name: '',
  rules: null,
  versions: [],
}

export function evolve(state: AudienceState, event: AudienceEvent): AudienceState {
  switch (event.type) {
    case 'AudienceCreated':
      return { ...state, ...event.data, exists: true }
    case 'AudienceVersionStarted':
      return withVersion(state, event.data.version, 'processing')
    case 'AudienceVersionReady':
      return withVersion(state, event.data.version, 'ready')
    case 'AudienceVersionFailed':
      return withVersion(state, event.data.version, 'failed')
    case 'AudienceRenamed':
      return { ...state, name: event.data.name }
    case 'AudienceRulesChanged':
      return { ...state, rules: event.data.rules }
    case 'AudienceDeleted':
      return { ...state, deleted: true }
    default:
      return unreachable(event, state)
  }
}

/** The state of a stored stream. */
export const audienceIn = (history: readonly StoredForm[]): AudienceState =>
  history.map(decodeAudienceEvent).reduce(evolve, initial)

const withVersion = (state: AudienceState, version: number, status: VersionStatus): AudienceState => ({
  ...state,
  versions: Object.assign([...state.versions], { [version - 1]: status }),
})

/** A failed upload leaves the members of the version before it. */
export function statusOf(versions: readonly VersionStatus[]): AudienceStatus {
  if (versions.at(-1) === 'processing') return AUDIENCE_STATUS.processing
  return versions.includes('ready') ? AUDIENCE_STATUS.ready : AUDIENCE_STATUS.failed
}

/** The version a campaign uses: the newest that was ready when it was approved, else the first one that was ready. Null without one. */
export function pinnedVersion(
  ready: readonly { readonly version: number; readonly at: string }[],
  approvedAt: string | null,
): number | null {
  const before = ready.filter(({ at }) => approvedAt !== null && at <= approvedAt).map(({ version }) => version)
  if (before.length > 0) return Math.max(...before)
  return ready.length === 0 ? null : Math.min(...ready.map(({ version }) => version))
}

// ── Commands ──

export type AudienceCommand =
  | { readonly type: 'Create'; readonly created: Extract<AudienceEvent, { type: 'AudienceCreated' }>['data'] }
  /** Another file of a static audience. */
  | { readonly type: 'StartVersion' }
  | { readonly type: 'FinishVersion'; readonly version: number; readonly counts: VersionCounts }
  | { readonly type: 'FailVersion'; readonly version: number; readonly code: ErrorCode }
  | { readonly type: 'Change'; readonly name: string; readonly rules: RuleGroup | null }
  | { readonly type: 'Delete' }

const missing: Decision<AudienceEvent> = rejected(180, [{ path: 'id', code: 180, message: CATALOGUE[180].message }])

/** An audience that was deleted is not found any longer (180). A version is finished once. */
export function decide(command: AudienceCommand, state: AudienceState): Decision<AudienceEvent> {
  if (command.type === 'Create')
    return state.exists ? happened() : happened({ type: 'AudienceCreated', data: command.created }, started(1))
  if (!state.exists || state.deleted) return missing
  switch (command.type) {
    case 'StartVersion':
      return state.kind === 'static' ? happened(started(state.versions.length + 1)) : missing
    case 'FinishVersion':
      return isOpen(state, command.version)
        ? happened({ type: 'AudienceVersionReady', data: { version: command.version, ...command.counts } })
        : happened()
    case 'FailVersion':
      return isOpen(state, command.version)
        ? happened({ type: 'AudienceVersionFailed', data: { version: command.version, code: command.code } })
        : happened()
    case 'Change':
      return happened(...changes(command, state))
    case 'Delete':
      return happened({ type: 'AudienceDeleted', data: {} })
    default:
      return unreachable(command, happened())
  }
}

const started = (version: number): AudienceEvent => ({ type: 'AudienceVersionStarted', data: { version } })
const isOpen = ({ versions }: AudienceState, version: number): boolean => versions[version - 1] === 'processing'

function changes({ name, rules }: Extract<AudienceCommand, { type: 'Change' }>, state: AudienceState): readonly AudienceEvent[] {
  const renamed: readonly AudienceEvent[] = name === state.name ? [] : [{ type: 'AudienceRenamed', data: { name } }]
  const isSame = rules === null || JSON.stringify(rules) === JSON.stringify(state.rules)
  if (state.kind === 'static' || isSame) return renamed
  return [...renamed, { type: 'AudienceRulesChanged', data: { rules } }, started(state.versions.length + 1)]
}
