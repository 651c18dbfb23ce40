import { expect, it } from 'vitest'
import { changedLegalFields, legalEntityFaults, patchedLegalEntity } from './legal-entity.ts'

const NILE = patchedLegalEntity(undefined, { legal_entity_name: 'Nile Travel', tin_number: '1', country: 'ng' })

it('keeps the fields of a legal entity that a change leaves out', () => {
  const moved = patchedLegalEntity(NILE, { city: ' Lagos ' })
  expect(moved).toEqual({ ...NILE, country: 'NG', city: 'Lagos' })
  expect(changedLegalFields(NILE, moved)).toEqual(['city'])
})

it('names each field of a legal entity that cannot stand on an invoice', () => {
  expect(legalEntityFaults(NILE)).toEqual([])
  const wrong = patchedLegalEntity(NILE, { city: 'La\u0000gos', country: 'N1', invoice_email: 'nobody' })
  expect(legalEntityFaults(wrong).map(({ path }) => path)).toEqual(['city', 'country', 'invoice_email'])
})
