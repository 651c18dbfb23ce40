import { reject, type Rejection } from '../kit/errors.ts'

/** Characters of one message. */
export const LONGEST_MESSAGE = 2000

/** Control characters, but neither line breaks nor tabs. */
const CONTROL = /[^\P{Cc}\n\t]/gu

export type Message =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/** A message as it is stored: without outer space and control characters. Refuses an empty one and a long one with 2. */
export function readMessage(sent: string): Message {
  const text = sent.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL, '').trim()
  const wrong = (key: string, message: string, params?: { readonly max: number }): Message => ({
    kind: 'rejected',
    rejection: reject(2, [{ path: 'text', code: 2, message, key, ...(params === undefined ? {} : { params }) }]),
  })
  if (text === '') return wrong('required', 'Field is required.')
  if (text.length > LONGEST_MESSAGE)
    return wrong('maxLength', `Maximum ${LONGEST_MESSAGE} characters allowed!`, { max: LONGEST_MESSAGE })
  return { kind: 'text', text }
}
