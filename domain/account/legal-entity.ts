import type { Fault } from '../kit/errors.ts'
import { fault } from '../kit/faults.ts'
import { isEmail, isShownName } from '../kit/validators.ts'
import { isCountryCode } from '../white-label/invoicing.ts'
import { LEGAL_FIELDS, type LegalField } from './account.ts'

/** The buyer that the invoices of an account name. */
export type LegalEntity = Readonly<Record<LegalField, string>>
export type LegalEntityPatch = { readonly [Field in LegalField]?: string | undefined }

/** The legal entity after a change: fields that are left out stay. */
export function patchedLegalEntity(present: LegalEntity | undefined, patch: LegalEntityPatch): LegalEntity {
  const valueOf = (field: LegalField): string => (patch[field] ?? present?.[field] ?? '').trim()
  return {
    legal_entity_name: valueOf('legal_entity_name'),
    tin_number: valueOf('tin_number'),
    address_line_1: valueOf('address_line_1'),
    address_line_2: valueOf('address_line_2'),
    city: valueOf('city'),
    postal_code: valueOf('postal_code'),
    country: valueOf('country').toUpperCase(),
    invoice_email: valueOf('invoice_email'),
  }
}

export const legalEntityFaults = (entity: LegalEntity): readonly Fault[] => [
  ...LEGAL_FIELDS.filter((field) => !isShownName(entity[field])).map((field) => fault(field, 2, 'shownName')),
  ...(entity.country === '' || isCountryCode(entity.country) ? [] : [fault('country', 2, 'notAllowed')]),
  ...(entity.invoice_email === '' || isEmail(entity.invoice_email) ? [] : [fault('invoice_email', 2, 'notAllowed')]),
]

export const changedLegalFields = (from: LegalEntity | undefined, to: LegalEntity): readonly LegalField[] =>
  LEGAL_FIELDS.filter((field) => to[field] !== (from?.[field] ?? ''))
