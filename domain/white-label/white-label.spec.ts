import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { contrastOf, ON_PRIMARY, shownColor } from './palette.ts'
import {
  BUILT_IN_IDS,
  decide,
  evolve,
  initial,
  whiteLabelOf,
  type Branding,
  type WhiteLabelCommand,
  type WhiteLabelSettings,
  type WhiteLabelState,
} from './white-label.ts'

const given = (id: string, ...past: readonly WhiteLabelCommand[]) =>
  givenFor({ decide: (command: WhiteLabelCommand, state) => decide(id, command, state), evolve, initial })(past)
const ng = (state: WhiteLabelState) => whiteLabelOf('ng', state)
const NOW = '2026-07-01T00:00:00.000Z'
const created: WhiteLabelCommand = { type: 'CreateWhiteLabel', name: 'Acme Ads', timezoneOffsetSeconds: 7200 }
const branded = (branding: Partial<Branding>, logoUsable = true): WhiteLabelCommand => ({
  type: 'ChangeWhiteLabel',
  branding,
  settings: {},
  now: NOW,
  logoUsable,
  from: null,
})
const set = (settings: Partial<WhiteLabelSettings>, from: string | null = null): WhiteLabelCommand => ({
  type: 'ChangeWhiteLabel',
  branding: {},
  settings,
  now: NOW,
  logoUsable: true,
  from,
})
const suspend = (reason: string): WhiteLabelCommand => ({ type: 'SuspendWhiteLabel', reason })
const RESTORE: WhiteLabelCommand = { type: 'RestoreWhiteLabel' }

describe('a white-label', () => {
  it.each(BUILT_IN_IDS)('%s exists without an event, and cannot be created', (id) => {
    const { state, when } = given(id)
    const built = { id, name: 'Placard', primary_color: null, suspended: false, default_locale: 'en_US' }
    expect(whiteLabelOf(id, state)).toMatchObject(built)
    when(created).then(2, 'id:whiteLabelTaken')
  })

  it('a white-label has the time zone of its country', () => {
    const offsets = ['dsp', 'am', 'ng', 'tn'].map((id) => whiteLabelOf(id, initial)?.timezone_offset_seconds)
    expect(offsets).toEqual([0, 14_400, 3600, 3600])
  })

  it('a white-label that is neither built in nor created is unknown', () => {
    expect(whiteLabelOf('acme', initial)).toBeNull()
    for (const command of [branded({ name: 'A' }), suspend(''), RESTORE]) given('acme').when(command).then(170)
  })

  it('a white-label is created once', () => {
    const { state, when } = given('acme', created)
    expect(whiteLabelOf('acme', state)).toMatchObject({ id: 'acme', name: 'Acme Ads', timezone_offset_seconds: 7200 })
    when(created).then(2, 'id:whiteLabelTaken')
  })

  it('a white-label is not created under the name of a server, without a name, or in an impossible time zone', () => {
    given('www')
      .when({ type: 'CreateWhiteLabel', name: ' ', timezoneOffsetSeconds: 61 })
      .then(2, 'id:hostLabel', 'name:required', 'timezone_offset_seconds:timezone')
  })

  it('records only the fields that changed', () => {
    const help_url = 'https://help.nile.example'
    given('ng', branded({ primary_color: '#1F7A4D', name: ' Nile ' }))
      .when(branded({ primary_color: '#1f7a4d', name: 'Nile', help_url }))
      .then([{ type: 'WhiteLabelBrandingChanged', data: { help_url } }])
      .when(branded({ help_url }))
      .then([])
  })

  it('names every fault of a change at once, and records nothing of it', () => {
    const wrong = {
      name: 'Nile\nBcc: all@nile.example',
      primary_color: 'red',
      warning_color: '#12345',
      term_of_service_url: 'javascript:alert(1)',
      help_url: 'https://user@nile.example',
      timezone_offset_seconds: 100,
      logo_file_id: 'unknown',
      default_locale: 'de_DE' as 'en_US',
    }
    const { state } = given('ng')
      .when(branded(wrong, false))
      .then(
        2,
        'name:hidden',
        'timezone_offset_seconds:timezone',
        'primary_color:hexColor',
        'warning_color:hexColor',
        'term_of_service_url:publicUrl',
        'help_url:publicUrl',
        'default_locale:notAllowed',
        'logo_file_id:notAnImage',
      )
    expect(state).toEqual(initial)
  })

  it('allows API keys of 1 to 366 whole days, or the 90 of the product', () => {
    let life = given('ng')
    for (const days of [0, 1.5, 367, -1, Number.NaN]) life.when(set({ api_key_days: days })).then(2, 'api_key_days:keyDays')
    for (const days of [1, 366, null]) {
      life = life.when(set({ api_key_days: days })).then(['WhiteLabelSettingsChanged'])
      expect(ng(life.state)?.settings.api_key_days).toBe(days)
    }
  })

  it('ends idle sessions of staff after 5 to 1440 whole minutes, or never', () => {
    let life = given('ng')
    for (const minutes of [0, 4, 4.5, 1441, -5, Number.NaN])
      life.when(set({ staff_idle_minutes: minutes })).then(2, 'staff_idle_minutes:idleMinutes')
    for (const minutes of [5, 1440, null]) {
      life = life.when(set({ staff_idle_minutes: minutes })).then(['WhiteLabelSettingsChanged'])
      expect(ng(life.state)?.settings.staff_idle_minutes).toBe(minutes)
    }
  })

  it('lets staff in from networks that it can read, of which the caller is in one', () => {
    const { when } = given('ng')
    const networks = (staff_networks: readonly string[], from: string | null = null) => set({ staff_networks }, from)
    for (const unreadable of ['office', '10.0.0.0/33', '10.0.0.9-10.0.0.1', '10.0.0.1-::1', '300.1.1.1', '10.0.0.0/8, 192.0.2.1'])
      when(networks(['192.0.2.0/24', unreadable])).then(2, 'staff_networks:networks')
    const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
    when(networks(many(51))).then(2, 'staff_networks:tooManyNetworks')
    when(networks(['192.0.2.0/24'], '198.51.100.7')).then(2, 'staff_networks:ownAddress')
    when(networks(['192.0.2.0/24'], 'unknown')).then(2, 'staff_networks:ownAddress')
    const allowed = when(networks([' 192.0.2.0/24 ', '', '2001:db8::/32', '192.0.2.0/24'], '::ffff:192.0.2.200'))
    expect(ng(allowed.state)?.settings.staff_networks).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    allowed.when(networks(['192.0.2.0/24', '2001:db8::/32 '], '2001:db8::1%eth0')).then([])
    const full = allowed.when(networks(many(50))).then(['WhiteLabelSettingsChanged'])
    const none = full.when(networks([], '198.51.100.7')).then(['WhiteLabelSettingsChanged'])
    expect(ng(none.state)?.settings.staff_networks).toEqual([])
  })

  it('returns to the defaults of the product by empty fields', () => {
    const { state } = given(
      'ng',
      branded({ primary_color: '#1f7a4d', help_url: 'https://help.nile.example' }),
      branded({ primary_color: null, help_url: '' }),
    )
    expect(ng(state)).toMatchObject({ primary_color: null, help_url: null })
  })

  it('a white-label is suspended and restored, each once', () => {
    const suspended = given('ng').when(suspend(' unpaid ')).then(['WhiteLabelSuspended'])
    expect(ng(suspended.state)?.suspended).toBe(true)
    suspended.when(suspend('again')).then([])
    suspended.when(RESTORE).then(['WhiteLabelRestored']).when(RESTORE).then([])
  })

  it('dsp is never suspended: its administrator would be locked out', () => {
    given('dsp').when(suspend('')).then(3)
  })

  it('records a choice that the installation may make otherwise, even where it says what holds', () => {
    const choice = set({ second_factor_required: false, own_approval: false, invoice_automatically: false })
    given('dsp')
      .when(choice)
      .then([{ type: 'WhiteLabelSettingsChanged', data: { second_factor_required: false, own_approval: false } }])
      .when(choice)
      .then([])
  })

  it('a white-label has valid fields after any commands, and a repeated command records nothing', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom('', '#1f7a4d', 'https://nile.example/t'))
    const branding = fc.record(
      {
        name: text,
        primary_color: fc.option(text),
        gauge_color: fc.option(text),
        help_url: fc.option(text),
        logo_file_id: fc.option(text),
        timezone_offset_seconds: fc.oneof(fc.integer(), fc.constantFrom(0, 3600, -43_200, 50_400)),
      },
      { requiredKeys: [] },
    )
    const command = fc.oneof(
      fc.record({
        type: fc.constant('ChangeWhiteLabel' as const),
        branding,
        settings: fc.record({ own_approval: fc.boolean(), second_factor_required: fc.boolean() }, { requiredKeys: [] }),
        now: fc.constant(NOW),
        logoUsable: fc.boolean(),
        from: fc.constant(null),
      }),
      fc.record({ type: fc.constant('SuspendWhiteLabel' as const), reason: text }),
      fc.constant({ type: 'RestoreWhiteLabel' as const }),
    )
    fc.assert(
      fc.property(fc.constantFrom('dsp', 'ng'), fc.array(command, { maxLength: 12, size: 'max' }), (id, commands) => {
        let life = given(id)
        for (const one of commands) {
          const after = life.when(one)
          if (after.refusal === null) after.when(one).then([])
          life = after
        }
        const label = whiteLabelOf(id, life.state)
        expect(label?.name.trim()).not.toBe('')
        expect(label?.name).not.toMatch(/[\r\n]/)
        for (const color of [label?.primary_color, label?.gauge_color]) if (color) expect(color).toMatch(/^#[0-9a-f]{6}$/)
        if (label?.help_url) expect(label.help_url).toMatch(/^https?:/)
        expect(Math.abs(label?.timezone_offset_seconds ?? 0)).toBeLessThanOrEqual(14 * 3600)
        if (id === 'dsp') expect(label?.suspended).toBe(false)
      }),
    )
  })
})

describe('the shown primary colour', () => {
  it('keeps white text at 4.5:1 in both themes, whatever colour is chosen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xff_ff_ff }),
        fc.constantFrom('light' as const, 'dark' as const),
        (number, theme) => {
          const chosen = `#${number.toString(16).padStart(6, '0')}`
          expect(contrastOf(ON_PRIMARY, shownColor('primary', theme, chosen))).toBeGreaterThanOrEqual(4.5)
        },
      ),
      {
        numRuns: 1000,
        examples: [
          [0xff_ff_ff, 'light'],
          [0xff_ff_00, 'light'],
          [0, 'dark'],
        ],
      },
    )
  })

  it('the shown primary colour is the chosen one where that is dark enough', () => {
    expect(shownColor('primary', 'light', '#1f5a3d')).toBe('#1f5a3d')
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  })
})
