import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressFault, isPublicAddress, publicLookup, UnknownName } from './public-network.ts'

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
  ['https://nile.example:443/', null],
  ['https://login.nile.example:8443/realms/nile', null],
  ['https://nile.example:22/', 'The port must be 80, 443 or 8443'],
])('the fault of %s is %s', (url, fault) => {
  expect(addressFault(url, false)).toBe(fault)
})

it('any port may be called where private networks are allowed', () => {
  expect(addressFault('http://127.0.0.1:9000/', true)).toBe(null)
})

describe('the resolver of public names', () => {
  /** The resolver of this machine knows the name by these addresses, or answers with an error, until the test ends. */
  function resolvesTo(...answer: readonly string[] | readonly [Error]): void {
    const [error] = answer
    const found = answer.flatMap((address) => (typeof address === 'string' ? [{ address, family: isIP(address) }] : []))
    const lookup = vi.spyOn(dns, 'lookup')
    lookup.mockImplementation(((_: string, __: object, done: (error: Error | null, found: object) => void) =>
      done(error instanceof Error ? error : null, found)) as typeof dns.lookup)
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
    await expect(resolved()).rejects.toBeInstanceOf(UnknownName)
  })

  it('tells a name of a private network from one that does not exist by nothing', async () => {
    const errorOf = () => resolved().catch((error: unknown) => error)
    resolvesTo('10.1.2.3')
    const hidden = await errorOf()
    resolvesTo(Object.assign(new Error('getaddrinfo ENOTFOUND nile.example'), { code: 'ENOTFOUND' }))
    const missing = await errorOf()
    expect(hidden).toMatchObject({ code: 'ENOTFOUND', message: 'The name has no address on the public internet' })
    expect(missing).toEqual(hidden)
  })

  it('leaves trouble of the resolver as it is', async () => {
    const away = Object.assign(new Error('getaddrinfo EAI_AGAIN nile.example'), { code: 'EAI_AGAIN' })
    resolvesTo(away)
    await expect(resolved()).rejects.toBe(away)
  })

  it('refuses a name without addresses', async () => {
    resolvesTo()
    await expect(resolved()).rejects.toBeInstanceOf(UnknownName)
  })
})
