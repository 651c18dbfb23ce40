import { expect, it } from 'vitest'
import { helloEn, isolatedValues } from './template.ts'

it('a mail isolates names that are written from right to left, and changes nothing else', () => {
  const values = isolatedValues({
    firstName: 'דנה',
    brand: 'Nile',
    link: 'https://nile.example/audit',
    data: { campaign: 'متجر النيل', days: 3, account: 'Luxor' },
  })
  expect(helloEn(values)).toBe('Hello \u2068דנה\u2069,')
  expect(values).toEqual({
    firstName: '\u2068דנה\u2069',
    brand: 'Nile',
    link: 'https://nile.example/audit',
    data: { campaign: '\u2068متجر النيل\u2069', days: 3, account: 'Luxor' },
  })
})
