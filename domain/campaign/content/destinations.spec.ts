import { describe, expect, it } from 'vitest'
import { isAddress, isAttributionTemplate, isPublicAddress } from './destinations.ts'

const accepted = (url: string) => isAddress(url, false) && isPublicAddress(url)

describe('a destination address', () => {
  it.each([
    'https://nile.example',
    'http://nile.example:8080/path?x=1#y',
    'https://xn--e1afmkfd.xn--p1ai/',
    'https://пример.рф/путь',
    'https://under_score.nile.example/',
    'https://93.184.216.34/landing',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://nile.example/{CREATIVE_SIZE}?id=a@b.example',
  ])('accepts the public address %s', (url) => expect(accepted(url)).toBe(true))

  // covers FP-42
  it.each([
    ['a user name', 'https://nile.example@evil.example/'],
    ['a user name and a password', 'https://user:pass@evil.example/'],
    ['a backslash', 'https://nile.example\\@evil.example/'],
    ['a backslash in the path', 'https://nile.example/a\\b'],
    ['a control character', 'https://nile.example/\u0007'],
    ['a bidirectional override', 'https://nile.example/\u202egnp.exe'],
    ['a zero-width character in the host', 'https://ni\u200ble.example/'],
    ['a single label', 'https://intranet/'],
    ['localhost', 'http://localhost:3000/'],
    ['localhost with a final dot', 'http://localhost./'],
    ['a name below localhost', 'http://a.localhost/'],
    ['the metadata service by name', 'http://metadata.google.internal/computeMetadata/v1/'],
    ['the metadata service by address', 'http://169.254.169.254/latest/meta-data/'],
    ['a loopback address', 'http://127.0.0.1/'],
    ['a private address', 'http://192.168.0.1/'],
    ['a shared address', 'http://100.64.0.1/'],
    ['a decimal address', 'http://2130706433/'],
    ['a hexadecimal address', 'http://0x7f.0.0.1/'],
    ['an address whose last part is hexadecimal', 'http://127.0.0.0x1/'],
    ['an octal address', 'http://0177.0.0.1/'],
    ['a shortened address', 'http://127.1/'],
    ['fullwidth digits', 'http://１２７.0.0.1/'],
    ['ideographic full stops', 'http://127。0。0。1/'],
    ['a loopback IPv6 address', 'http://[::1]/'],
    ['an IPv4 address in an IPv6 one', 'http://[::ffff:127.0.0.1]/'],
    ['a 6to4 address', 'http://[2002:7f00:1::]/'],
    ['a link-local IPv6 address', 'http://[fe80::1]/'],
    ['an escaped host', 'http://%6cocalhost/'],
    ['a port that does not exist', 'https://nile.example:99999/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['no scheme', 'nile.example'],
  ])('refuses %s', (_, url) => expect(accepted(url)).toBe(false))
})

describe('attribution tags', () => {
  const product = 'https://nile.example/landing'
  it.each([
    'utm_source={SOURCE}&utm_medium={MEDIUM}',
    '?utm_source=a',
    '&anonymous_id={ANONYMOUS_ID}',
    `${product}?utm_source={SOURCE}`,
    product,
    '',
  ])('attribution tags accept a query, alone or behind the product address: %s', (tags) =>
    expect(isAttributionTemplate(tags, product)).toBe(true),
  )

  it.each([
    ['https://nile.example/#/sale', 'https://nile.example/?utm_source={SOURCE}#/sale'],
    ['https://nile.example/a?b=1#part', 'https://nile.example/a?b=1&utm_source=x#part'],
    ['https://nile.example/#/sale', 'https://nile.example/#/sale?utm_source={SOURCE}'],
  ])('attribution tags accept a query in the product address %s: %s', (address, tags) =>
    expect(isAttributionTemplate(tags, address)).toBe(true),
  )

  it.each([
    ['https://nile.example/#/sale', 'https://nile.example/?utm_source=x#/evil'],
    ['https://nile.example/a?b=1', 'https://nile.example/a?b=12&utm_source=x'],
    ['https://nile.example/#/sale', 'https://nile.example/x?utm_source=x#/sale'],
  ])('attribution tags of the product address %s are refused in another one: %s', (address, tags) =>
    expect(isAttributionTemplate(tags, address)).toBe(false),
  )

  // covers FP-42
  it.each([
    'https://evil.example/?utm_source=a',
    `${product}.evil.example/?utm_source=a`,
    'https://nile.example@evil.example/?a=b',
    '//evil.example/?a=b',
    'evil.example/?a=b',
    'javascript:alert(1)//?a=b',
    `${product}?a=\u202eb`,
    `${product}\\?a=b`,
    'utm_source=a b',
  ])('attribution tags are refused with another address in front: %s', (tags) =>
    expect(isAttributionTemplate(tags, product)).toBe(false),
  )
})
