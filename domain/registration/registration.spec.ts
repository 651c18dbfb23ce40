import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { currenciesOf, faultOf, normalized, registrationFaults, type FormContext, type RegistrationForm } from './form.ts'
import { decide, evolve, initial, type RegistrationCommand } from './registration.ts'

const submission = { whitelabel_id: 'ng', space_id: 's', country: 'NG', currency: 'NGN', by: 'registrant' } as const
const SUBMIT: RegistrationCommand = { type: 'Submit', submission }
const APPROVE: RegistrationCommand = { type: 'Approve', personId: 'p', actor: 'moderator' }
const REJECT: RegistrationCommand = { type: 'Reject', personId: 'p', actor: 'moderator', comment: null }
const RESEND: RegistrationCommand = { type: 'RequestConfirmation' }
const COMPLETE: RegistrationCommand = { type: 'Complete' }
const ADD: RegistrationCommand = { type: 'Add', submission: { ...submission, by: 'staff' } }

const given = givenFor({ decide, evolve, initial })

describe('a registration', () => {
  it.each([
    ['is submitted once', [SUBMIT], SUBMIT, []],
    ['can be submitted again after a rejection', [SUBMIT, REJECT], SUBMIT, ['RegistrationSubmitted']],
    ['is approved', [SUBMIT], APPROVE, ['RegistrationApproved']],
    ['is approved once', [SUBMIT, APPROVE], APPROVE, 162],
    ['is approved even after a rejection', [SUBMIT, REJECT], APPROVE, ['RegistrationApproved']],
    ['is rejected once', [SUBMIT, REJECT], REJECT, []],
    ['is not rejected after an approval', [SUBMIT, APPROVE], REJECT, 162],
    ['that does not exist is not approved', [], APPROVE, 161], // covers ERR-32
    ['that does not exist is not rejected', [], REJECT, 161],
    ['gets another confirmation mail while it waits for completion', [SUBMIT, APPROVE], RESEND, ['ConfirmationRequested']],
    ['gets no confirmation mail before its approval', [SUBMIT], RESEND, 163],
    ['gets no confirmation mail after its completion', [SUBMIT, APPROVE, COMPLETE], RESEND, 162],
    ['is completed', [SUBMIT, APPROVE], COMPLETE, ['RegistrationCompleted']],
    ['is completed once', [SUBMIT, APPROVE, COMPLETE], COMPLETE, []],
    ['is not completed before its approval', [SUBMIT], COMPLETE, []],
    ['that staff add is approved at once', [], ADD, ['RegistrationSubmitted', 'RegistrationApproved']],
    ['that staff add is added once', [ADD], ADD, []],
  ] as const)('a registration: %s', (_, before, command, expected) => {
    given(before).when(command).then(expected)
  })

  it('a registration is not decided by its own person', () => {
    for (const command of [APPROVE, REJECT])
      given(SUBMIT)
        .when({ ...command, actor: 'p' })
        .then(3)
  })

  it('a registration is completed only after an approval, whatever is asked in whatever order', () => {
    const commands = fc.array(fc.constantFrom(SUBMIT, APPROVE, REJECT, RESEND, COMPLETE, ADD), { maxLength: 12, size: 'max' })
    fc.assert(
      fc.property(commands, (asked) => {
        let life = given()
        const seen: string[] = []
        for (const command of asked) {
          const after = life.when(command)
          seen.push(...after.events.map(({ type }) => type))
          // Repeating a command never records a second decision.
          if (command.type !== 'RequestConfirmation') expect(after.when(command).events).toEqual([])
          life = after
        }
        const completed = seen.indexOf('RegistrationCompleted')
        expect(completed === -1 || seen.slice(0, completed).includes('RegistrationApproved')).toBe(true)
        expect(seen.filter((type) => type === 'RegistrationCompleted').length).toBeLessThanOrEqual(1)
        expect(seen.filter((type) => type === 'RegistrationApproved').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the form of a registration', () => {
  const form: RegistrationForm = {
    email: 'Ada@Nile.example ',
    first_name: 'Ada',
    last_name: 'Obi',
    phone: '+234 801 234-5678',
    country: 'NG',
    company_name: '',
    currency: '',
    agree_with_tos: true,
  }
  const context: FormContext = { whitelabelId: 'dsp', by: 'registrant', isCountry: (code) => code === 'NG' }
  const faults = (over: Partial<RegistrationForm>, within: Partial<FormContext> = {}) =>
    registrationFaults({ ...form, ...over }, { ...context, ...within }).map(({ path, key, code }) => `${path} ${key} ${code}`)

  it('the form of a registration is complete without a company and a currency', () => expect(faults({})).toEqual([]))

  it('names every fault at once', () =>
    expect(
      faults({
        first_name: '',
        last_name: 'x',
        phone: 'abc',
        email: 'abc',
        country: 'XX',
        currency: 'EUR',
        agree_with_tos: false,
      }),
    ).toEqual([
      'country countryUnknown 2',
      'first_name required 1301',
      'last_name tooShort 2',
      'phone phone 2',
      'email email 2',
      'currency notAllowed 2',
      'agree_with_tos terms 2',
    ]))

  it.each([
    ['first_name', 'URGENT pay at https://evil.example'],
    ['first_name', 'pay: now'],
    ['last_name', 'a@evil.example'],
    ['last_name', 'evil.example'],
    ['last_name', 'www.evil'],
    ['last_name', 'A\r\nBcc'],
    ['last_name', 'A\u202eb'],
    ['company_name', 'https://evil.example'],
    ['company_name', 'A/B'],
    ['company_name', 'A\r\nBcc: x'],
    ['company_name', '\u2066x'],
  ] as const)('the form of a registration has no address and no hidden sign in its %s: %j', (field, name) =>
    expect(faults({ [field]: name })).toEqual([`${field} plainName 2`]),
  )

  it('takes names with accents and simple signs', () =>
    expect(faults({ company_name: 'Booking.com & Söhne (Ltd.)', first_name: "Anne-Marie O'Neil Jr." })).toEqual([]))

  it('offers NGN and USD on ng, and USD alone elsewhere', () => {
    expect(currenciesOf('ng')).toEqual(['NGN', 'USD'])
    expect([currenciesOf('dsp'), currenciesOf('am'), currenciesOf('tn')]).toEqual([['USD'], ['USD'], ['USD']])
    expect(faults({ currency: 'NGN' })).toEqual(['currency notAllowed 2'])
    expect(faults({ currency: 'NGN' }, { whitelabelId: 'ng' })).toEqual([])
  })

  it('offers AMD to staff of am only', () => {
    expect(faults({ currency: 'AMD' }, { whitelabelId: 'am' })).toEqual(['currency notAllowed 2'])
    expect(faults({ currency: 'AMD' }, { whitelabelId: 'am', by: 'staff' })).toEqual([])
    expect(faults({ currency: 'AMD' }, { whitelabelId: 'ng', by: 'staff' })).toEqual(['currency notAllowed 2'])
  })

  it('the form of a registration is stored trimmed, with the address in lower case and the default currency', () => {
    expect(normalized(form, 'ng')).toMatchObject({ email: 'ada@nile.example', currency: 'NGN' })
    expect(normalized(form, 'dsp')).toMatchObject({ currency: 'USD' })
  })

  it('the form of a registration has no fault in any field once a name has 2 to 300 characters', () => {
    expect(
      ['a'.repeat(300), 'a'.repeat(301)].map((first_name) => faultOf('first_name', { ...form, first_name }, context)),
    ).toEqual([null, 'maxLength'])
  })
})
