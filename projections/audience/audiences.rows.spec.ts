import { describe, it } from 'vitest'
import { AUDIENCE_EVENTS, type AudienceEvent } from '#domain/audience/audience'
import type { RuleGroup } from '#domain/campaign/content/content'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { audiences } from './read-model.ts'

const rules = (value: number): RuleGroup => ({
  condition: 'and',
  rules: [{ field: 'events_7d', operator: 'is_more_than', value: String(value) }],
})
const made = (name: string, by: RuleGroup | null = null): AudienceEvent => ({
  type: 'AudienceCreated',
  data: { space_id: 'nile', whitelabel_id: 'dsp', kind: by === null ? 'static' : 'dynamic', name, rules: by },
})
const started = (version: number): AudienceEvent => ({ type: 'AudienceVersionStarted', data: { version } })
const COUNTS = { rows: 10, accepted: 7, rejected: 2, duplicates: 1, reasons: { empty: 2 } }
const ready = (version: number): AudienceEvent => ({ type: 'AudienceVersionReady', data: { version, ...COUNTS } })
const failed = (version: number): AudienceEvent => ({ type: 'AudienceVersionFailed', data: { version, code: 182 } })

/** An audience, each event in a commit of its own. */
const audience = (...events: readonly AudienceEvent[]) =>
  given(...events.map((event) => commit('audience-a', event))).project(audiences)

describe('an audience', () => {
  it('shows its name, its kind and who made it', () =>
    given(commit('audience-a', made('Visitors of MAY'), { actor: 'bola' }))
      .project(audiences)
      .shows({
        audiences: [
          {
            id: 'a',
            space_id: 'nile',
            whitelabel_id: 'dsp',
            kind: 'static',
            name: 'Visitors of MAY',
            search_name: 'visitors of may',
            rules: null,
            ready: null,
            created_by: 'bola',
            created_at: minute(0),
            updated_at: minute(0),
            version: 1,
          },
        ],
        audience_versions: [],
      }))

  it.each<readonly [title: string, events: readonly AudienceEvent[], row: object]>([
    ['has no version that is ready while the first is processed', [started(1)], { ready: null, status: 1 }],
    ['has its newest version that is ready', [started(1), ready(1), started(2), ready(2)], { ready: 2, status: 2 }],
    ['keeps the version that is ready while another is processed', [started(1), ready(1), started(2)], { ready: 1 }],
    ['keeps the version that is ready when another fails', [started(1), ready(1), started(2), failed(2)], { ready: 1 }],
    ['has no version that is ready when the first fails', [started(1), failed(1)], { ready: null, status: 3 }],
    [
      'has its new name, and when it was changed',
      [{ type: 'AudienceRenamed', data: { name: 'Guests' } }],
      { name: 'Guests', search_name: 'guests', created_at: minute(0), updated_at: minute(1) },
    ],
    ['has its new rules', [{ type: 'AudienceRulesChanged', data: { rules: rules(9) } }], { rules: rules(9) }],
  ])('an audience: %s', (_, events, row) =>
    audience(made('Visitors', rules(1)), ...events).shows({ audiences: [{ kind: 'dynamic', ...row }] }),
  )

  it('an audience has no row once it is deleted, and neither have its versions', () =>
    audience(made('Visitors'), started(1), ready(1), { type: 'AudienceDeleted', data: {} }).shows({
      audiences: [],
      audience_versions: [],
    }))
})

describe('a version of an audience', () => {
  it('a version of an audience has the rules that it was made with, its author and its time', () =>
    audience(
      made('Visitors', rules(1)),
      started(1),
      { type: 'AudienceRulesChanged', data: { rules: rules(9) } },
      started(2),
    ).shows({
      audience_versions: [
        {
          audience_id: 'a',
          version: 1,
          status: 'processing',
          rules: rules(1),
          started_by: 'ada',
          started_at: minute(1),
          finished_at: null,
        },
        {
          audience_id: 'a',
          version: 2,
          status: 'processing',
          rules: rules(9),
          started_at: minute(3),
          rows: 0,
          accepted: 0,
          code: null,
        },
      ],
    }))

  it('a version of an audience that is ready has its counts', () =>
    audience(made('Visitors'), started(1), ready(1)).shows({
      audience_versions: [{ version: 1, status: 'ready', ...COUNTS, code: null, finished_at: minute(2) }],
    }))

  it('a version of an audience that failed has the code of the fault', () =>
    audience(made('Visitors'), started(1), ready(1), started(2), failed(2)).shows({
      audience_versions: [
        { version: 1, status: 'ready' },
        { version: 2, status: 'failed', code: 182, rows: 0, finished_at: minute(4) },
      ],
    }))
})

// Those of the golden corpus are deleted in the end.
itKeepsTheLaws(audiences, [commit('audience-a', made('Visitors', rules(1))), commit('audience-a', [started(1), ready(1)])])

it('every event that changes the rows of audiences has an example', () =>
  expectExamplesOf(audiences, Object.keys(AUDIENCE_EVENTS)))
