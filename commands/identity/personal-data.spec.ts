import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isErasedMark, readToken } from '#domain/kit/personal'
import { createPersonalData, type PersonKeys } from './personal-data.ts'
import { erasedMark, openToken, sealText } from './personal-value.ts'

const key = () => randomBytes(32)

describe('a token of a personal value', () => {
  it('a token of a personal value is deterministic per person and text, and decrypts to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (text, person) => {
        const own = key()
        const token = sealText(own, person, text)
        expect(sealText(own, person, text)).toBe(token)
        expect(readToken(token)?.person).toBe(person)
        expect(openToken(own, token)).toBe(text)
      }),
    )
  })

  it('does not decrypt with another key, another person or one changed byte', () => {
    const own = key()
    const token = sealText(own, 'ada', 'a device')
    expect(openToken(key(), token)).toBeNull()
    expect(openToken(own, token.replace(':ada:', ':bola:'))).toBeNull()
    const body = token.lastIndexOf(':') + 1
    // Some bits of the last digit are unused.
    for (let i = body; i < token.length - 1; i++) {
      const other = token[i] === 'A' ? 'B' : 'A'
      expect(openToken(own, token.slice(0, i) + other + token.slice(i + 1))).toBeNull()
    }
  })

  it('a token of a personal value has a different nonce for each person and each text', () => {
    const own = key()
    const made = [sealText(own, 'ada', 'one'), sealText(own, 'ada', 'two'), sealText(key(), 'bola', 'one')]
    expect(new Set(made.map((token) => readToken(token)?.nonce)).size).toBe(3)
  })
})

/** Keys as in the database: created on first use, and never again once erased. */
function keyRing() {
  const known = new Map<string, Uint8Array | null>()
  const asked: string[][] = []
  const keys: PersonKeys = {
    keysOf: async (people) => {
      asked.push([...people])
      return new Map(people.flatMap((person) => (known.get(person) ? [[person, known.get(person) ?? key()]] : [])))
    },
    keyFor: async (person) => {
      if (!known.has(person)) known.set(person, key())
      return known.get(person) ?? null
    },
  }
  return { ...createPersonalData(keys), erase: (person: string) => known.set(person, null), asked }
}

describe('personal data in a request', () => {
  it('personal data in a request is replaced by tokens of the sender, which stay the same in a repeated request', async () => {
    const { seal } = keyRing()
    const first = await seal(['one', 'two'], 'ada', [])
    expect(first.map((token) => readToken(token)?.person)).toEqual(['ada', 'ada'])
    expect(await seal(['two', 'one'], 'ada', first)).toEqual([first[1], first[0]])
  })

  it('keeps existing tokens of another person and encrypts only new values', async () => {
    const { seal } = keyRing()
    const present = await seal(['one'], 'ada', [])
    const [one, two] = await seal(['one', 'two'], 'bola', present)
    expect(one).toBe(present[0])
    expect(readToken(two ?? '')?.person).toBe('bola')
  })

  it('maps a mark back to its erased token and drops unknown marks', async () => {
    const { seal, erase } = keyRing()
    const present = await seal(['one', 'two'], 'ada', [])
    erase('ada')
    const marks = present.map(erasedMark)
    expect(await seal(marks, 'bola', present)).toEqual(present)
    expect(await seal([...marks.slice(1), 'erased:0123456789abcdef'], 'bola', present)).toEqual(present.slice(1))
  })

  it('encrypts a token from another object like any other text', async () => {
    const { seal, reveal } = keyRing()
    const [foreign = ''] = await seal(['one'], 'ada', [])
    const [sealed] = await seal([foreign], 'bola', [])
    expect(await reveal({ test_devices: [sealed] })).toEqual({ test_devices: [foreign] })
  })

  it('personal data in a request is refused when the key of the sender was erased', async () => {
    const { seal, erase } = keyRing()
    erase('ada')
    await expect(seal(['one'], 'ada', [])).rejects.toMatchObject({ rejection: { code: 401 } })
  })
})

describe('the hash of a request body', () => {
  it('the hash of a request body is unkeyed without personal values and keyed by the sender with personal values', async () => {
    const { hashOf } = keyRing()
    const plain = { id: 'x', test_devices: [] }
    expect(await hashOf('ada', plain, '/')).toBe(await hashOf('bola', plain, '/'))
    const personal = { id: 'x', test_devices: ['one'] }
    const hash = await hashOf('ada', personal, '/')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await hashOf('ada', personal, '/')).toBe(hash)
    expect(await hashOf('bola', personal, '/')).not.toBe(hash)
    expect(await hashOf('ada', { ...personal, test_devices: ['two'] }, '/')).not.toBe(hash)
    expect(await hashOf('ada', personal, '/other')).not.toBe(hash)
  })

  it('the hash of a request body is refused when the key of the sender was erased', async () => {
    const { hashOf, erase } = keyRing()
    erase('ada')
    await expect(hashOf('ada', { test_devices: ['one'] }, '/')).rejects.toMatchObject({ rejection: { code: 401 } })
  })
})

describe('personal data in a response', () => {
  it('personal data in a response is decrypted in personal fields and their changes at any depth, and nowhere else', async () => {
    const { seal, reveal } = keyRing()
    const [token = ''] = await seal(['one'], 'ada', [])
    const answer = (value: string) => ({
      name: token,
      current_state: { test_devices: [value], traffic_targeting: [{ field: 'test_devices', value: token }] },
      state_difference: [
        { path: 'test_devices', from: null, to: [value], value: [value] },
        { path: 'name', from: null, to: token },
      ],
    })
    expect(await reveal(answer(token))).toEqual(answer('one'))
  })

  it('personal data in a response is a mark after the key was erased: equal for equal values, different for different values', async () => {
    const { seal, reveal, erase } = keyRing()
    const devices = [...(await seal(['one', 'two'], 'ada', [])), ...(await seal(['three'], 'bola', []))]
    erase('ada')
    const { test_devices: shown } = await reveal({ test_devices: devices })
    expect(shown.slice(0, 2).map(isErasedMark)).toEqual([true, true])
    expect(shown[0]).not.toBe(shown[1])
    expect(shown[2]).toBe('three')
    expect(await reveal({ test_devices: devices })).toEqual({ test_devices: shown })
  })

  it('needs no key query without personal values, and one query for all persons otherwise', async () => {
    const { seal, reveal, asked } = keyRing()
    const plain = { data: [{ id: 'x', test_devices: [] }] }
    expect(await reveal(plain)).toBe(plain)
    const devices = [...(await seal(['one'], 'ada', [])), ...(await seal(['two'], 'bola', []))]
    asked.length = 0
    await reveal([{ test_devices: devices }, { test_devices: devices }])
    expect(asked).toEqual([['ada', 'bola']])
  })
})
