import { expect, it } from 'vitest'
import { namesOneHost } from './served-hosts.ts'

it.each([
  [true, []],
  [true, ['Accept', '*/*', 'Host', 'ads.example']],
  [true, ['host', 'ads.example:8443']],
  [true, ['Host', '[::1]:4750']],
  [true, ['Host', '127.0.0.1']],
  [false, ['Host', 'ads.example', 'HOST', 'evil.example']],
  [false, ['Host', 'ads.example', 'host', 'ads.example']],
  [false, ['Host', '127.0.0.1:4750, evil.example']],
  [false, ['Host', 'ads.example evil.example']],
  [false, ['Host', 'user@ads.example']],
  [false, ['Host', '']],
])('one host is named: %s for %j', (isNamed, rawHeaders) => {
  expect(namesOneHost(rawHeaders)).toBe(isNamed)
})
