import { type VersionStatus } from './audience-status.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import type { RuleGroup } from '../campaign/content/content.ts'
import { decide, evolve, initial, pinnedVersion, statusOf, type AudienceCommand, type VersionCounts } from './audience.ts'
import { pagesOf, visitorRuleFaults } from './visitor-rules.ts'

const RULES: RuleGroup = { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 2 }] }
const OTHER: RuleGroup = { condition: 'or', rules: RULES.rules }
const place = { space_id: 's', whitelabel_id: 'w' }
const STATIC: AudienceCommand = { type: 'Create', created: { ...place, kind: 'static', name: 'A', rules: null } }
const DYNAMIC: AudienceCommand = { type: 'Create', created: { ...place, kind: 'dynamic', name: 'A', rules: RULES } }
const counts: VersionCounts = { rows: 5, accepted: 3, rejected: 1, duplicates: 1, reasons: { format: 1 } }
const finish = (version: number): AudienceCommand => ({ type: 'FinishVersion', version, counts })
const fail = (version: number): AudienceCommand => ({ type: 'FailVersion', version, code: 181 })
const MORE: AudienceCommand = { type: 'StartVersion' }
const DELETE: AudienceCommand = { type: 'Delete' }
const change = (name: string, rules: RuleGroup | null): AudienceCommand => ({ type: 'Change', name, rules })

const given = givenFor({ decide, evolve, initial })

describe('an audience', () => {
  it.each([
    ['is created with its first version', [], STATIC, ['AudienceCreated', 'AudienceVersionStarted']],
    ['is created once', [STATIC], STATIC, []],
    ['gets its members', [STATIC], finish(1), ['AudienceVersionReady']],
    ['gets the members of a version once', [STATIC, finish(1)], finish(1), []],
    ['does not fail after it is ready', [STATIC, finish(1)], fail(1), []],
    ['does not get members of a version that was never started', [STATIC], finish(2), []],
    ['takes another file while one is processed', [STATIC], MORE, ['AudienceVersionStarted']],
    ['of rules takes no file', [DYNAMIC], MORE, 180],
    ['is renamed', [STATIC], change('B', null), ['AudienceRenamed']],
    ['is not renamed to its own name', [STATIC], change('A', null), []],
    ['of a file takes no rules', [STATIC], change('A', RULES), []],
    [
      'of rules gets a version with other rules',
      [DYNAMIC],
      change('A', OTHER),
      ['AudienceRulesChanged', 'AudienceVersionStarted'],
    ],
    ['of rules gets no version with the same rules', [DYNAMIC], change('A', RULES), []],
    ['is deleted', [STATIC], DELETE, ['AudienceDeleted']],
    ['is not found after its deletion', [STATIC, DELETE], change('B', null), 180],
    ['gets no members after its deletion', [STATIC, DELETE], finish(1), 180],
    ['is not found before its creation', [], DELETE, 180],
  ] as const)('an audience: %s', (_, before, command, expected) => {
    given(before).when(command).then(expected)
  })

  it('numbers its versions without gaps, whatever is asked in whatever order', () => {
    const versions = fc.integer({ min: 1, max: 4 })
    const command = fc.oneof(
      fc.constantFrom(STATIC, DYNAMIC, MORE, change('B', OTHER), change('A', RULES), DELETE),
      versions.map(finish),
      versions.map(fail),
    )
    const seen = { deleted: 0, versions: 0, ready: 0 }
    fc.assert(
      fc.property(fc.array(command, { size: 'max', maxLength: 30 }), (commands) => {
        let life = given()
        let started = 0
        for (const one of commands) {
          const after = life.when(one)
          if (life.state.deleted) expect(after.events).toEqual([])
          for (const event of after.events)
            if (event.type === 'AudienceVersionStarted') expect(event.data.version).toBe((started += 1))
          life = after
        }
        const { state } = life
        expect(state.versions).toHaveLength(started)
        seen.deleted += state.deleted ? 1 : 0
        seen.versions = Math.max(seen.versions, started)
        seen.ready += state.versions.includes('ready') ? 1 : 0
      }),
    )
    expect(seen.deleted).toBeGreaterThan(5)
    expect(seen.versions).toBeGreaterThan(2)
    expect(seen.ready).toBeGreaterThan(5)
  })

  it.each([
    [['processing'], 1],
    [['ready', 'processing'], 1],
    [['ready'], 2],
    [['ready', 'failed'], 2],
    [['failed'], 3],
    [['processing', 'ready'], 2],
    [['processing', 'failed'], 3],
    [['ready', 'processing', 'failed'], 2],
  ] as const)('an audience with the versions %j has the status %s', (versions, status) =>
    expect(statusOf(versions as readonly VersionStatus[])).toBe(status),
  )

  it.each([
    ['2026-01-05', 2],
    ['2026-01-04', 2],
    ['2026-01-02', 1],
    ['2026-01-03', 1],
    ['2025-12-01', 1],
    [null, 1],
  ] as const)('serves a campaign that was approved at %s in version %s', (approvedAt, version) => {
    const ready = [
      { version: 1, at: '2026-01-02' },
      { version: 2, at: '2026-01-04' },
    ]
    expect(pinnedVersion(ready, approvedAt)).toBe(version)
    expect(pinnedVersion([], approvedAt)).toBeNull()
  })
})

describe('rules over visitors', () => {
  it('rules over visitors name what is wrong by its path, and need at least one rule', () => {
    const faultsOf = (...rules: RuleGroup['rules']) => visitorRuleFaults({ condition: 'and', rules }).map(({ path }) => path)
    expect(faultsOf()).toEqual(['rules'])
    expect(faultsOf({ condition: 'or', rules: [] })).toEqual(['rules'])
    expect(faultsOf({ field: 'events_7d', operator: 'is_more_than', value: 1 })).toEqual([])
    expect(faultsOf({ field: 'bid_floor', operator: 'is', value: 1 })).toEqual(['rules.rules[0].field'])
    expect(faultsOf({ field: 'events_7d', operator: 'is_not', value: 1.5 })).toEqual([
      'rules.rules[0].operator',
      'rules.rules[0].value',
    ])
  })

  it('rules over visitors compare a page by its host and by each part of its path', () => {
    expect(pagesOf('https://nile.example/a/b/?x=1')).toEqual(['nile.example', 'nile.example/a', 'nile.example/a/b'])
    expect(pagesOf('nowhere')).toEqual([])
  })
})
