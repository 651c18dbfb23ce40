import { CATALOGUE, type Fault } from '../kit/errors.ts'
import {
  isEmail,
  isGivenIf,
  isLongEnough,
  isPersonName,
  isPhone,
  isPlainName,
  isShortEnough,
  NAME_LENGTH,
} from '../kit/validators.ts'

/** The form of a registration, filled in by a stranger or by staff (platform.md §3 and §5, decisions G-183 to G-188). */
export type RegistrationForm = {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly phone: string
  readonly country: string
  readonly company_name: string
  /** Empty: the first of `currenciesOf`. */
  readonly currency: string
  readonly agree_with_tos: boolean
}

export type FormContext = {
  readonly whitelabelId: string
  /** Staff may offer currencies that strangers may not choose. */
  readonly by: 'registrant' | 'staff'
  readonly isCountry: (isoCode: string) => boolean
}

const OFFERED: Readonly<Record<string, readonly string[]>> = { ng: ['NGN', 'USD'] }
const OFFERED_BY_STAFF: Readonly<Record<string, readonly string[]>> = { ...OFFERED, am: ['USD', 'AMD'] }
const LOCKED = ['USD'] as const

/** Currencies that an account of a white-label may have, the default first; one alone is locked (decisions G-183). */
export const currenciesOf = (whitelabelId: string, by: FormContext['by'] = 'registrant'): readonly string[] =>
  (by === 'staff' ? OFFERED_BY_STAFF : OFFERED)[whitelabelId] ?? LOCKED

/** Sentences of the faults, by translation key. */
export const FORM_SENTENCES = {
  required: 'Field is required.',
  email: 'Please enter a valid email address',
  phone: 'Please enter a phone number of 7 to 15 digits',
  tooShort: 'At least 2 characters are needed',
  plainName: 'Use letters, digits and simple signs only: no addresses and no line breaks',
  maxLength: `Maximum ${NAME_LENGTH} characters allowed!`,
  countryUnknown: 'This country is not known',
  notAllowed: 'This value is not one of those allowed',
  terms: 'Please accept the terms of service',
} as const
export type FormFaultKey = keyof typeof FORM_SENTENCES

const fault = (path: keyof RegistrationForm, key: FormFaultKey, code: 2 | 1301 = 2): Fault => ({
  path,
  code,
  message: FORM_SENTENCES[key] ?? CATALOGUE[code].message,
  key,
  ...(key === 'maxLength' ? { params: { max: NAME_LENGTH } } : {}),
})

/** Every fault of a form, in the order of its fields. */
export function registrationFaults(form: RegistrationForm, context: FormContext): readonly Fault[] {
  return FIELDS.flatMap((field) => {
    const key = faultOf(field, form, context)
    return key === null ? [] : [fault(field, key, key === 'required' ? 1301 : 2)]
  })
}

const FIELDS = [
  'country',
  'company_name',
  'first_name',
  'last_name',
  'phone',
  'email',
  'currency',
  'agree_with_tos',
] as const satisfies readonly (keyof RegistrationForm)[]

/** Every fault of a person's name and address, which others may enter for them. */
export const nameFaults = (person: Readonly<Record<NameField, string>>): readonly Fault[] =>
  (['first_name', 'last_name', 'email'] as const).flatMap((field) => {
    const key = nameFaultOf(field, person[field].trim())
    return key === null ? [] : [fault(field, key, key === 'required' ? 1301 : 2)]
  })
type NameField = 'first_name' | 'last_name' | 'email'

function nameFaultOf(field: NameField, value: string): FormFaultKey | null {
  if (value === '') return 'required'
  if (field === 'email') return isEmail(value) ? null : 'email'
  if (!isLongEnough(value)) return 'tooShort'
  if (!isPersonName(value)) return 'plainName'
  return isShortEnough(value) ? null : 'maxLength'
}

/** The first fault of one field; null when it is fine. Forms show it below the field. */
export function faultOf(field: keyof RegistrationForm, form: RegistrationForm, context: FormContext): FormFaultKey | null {
  if (field === 'agree_with_tos') return form.agree_with_tos ? null : 'terms'
  const value = form[field].trim()
  if (field === 'currency')
    return value === '' || currenciesOf(context.whitelabelId, context.by).includes(value) ? null : 'notAllowed'
  if (field === 'first_name' || field === 'last_name' || field === 'email') return nameFaultOf(field, value)
  if (!isGivenIf(field !== 'company_name', value)) return 'required'
  if (value === '') return null
  if (field === 'country') return context.isCountry(value) ? null : 'countryUnknown'
  if (field === 'phone') return isPhone(value) ? null : 'phone'
  if (!isLongEnough(value)) return 'tooShort'
  if (!isPlainName(value)) return 'plainName'
  return isShortEnough(value) ? null : 'maxLength'
}

/** The form as it is stored: trimmed, the address in lower case, with the default currency. */
export function normalized(form: RegistrationForm, whitelabelId: string): RegistrationForm {
  const [first = 'USD'] = currenciesOf(whitelabelId)
  return {
    email: form.email.trim().toLowerCase(),
    first_name: form.first_name.trim(),
    last_name: form.last_name.trim(),
    phone: form.phone.trim(),
    country: form.country.trim(),
    company_name: form.company_name.trim(),
    currency: form.currency.trim() === '' ? first : form.currency.trim(),
    agree_with_tos: form.agree_with_tos,
  }
}
