import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addedQuery, parameterNames, withQuery } from './addresses.ts'

const TAGS = 'utm_source={SOURCE}&cid={CID}'

describe('a query that is added', () => {
  it.each([
    ['https://shop.example', `https://shop.example?${TAGS}`],
    ['https://shop.example/', `https://shop.example/?${TAGS}`],
    ['https://shop.example/#/sale', `https://shop.example/?${TAGS}#/sale`],
    ['https://shop.example/a?b=1&c=2#part', `https://shop.example/a?b=1&c=2&${TAGS}#part`],
    ['https://shop.example/#/sale?id=1', `https://shop.example/?${TAGS}#/sale?id=1`],
    ['https://shop.example/?', `https://shop.example/?${TAGS}`],
    ['https://shop.example/?a=1&', `https://shop.example/?a=1&${TAGS}`],
    ['https://shop.example/?a=b?c', `https://shop.example/?a=b?c&${TAGS}`],
    ['https://shop.example/{CRID}?x={CID}#{SID}', `https://shop.example/{CRID}?x={CID}&${TAGS}#{SID}`],
    ['https://пример.рф/путь#якорь', `https://пример.рф/путь?${TAGS}#якорь`],
  ])('a query that is added to %s makes %s, and is found there again', (address, whole) => {
    expect(withQuery(address, TAGS)).toBe(whole)
    expect(addedQuery(address, whole)).toBe(TAGS)
  })

  const text = fc.string({ unit: fc.constantFrom(...'aZ0-._~!$()*+,;:@/%20é'), maxLength: 12 })
  const part = (sign: string) =>
    fc.option(
      text.map((written) => `${sign}${written}`),
      { nil: '' },
    )
  const address = fc
    .tuple(part('/'), fc.option(fc.array(fc.tuple(text, text)), { nil: null }), fc.oneof(part('#'), part('#/'), part('#/p?x=')))
    .map(
      ([path, query, fragment]) =>
        `https://shop.example${path}${query === null ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`}${fragment}`,
    )

  it('changes neither the path, nor the fragment, nor a parameter that was there', () => {
    fc.assert(
      fc.property(address, (before) => {
        const [was, is] = [new URL(before), new URL(withQuery(before, 'utm_source=x'))]
        expect([is.origin, is.pathname, is.hash]).toEqual([was.origin, was.pathname, was.hash])
        expect([...is.searchParams]).toEqual([...was.searchParams, ['utm_source', 'x']])
        expect(addedQuery(before, withQuery(before, 'utm_source=x'))).toBe('utm_source=x')
      }),
    )
  })
})

it.each([
  ['https://shop.example/', 'https://shop.example.evil.example/?a=1'],
  ['https://shop.example/a', 'https://shop.example/b?a=1'],
  ['https://shop.example/#a', 'https://shop.example/?a=1#b'],
  ['https://shop.example/?a=1', 'https://shop.example/?a=12'],
  ['https://shop.example/?a=1', 'https://shop.example/?b=1'],
])('finds no added query between %s and the other address %s', (address, whole) => expect(addedQuery(address, whole)).toBeNull())

it.each([
  ['https://shop.example/?utm%5Fsource=x', ['utm_source']],
  ['https://shop.example/?utm_source', ['utm_source']],
  ['https://shop.example/?a=1;utm_source=x', ['a', 'utm_source']],
  ['https://shop.example/#/sale?utm_source=x', ['utm_source']],
  ['https://shop.example/?q=utm_source=x', ['q']],
  ['https://shop.example/utm_source=1', []],
])('the parameters of %s are %j', (address, names) => expect(parameterNames(address)).toEqual(names))
