import type { Numbering } from '#domain/audience/phone'
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import plans from 'libphonenumber-js/max/metadata'

/** The plans of a country code, one for each of its countries. `lengths` has bit n for national numbers of n digits. */
type CountryCodePlans = { readonly lengths: number; readonly plans: readonly RegExp[] }

/** Places in the library's minified plans (its metadata version 4). */
const CODE = 0
const PATTERN = 2
const LENGTHS = 3
const TRUNK = 5
const TYPES = 11
/** Digits of the longest country code. */
const LONGEST_CODE = 3
const ZERO = 48

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '')

/** A number matches the plan in general and one of its types, such as mobile and fixed line. */
function planOf(minified: readonly unknown[]): RegExp {
  const general = String(minified[PATTERN])
  const types = minified[TYPES]
  const patterns = Array.isArray(types) ? texts(types.map((type: unknown) => (Array.isArray(type) ? type[0] : null))) : []
  return new RegExp(`^(?=(?:${general})$)(?:${(patterns.length === 0 ? [general] : patterns).join('|')})$`)
}

/** Compiled at the first number of a country code. */
function compiled(minified: readonly (readonly unknown[])[]): CountryCodePlans {
  const lengths = minified.flatMap((plan) => (Array.isArray(plan[LENGTHS]) ? plan[LENGTHS].map(Number) : []))
  return { lengths: lengths.reduce((bits, length) => bits | (1 << length), 0), plans: minified.map(planOf) }
}

const minifiedOf = (code: string): readonly (readonly unknown[])[] | null => {
  const { country_calling_codes: countries, nonGeographic } = plans
  const named = Object.hasOwn(countries, code) ? countries[code] : undefined
  if (named !== undefined)
    return named.flatMap((country) => (plans.countries[country] === undefined ? [] : [plans.countries[country]]))
  const other = Object.hasOwn(nonGeographic, code) ? nonGeographic[code] : undefined
  return other === undefined ? null : [other]
}

/** By the number of the country code. */
const known: (CountryCodePlans | null | undefined)[] = []
function plansOf(code: number): CountryCodePlans | null {
  const found = known[code]
  if (found !== undefined) return found
  const minified = minifiedOf(String(code))
  const made = minified === null ? null : compiled(minified)
  known[code] = made
  return made
}

/**
 * Whether digits with their country code are a number of a numbering plan: what the library's `isValidPhoneNumber` says, from its "max" metadata,
 * which knows each kind of number. Its own function takes as long for one number as hashing takes for ten.
 */
function isNumber(digits: string): boolean {
  let code = 0
  for (let length = 1; length <= LONGEST_CODE; length += 1) {
    code = code * 10 + digits.charCodeAt(length - 1) - ZERO
    // No country code begins with 0.
    if (code === 0) return false
    const found = plansOf(code)
    if (found === null) continue
    if ((found.lengths & (1 << (digits.length - length))) === 0) return false
    const national = digits.slice(length)
    for (const plan of found.plans) if (plan.test(national)) return true
    return false
  }
  return false
}

const isCountry = (country: string): country is CountryCode => isSupportedCountry(country)

/** Whether a country, ISO 3166-1 alpha-2 in upper case, has a numbering plan. */
export const hasNumberingPlan = (country: string): boolean => isCountry(country)

/**
 * The digits of a number as people write it: with +, with an international prefix, or in the national form of the country; null for none.
 * Where that form begins with 0, digits without it are none: most would be a number of some town.
 */
function fullNumber(written: string, country: string | null): string | null {
  if (country === null || !isCountry(country)) return parsed(written)?.number.slice(1) ?? null
  const plan: readonly unknown[] = plans.countries[country] ?? []
  const digits = written.replaceAll(/\D/g, '')
  if (written.includes('+') || digits.startsWith('00')) return parsed(written, country)?.number.slice(1) ?? null
  const [trunk = ''] = texts([plan[TRUNK]])
  const hasTrunk = trunk !== '' && digits.startsWith(trunk)
  const mustHave = trunk === '0' && !hasTrunk
  const full = `${String(plan[CODE])}${hasTrunk ? digits.slice(trunk.length) : digits}`
  if (!mustHave && isNumber(full)) return full
  const found = parsed(written, country)
  // Some plans leave the 0 out for mobiles.
  const isNational = !mustHave || found?.formatNational().replaceAll(/\D/g, '') === digits
  return found !== null && isNational ? found.number.slice(1) : null
}

/** By the library, which knows every prefix and takes forty times as long. */
function parsed(written: string, country?: CountryCode): PhoneNumber | null {
  const options = country === undefined ? { extract: false } : { extract: false, defaultCountry: country }
  const found = parsePhoneNumberFromString(written, options)
  return found !== undefined && found.ext === undefined && found.isValid() ? found : null
}

/** The numbering plans of all countries. */
export const numbering: Numbering = { isNumber, fullNumber }
