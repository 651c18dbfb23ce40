import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressFault, isPublicAddress, PrivateNetwork, publicLookup } from './public-network.ts'

it.each([
  ['93.184.216.34', true],
  ['8.8.8.8', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['2a00:1450:4001:81b::200e', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.0.0.192', false],
  ['192.0.2.1', false],
  ['192.88.99.1', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['198.51.100.1', false],
  ['203.0.113.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['3fff::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['localhost', false],
])('%s is an address of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

it.each([
  ['https://nile.example/', null],
  ['http://nile.example/', 'The address must begin with https://'],
  ['https://ada@nile.example/', 'The address must not hold a user name or password'],
  ['https://:secret@nile.example/', 'The address must not hold a user name or password'],
  ['https://[::1]/', 'The address leads to a network that is not public'],
])('the fault of %s is %s', (url, fault) => {
  expect(addressFault(url, false)).toBe(fault)
})

describe('the resolver of public names', () => {
  /** The resolver of this machine knows the name by these addresses until the test ends. */
  function resolvesTo(...addresses: readonly string[]): void {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const lookup = vi.spyOn(dns, 'lookup')
    lookup.mockImplementation(((_: string, __: object, done: (error: null, found: object) => void) =>
      done(null, found)) as typeof dns.lookup)
    syncBuiltinESMExports()
    onTestFinished(() => {
      lookup.mockRestore()
      syncBuiltinESMExports()
    })
  }
  const resolved = () =>
    new Promise<unknown>((resolve, reject) =>
      publicLookup('nile.example', { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
    )

  it('answers with every address of a name that has public ones alone', async () => {
    resolvesTo('93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946')
    expect(await resolved()).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
    ])
  })

  it('refuses a name when one of its addresses is not public', async () => {
    resolvesTo('93.184.216.34', '127.0.0.1')
    await expect(resolved()).rejects.toBeInstanceOf(PrivateNetwork)
  })

  it('refuses a name without addresses', async () => {
    resolvesTo()
    await expect(resolved()).rejects.toBeInstanceOf(PrivateNetwork)
  })
})
