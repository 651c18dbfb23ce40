import { expect, it } from 'vitest'
import { whiteLabelOfHost } from './white-labels.ts'

it.each([
  ['am.placard.example', 'am'],
  ['NG.placard.example', 'ng'],
  ['tn', 'tn'],
  ['dsp.placard.example', 'dsp'],
  ['placard.example', 'dsp'],
  ['localhost', 'dsp'],
  ['127.0.0.1', 'dsp'],
  ['[::1]', 'dsp'],
  ['amx.placard.example', 'dsp'],
  ['constructor.placard.example', 'dsp'],
  ['', 'dsp'],
])('the host %j belongs to the white-label %s', (host, id) => {
  expect(whiteLabelOfHost(host).id).toBe(id)
})
