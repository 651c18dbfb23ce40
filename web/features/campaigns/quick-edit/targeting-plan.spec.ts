import { array, assert, boolean, constantFrom, property, record, subarray, uniqueArray, type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUDIENCE_LANGUAGES, codesOf, CONNECTION_TYPES, DEVICE_TYPES } from '#domain/campaign/content/options'
import { campaignWith } from '@/test/campaign-form'
import { EVERY_HOUR, hoursOf, scheduleOf, type Scheduled } from './hours-list.ts'
import { LIST_HOWS, listOf, PARTS, targetingPlan, type Targeted, type TargetingChange } from './targeting-plan.ts'

const CITIES = ['lagos', 'kano', 'ibadan', 'abuja', 'jos']
const base = campaignWith({ country: 'NG' })

const contentWith = (
  targeting: Partial<Targeted['targeting']>,
  placement: Partial<Targeted['placement']> = {},
  scheduled: Partial<Scheduled> = {},
): Targeted => ({
  ...base,
  ...scheduled,
  country: 'NG',
  targeting: { ...base.targeting, automaticTargeting: false, ...targeting },
  placement: { ...base.placement, ...placement },
})

const contents: Arbitrary<Targeted> = record({
  cities: uniqueArray(constantFrom(...CITIES)),
  languages: subarray([...AUDIENCE_LANGUAGES]),
  connections: uniqueArray(constantFrom(...CONNECTION_TYPES)),
  appLanguages: subarray([...AUDIENCE_LANGUAGES]),
  device: constantFrom(...codesOf(DEVICE_TYPES)),
  automatic: boolean(),
  interests: array(constantFrom('cars', 'food'), { maxLength: 2 }),
  on: boolean(),
  hours: subarray([...EVERY_HOUR]),
  cap: constantFrom(null, 3),
}).map(({ cities, languages, connections, appLanguages, device, automatic, interests, on, hours, cap }) =>
  contentWith(
    {
      automaticTargeting: automatic,
      city_ids: cities,
      target_languages: languages,
      connection_types: connections,
      interests: { includeAny: interests, include: [], exclude: [] },
    },
    { languages: appLanguages, device_type_key: device, included_apps: interests },
    { freq_and_scheduling_on: on, scheduling: scheduleOf(hours), frequency_cap: { '1': cap, '2': null, '3': null } },
  ),
)

const changes: Arbitrary<TargetingChange> = constantFrom(...PARTS).chain((part) => {
  const offered = {
    cities: CITIES,
    languages: [...AUDIENCE_LANGUAGES],
    connections: [...CONNECTION_TYPES],
    appLanguages: [...AUDIENCE_LANGUAGES],
    device: Object.values(DEVICE_TYPES),
    hours: EVERY_HOUR,
  }[part]
  return record({
    part: constantFrom(part),
    how: part === 'device' ? constantFrom('replace' as const) : constantFrom(...LIST_HOWS),
    values:
      part === 'hours'
        ? subarray([...EVERY_HOUR], { minLength: 1 })
        : uniqueArray(constantFrom<string>(...offered), { minLength: 1, maxLength: part === 'device' ? 1 : offered.length }),
    country: constantFrom('NG', 'AM', null),
  })
})

/** A content after a save. */
const saved = (content: Targeted, fields: Partial<Targeted>): Targeted => ({ ...content, ...fields })

describe('the plan of a bulk edit of targeting', () => {
  it('the plan of a bulk edit of targeting is undone by what the campaign was, whatever changed', () => {
    let changed = 0
    assert(
      property(contents, changes, (content, change) => {
        const plan = targetingPlan(content, change)
        if (plan.kind !== 'changed') return
        changed += 1
        expect(saved(saved(content, plan.fields), plan.was)).toEqual(content)
      }),
    )
    expect(changed).toBeGreaterThan(5)
  })

  it('does nothing the second time', () => {
    assert(
      property(contents, changes, (content, change) => {
        const plan = targetingPlan(content, change)
        if (plan.kind !== 'changed') return
        const again = targetingPlan(saved(content, plan.fields), change)
        expect(again.kind).toBe('same')
      }),
    )
  })

  // covers FP-109
  it('leaves every other field as it is', () => {
    assert(
      property(contents, changes, (content, change) => {
        const plan = targetingPlan(content, change)
        if (plan.kind !== 'changed') return
        const after = saved(content, plan.fields)
        for (const part of PARTS) if (part !== change.part) expect(listOf(after, part)).toEqual(listOf(content, part))
        expect(after.targeting.interests).toEqual(content.targeting.interests)
        expect(after.placement.included_apps).toEqual(content.placement.included_apps)
        expect(listOf(after, change.part)).toEqual(plan.next)
      }),
    )
  })

  // covers FP-109
  it('keeps the order of values, names each once, and never leaves an empty list', () => {
    assert(
      property(contents, changes, (content, change) => {
        const plan = targetingPlan(content, change)
        if (plan.kind !== 'changed') return
        expect(plan.next.length).toBeGreaterThan(0)
        expect(new Set(plan.next).size).toBe(plan.next.length)
        if (change.part === 'hours') return
        if (change.how === 'replace') expect(plan.next).toEqual(change.values)
        else {
          const kept = plan.now.filter((value) => plan.next.includes(value))
          expect(plan.next.slice(0, kept.length)).toEqual(kept)
        }
        if (change.how === 'add') expect(plan.next.slice(0, plan.now.length)).toEqual(plan.now)
      }),
    )
  })

  const cities = (how: TargetingChange['how'], values: string[], country: string | null = 'NG'): TargetingChange => ({
    part: 'cities',
    how,
    values,
    country,
  })

  it('adds, removes and replaces cities', () => {
    const content = contentWith({ city_ids: ['lagos', 'kano'] })
    expect(targetingPlan(content, cities('add', ['jos', 'lagos']))).toMatchObject({ next: ['lagos', 'kano', 'jos'] })
    expect(targetingPlan(content, cities('remove', ['lagos', 'jos']))).toMatchObject({ next: ['kano'] })
    expect(targetingPlan(content, cities('replace', ['jos']))).toMatchObject({
      now: ['lagos', 'kano'],
      next: ['jos'],
      fields: { targeting: { ...content.targeting, city_ids: ['jos'] } },
    })
    expect(targetingPlan(content, cities('replace', ['kano', 'lagos']))).toMatchObject({ kind: 'same' })
  })

  // covers FP-109
  it('names why a campaign cannot take it', () => {
    const reason = (content: Targeted, change: TargetingChange) => {
      const plan = targetingPlan(content, change)
      return plan.kind === 'refused' ? plan.reason : plan.kind
    }
    expect(reason(contentWith({ automaticTargeting: true, city_ids: ['kano'] }), cities('add', ['jos']))).toBe('automatic')
    expect(reason(contentWith({ city_ids: ['kano'] }), cities('add', ['yerevan'], 'AM'))).toBe('otherCountry')
    expect(reason(contentWith({ city_ids: [] }), cities('add', ['jos']))).toBe('allAlready')
    expect(reason(contentWith({ city_ids: [] }), cities('remove', ['jos']))).toBe('noList')
    expect(reason(contentWith({ city_ids: ['jos'] }), cities('remove', ['jos']))).toBe('nothingLeft')
    expect(targetingPlan(null, cities('add', ['jos']))).toEqual({ kind: 'waiting' })
  })

  it('sets a device, also of automatic targeting', () => {
    const content = contentWith({ automaticTargeting: true }, { device_type_key: 1 })
    const change = { part: 'device', how: 'replace', values: ['android'], country: null } as const
    expect(targetingPlan(content, change)).toMatchObject({
      now: ['all'],
      next: ['android'],
      fields: { placement: { ...content.placement, device_type_key: 4 } },
    })
  })

  const hours = (how: TargetingChange['how'], values: readonly string[]): TargetingChange => ({
    part: 'hours',
    how,
    values,
    country: null,
  })
  const MORNING = EVERY_HOUR.filter((hour) => /-0[6-9]$/.test(hour))

  // covers FP-109
  it('takes hours from a campaign that runs at every hour, and adds none to it', () => {
    const always = contentWith({ automaticTargeting: true }, {}, { freq_and_scheduling_on: true, scheduling: scheduleOf([]) })
    expect(targetingPlan(always, hours('remove', MORNING))).toMatchObject({
      kind: 'changed',
      next: EVERY_HOUR.filter((hour) => !MORNING.includes(hour)),
    })
    expect(targetingPlan(always, hours('add', MORNING)).kind).toBe('same')
    expect(targetingPlan(always, hours('remove', EVERY_HOUR))).toMatchObject({ kind: 'refused', reason: 'nothingLeft' })
  })

  // covers FP-109
  it('does not put frequency caps into force that were off, and leaves others as they are', () => {
    const caps = { '1': 7, '2': null, '3': null }
    const off = contentWith({}, {}, { freq_and_scheduling_on: false, scheduling: scheduleOf(['0-00']), frequency_cap: caps })
    expect(hoursOf(off)).toEqual(EVERY_HOUR)
    expect(targetingPlan(off, hours('replace', MORNING))).toMatchObject({
      was: { freq_and_scheduling_on: false, frequency_cap: caps, scheduling: scheduleOf(['0-00']) },
      fields: {
        freq_and_scheduling_on: true,
        frequency_cap: { '1': null, '2': null, '3': null },
        scheduling: scheduleOf(MORNING),
      },
    })
    const on = targetingPlan({ ...off, freq_and_scheduling_on: true }, hours('add', ['6-23']))
    expect(on).toMatchObject({ fields: { scheduling: scheduleOf(['6-23', '0-00']) } })
    expect(on.kind === 'changed' && Object.keys(on.fields)).toEqual(['scheduling'])
  })
})
