import { describe, expect, it } from 'vitest'
import { hostLabel } from '#domain/white-label/hosts'
import { initial as initialWhiteLabel, whiteLabelOf } from '#domain/white-label/white-label'
import { createLinks } from './links.ts'

const whiteLabels = {
  ofHost: (hostname: string) => {
    const found = whiteLabelOf(hostLabel(hostname), initialWhiteLabel) ?? whiteLabelOf('dsp', initialWhiteLabel)
    if (found === null) throw new Error('dsp is built in')
    return found
  },
}

describe('the application’s address for a white-label', () => {
  // covers FP-57
  it.each([
    ['https://ads.example', 'dsp', 'https://ads.example'],
    ['https://ads.example', 'ng', 'https://ng.ads.example'],
    ['https://dsp.ads.example', 'ng', 'https://ng.ads.example'],
    ['https://ng.ads.example', 'ng', 'https://ng.ads.example'],
    ['https://ng.ads.example', 'dsp', 'https://dsp.ads.example'],
    ['http://127.0.0.1:3000', 'dsp', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'tn', 'http://tn.localhost:3000'],
    ['http://127.0.0.1:3000', 'ng', 'http://ng.localhost:3000'],
    ['http://localhost:3000', 'am', 'http://am.localhost:3000'],
  ])('the application’s address for a white-label is from %s for %s %s', (publicOrigin, whitelabel, origin) => {
    expect(createLinks({ publicOrigin, port: 1, whiteLabels }).originOf(whitelabel)).toBe(origin)
    const listening = createLinks({ publicOrigin: null, port: 1, whiteLabels })
    listening.listensOn(publicOrigin)
    expect(listening.originOf(whitelabel)).toBe(origin)
  })

  it('does not change with the port when it is configured', () => {
    const links = createLinks({ publicOrigin: 'https://ads.example', port: 1, whiteLabels })
    links.listensOn('http://127.0.0.1:2')
    expect(links.originOf('dsp')).toBe('https://ads.example')
  })
})
