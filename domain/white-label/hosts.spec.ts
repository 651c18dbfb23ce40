import { expect, it } from 'vitest'
import { environmentOf, hostLabel, isWhiteLabelId } from './hosts.ts'

it.each([
  ['am.placard.example', 'am'],
  ['NG.placard.example', 'ng'],
  ['tn', 'tn'],
  ['127.0.0.1', '127'],
  ['', ''],
])('the first label of %j is %j', (host, label) => {
  expect(hostLabel(host)).toBe(label)
})

it.each([
  ['localhost', 'local'],
  ['ng.localhost', 'local'],
  ['127.0.0.1', 'local'],
  ['[::1]', 'local'],
  ['::1', 'local'],
  ['dsp.test.placard.example', 'test'],
  ['DSP-TEST.placard.example', 'test'],
  ['dev.placard.example', 'dev'],
  ['ng-dev.placard.example', 'dev'],
  ['ng.placard.example', 'production'],
  ['placard.example', 'production'],
])('the environment of %j is %s', (host, environment) => {
  expect(environmentOf(host)).toBe(environment)
})

it.each(['am', 'acme', 'acme-2', 'a1', 'a'.repeat(30)])('%s may be the id of a white-label', (id) => {
  expect(isWhiteLabelId(id)).toBe(true)
})

it.each([
  '',
  'a',
  'A1',
  '1a',
  'a--b',
  'xn--p1ai',
  'a-',
  '-a',
  'a.b',
  'a_b',
  'www',
  'api',
  'localhost',
  'test',
  'a'.repeat(31),
  'a b',
  'ä1',
])('%j may not', (id) => {
  expect(isWhiteLabelId(id)).toBe(false)
})
