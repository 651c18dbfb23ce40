import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf, ON_PRIMARY, shownColor } from './palette.ts'
import {
  BUILT_IN_IDS,
  decide as decideWhiteLabel,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  whiteLabelOf,
  type Branding,
  type WhiteLabelCommand,
  type WhiteLabelState,
} from './white-label.ts'

const given = (id: string, ...commands: readonly WhiteLabelCommand[]) => {
  let state: WhiteLabelState = initialWhiteLabel
  const decide = (command: WhiteLabelCommand) => decideWhiteLabel(id, command, state)
  const apply = (command: WhiteLabelCommand) => {
    const decision = decide(command)
    if (decision.kind === 'events') state = decision.events.reduce(evolveWhiteLabel, state)
    return decision
  }
  commands.forEach(apply)
  return { when: apply, label: () => whiteLabelOf(id, state), state: () => state }
}
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
const codes = (decision: ReturnType<typeof decideWhiteLabel>) =>
  decision.kind === 'rejected'
    ? [decision.rejection.code, ...decision.rejection.faults.map(({ path, key }) => `${path}:${key}`)]
    : []
const types = (decision: ReturnType<typeof decideWhiteLabel>) =>
  decision.kind === 'events' ? decision.events.map(({ type }) => type) : decision.rejection

describe('a white-label', () => {
  it.each(BUILT_IN_IDS)('%s exists without an event, and cannot be created', (id) => {
    const { label, when } = given(id)
    expect(label()).toMatchObject({ id, name: 'Placard', primary_color: null, suspended: false, default_locale: 'en_US' })
    expect(codes(when(created))).toContain('id:whiteLabelTaken')
  })

  it('has the time zone of its country', () => {
    expect(['dsp', 'am', 'ng', 'tn'].map((id) => given(id).label()?.timezone_offset_seconds)).toEqual([0, 14_400, 3600, 3600])
  })

  it('that is neither built in nor created is unknown', () => {
    const { label, when } = given('acme')
    expect(label()).toBeNull()
    const commands: readonly WhiteLabelCommand[] = [
      branded({ name: 'A' }),
      { type: 'SuspendWhiteLabel', reason: '' },
      { type: 'RestoreWhiteLabel' },
    ]
    for (const command of commands) expect(codes(when(command))).toEqual([170])
  })

  it('is created once', () => {
    const { when, label } = given('acme', created)
    expect(label()).toMatchObject({ id: 'acme', name: 'Acme Ads', timezone_offset_seconds: 7200 })
    expect(codes(when(created))).toEqual([2, 'id:whiteLabelTaken'])
  })

  it('is not created under the name of a server, without a name, or in an impossible time zone, and every fault is named', () => {
    const decision = decideWhiteLabel(
      'www',
      { type: 'CreateWhiteLabel', name: ' ', timezoneOffsetSeconds: 61 },
      initialWhiteLabel,
    )
    expect(codes(decision)).toEqual([2, 'id:hostLabel', 'name:required', 'timezone_offset_seconds:timezone'])
  })

  it('records only the fields that changed', () => {
    const { when } = given('ng', branded({ primary_color: '#1F7A4D', name: ' Nile ' }))
    expect(when(branded({ primary_color: '#1f7a4d', name: 'Nile', help_url: 'https://help.nile.example' }))).toEqual({
      kind: 'events',
      events: [{ type: 'WhiteLabelBrandingChanged', data: { help_url: 'https://help.nile.example' } }],
    })
    expect(types(when(branded({ help_url: 'https://help.nile.example' })))).toEqual([])
  })

  it('names every fault of a change at once, and records nothing of it', () => {
    const { when, state } = given('ng')
    const decision = when(
      branded(
        {
          name: 'Nile\nBcc: all@nile.example',
          primary_color: 'red',
          warning_color: '#12345',
          term_of_service_url: 'javascript:alert(1)',
          help_url: 'https://user@nile.example',
          timezone_offset_seconds: 100,
          logo_file_id: 'unknown',
          default_locale: 'de_DE' as 'en_US',
        },
        false,
      ),
    )
    expect(codes(decision)).toEqual([
      2,
      'name:hidden',
      'timezone_offset_seconds:timezone',
      'primary_color:hexColor',
      'warning_color:hexColor',
      'term_of_service_url:publicUrl',
      'help_url:publicUrl',
      'default_locale:notAllowed',
      'logo_file_id:notAnImage',
    ])
    expect(state()).toEqual(initialWhiteLabel)
  })

  it('allows API keys of 1 to 366 whole days, or the 90 of the product', () => {
    const { when, label } = given('ng')
    const most = (api_key_days: number | null) =>
      when({ type: 'ChangeWhiteLabel', branding: {}, settings: { api_key_days }, now: NOW, logoUsable: true, from: null })
    for (const days of [0, 1.5, 367, -1, Number.NaN]) expect(codes(most(days)), String(days)).toEqual([2, 'api_key_days:keyDays'])
    expect(label()?.settings.api_key_days).toBe(null)
    for (const days of [1, 366, null]) {
      expect(types(most(days)), String(days)).toEqual(['WhiteLabelSettingsChanged'])
      expect(label()?.settings.api_key_days).toBe(days)
    }
  })

  it('ends idle sessions of staff after 5 to 1440 whole minutes, or never', () => {
    const { when, label } = given('ng')
    const idle = (staff_idle_minutes: number | null) =>
      when({ type: 'ChangeWhiteLabel', branding: {}, settings: { staff_idle_minutes }, now: NOW, logoUsable: true, from: null })
    for (const minutes of [0, 4, 4.5, 1441, -5, Number.NaN])
      expect(codes(idle(minutes)), String(minutes)).toEqual([2, 'staff_idle_minutes:idleMinutes'])
    expect(label()?.settings.staff_idle_minutes).toBe(null)
    for (const minutes of [5, 1440, null]) {
      expect(types(idle(minutes)), String(minutes)).toEqual(['WhiteLabelSettingsChanged'])
      expect(label()?.settings.staff_idle_minutes).toBe(minutes)
    }
  })

  it('lets staff in from networks that it can read, of which the caller is in one', () => {
    const { when, label } = given('ng')
    const networks = (staff_networks: readonly string[], from: string | null = null) =>
      when({ type: 'ChangeWhiteLabel', branding: {}, settings: { staff_networks }, now: NOW, logoUsable: true, from })
    for (const unreadable of ['office', '10.0.0.0/33', '10.0.0.9-10.0.0.1', '10.0.0.1-::1', '300.1.1.1', '10.0.0.0/8, 192.0.2.1'])
      expect(codes(networks(['192.0.2.0/24', unreadable])), unreadable).toEqual([2, 'staff_networks:networks'])
    const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
    expect(codes(networks(many(51)))).toEqual([2, 'staff_networks:tooManyNetworks'])
    expect(codes(networks(['192.0.2.0/24'], '198.51.100.7'))).toEqual([2, 'staff_networks:ownAddress'])
    expect(codes(networks(['192.0.2.0/24'], 'unknown'))).toEqual([2, 'staff_networks:ownAddress'])
    expect(label()?.settings.staff_networks).toEqual([])
    expect(types(networks([' 192.0.2.0/24 ', '', '2001:db8::/32', '192.0.2.0/24'], '::ffff:192.0.2.200'))).toEqual([
      'WhiteLabelSettingsChanged',
    ])
    expect(label()?.settings.staff_networks).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    expect(types(networks(['192.0.2.0/24', '2001:db8::/32 '], '2001:db8::1%eth0'))).toEqual([])
    expect(types(networks(many(50)))).toEqual(['WhiteLabelSettingsChanged'])
    expect(types(networks([], '198.51.100.7'))).toEqual(['WhiteLabelSettingsChanged'])
    expect(label()?.settings.staff_networks).toEqual([])
  })

  it('returns to the defaults of the product by empty fields', () => {
    const { when, label } = given('ng', branded({ primary_color: '#1f7a4d', help_url: 'https://help.nile.example' }))
    when(branded({ primary_color: null, help_url: '' }))
    expect(label()).toMatchObject({ primary_color: null, help_url: null })
  })

  it('is suspended and restored, each once', () => {
    const { when, label } = given('ng')
    expect(types(when({ type: 'SuspendWhiteLabel', reason: ' unpaid ' }))).toEqual(['WhiteLabelSuspended'])
    expect(label()?.suspended).toBe(true)
    expect(types(when({ type: 'SuspendWhiteLabel', reason: 'again' }))).toEqual([])
    expect(types(when({ type: 'RestoreWhiteLabel' }))).toEqual(['WhiteLabelRestored'])
    expect(types(when({ type: 'RestoreWhiteLabel' }))).toEqual([])
  })

  it('dsp is never suspended: its administrator would be locked out', () => {
    expect(codes(given('dsp').when({ type: 'SuspendWhiteLabel', reason: '' }))).toEqual([3])
  })

  it('records a choice that the installation may make otherwise, even where it says what holds', () => {
    const choice = {
      ...branded({}),
      settings: { second_factor_required: false, own_approval: false, invoice_automatically: false },
    }
    const life = given('dsp')
    const first = life.when(choice)
    expect(first.kind === 'events' ? first.events : first).toEqual([
      { type: 'WhiteLabelSettingsChanged', data: { second_factor_required: false, own_approval: false } },
    ])
    expect(types(life.when(choice))).toEqual([])
  })

  it('has valid fields after any commands, and a repeated command records nothing', () => {
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
        const life = given(id)
        for (const one of commands) {
          const first = life.when(one)
          if (first.kind === 'events') expect(types(life.when(one))).toEqual([])
        }
        const label = life.label()
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

  it('is the chosen one where that is dark enough', () => {
    expect(shownColor('primary', 'light', '#1f5a3d')).toBe('#1f5a3d')
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  })
})
