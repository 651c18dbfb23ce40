import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_MESSAGE, readMessage } from './message.ts'

describe('a message of the chat', () => {
  it.each([
    ['  Hello \r\nthere\t!  ', 'Hello \nthere\t!'],
    ['a\u0000b\u001b[31mc\u0085', 'ab[31mc'],
    ['<b>markup stays text</b>', '<b>markup stays text</b>'],
  ])('%j is stored as %j', (sent, text) => {
    expect(readMessage(sent)).toEqual({ kind: 'text', text })
  })

  it.each(['', '   ', '\n\t\u0000'])('a message of the chat is refused with 2 when it is empty: %j', (sent) => {
    expect(readMessage(sent)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 2, faults: [{ path: 'text', key: 'required' }] },
    })
  })

  it('a message of the chat has at most 2,000 characters', () => {
    expect(readMessage('a'.repeat(LONGEST_MESSAGE)).kind).toBe('text')
    expect(readMessage('a'.repeat(LONGEST_MESSAGE + 1))).toMatchObject({ rejection: { faults: [{ key: 'maxLength' }] } })
  })

  it('a message of the chat is stored unchanged when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2100 }), (sent) => {
        const first = readMessage(sent)
        if (first.kind === 'text') expect(readMessage(first.text)).toEqual(first)
      }),
    )
  })
})
