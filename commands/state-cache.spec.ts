import { describe, expect, it } from 'vitest'
import { createStateCache, type Loaded } from './state-cache.ts'

const loaded = (state: string, bytes: number): Loaded<string> => ({
  state,
  bytes,
  saved: 0,
  version: 1,
  revision: 1,
  at: '',
  hash: '',
  commands: new Set(),
})
const states = (cache: ReturnType<typeof createStateCache>, ...streams: readonly string[]) =>
  streams.filter((stream) => cache.get(stream) !== undefined)

describe('the state cache', () => {
  it('evicts the least recently used states above its size in bytes', () => {
    const cache = createStateCache(100)
    for (const stream of ['a', 'b', 'c']) cache.set(stream, loaded(stream, 40))
    expect(states(cache, 'a', 'b', 'c')).toEqual(['b', 'c'])
    cache.get('b')
    cache.set('d', loaded('d', 40))
    expect(states(cache, 'b', 'c', 'd')).toEqual(['b', 'd'])
  })

  it('counts the size of a stream once, however often it is written', () => {
    const cache = createStateCache(100)
    for (let bytes = 10; bytes <= 60; bytes += 10) cache.set('a', loaded('a', bytes))
    cache.set('b', loaded('b', 40))
    expect(states(cache, 'a', 'b')).toEqual(['a', 'b'])
    cache.forget('a')
    cache.set('c', loaded('c', 60))
    expect(states(cache, 'b', 'c')).toEqual(['b', 'c'])
  })

  it('does not store a state larger than the whole cache, so that it evicts no others', () => {
    const cache = createStateCache(100)
    cache.set('a', loaded('a', 50))
    cache.set('huge', loaded('huge', 101))
    expect(states(cache, 'a', 'huge')).toEqual(['a'])
  })
})
