import { expect, it } from 'vitest'
import { CATALOGUE, type ErrorCode } from './errors.ts'

/** Codes that no call answers with keep their texts (decisions G-230). */
it.each([
  [1400, 'Space invitation(s) have error'], // covers ERR-24
  [1401, 'Invited user is verified'], // covers ERR-25
  [1402, 'Invited user is not verified'], // covers ERR-26
  [1410, 'Space name not specified'], // covers ERR-27
  [1411, 'Space name must be unique across company'], // covers ERR-28
  [170, 'Company not found'], // covers ERR-35
] as const)('%d is "%s"', (code, message) => {
  expect(CATALOGUE[code].message).toBe(message)
})

// covers FP-25
it.each<[number, readonly ErrorCode[]]>([
  [404, [6, 7, 111]],
  [400, [2, 20, 133, 150, 182]],
  [413, [8, 181]],
])('answers with the HTTP status %d for the codes %j', (http, codes) => {
  expect(codes.map((code) => CATALOGUE[code].http)).toEqual(codes.map(() => http))
})
