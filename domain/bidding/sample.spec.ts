import { describe, expect, it } from 'vitest'
import { sampledFacts } from './sample.ts'

describe('a sampled impression', () => {
  it.each([
    ['198.51.100.77', '198.51.100.0'],
    ['::ffff:198.51.100.77', '198.51.100.0'],
    ['2001:db8:abcd:12:3:4:5:6', '2001:db8:abcd::'],
  ])('keeps the network of %s alone', (ip, network) => {
    expect(sampledFacts({ imp: [{ id: '1' }], device: { ip } })).toMatchObject([{ device_ip: network }])
  })

  it.each(['', 'no address', '198.51.100'])('keeps nothing of the address "%s"', (ip) => {
    expect(sampledFacts({ imp: [{ id: '1' }], device: { ip } })[0]).not.toHaveProperty('device_ip')
  })

  it('keeps values of filters, and nothing else of the request', () => {
    const request = {
      id: 'request-7',
      imp: [{ id: 'imp-7', banner: { w: 300, h: 250 } }],
      site: { domain: 'news.example', page: 'https://news.example/a?user=ada' },
      device: { os: 'iOS', ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc', ua: 'Mozilla', geo: { lat: 30.0444 } },
      user: { id: 'user-7', buyeruid: 'buyer-7', ext: { visits_7d: 2, eids: ['eid-7'] } },
    }
    const [kept] = sampledFacts(request)
    expect(kept).toMatchObject({ site: ['news.example'], creative_size: ['300x250'], os: 'iOS', visits_7d: 2 })
    expect(JSON.stringify(kept)).not.toMatch(/-7"|6d92078a|Mozilla|30\.04|ada/)
  })

  it('leaves out texts beyond 300 characters and values beyond twenty', () => {
    const [kept] = sampledFacts({
      imp: [{ id: '1', banner: { format: Array.from({ length: 100 }, (_, w) => ({ w, h: 1 })) } }],
      device: { make: 'm'.repeat(301), model: 'm'.repeat(300) },
      app: { bundle: 'b'.repeat(301), name: 'Nile' },
    })
    expect(kept).not.toHaveProperty('device_make')
    expect(kept).toMatchObject({ device_model: 'm'.repeat(300), app: ['Nile'] })
    expect(kept?.creative_size).toHaveLength(20)
  })
})
