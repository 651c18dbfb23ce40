import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { atClose } from './at-close.ts'

it('runs everything once, in order, at the end of its own answer, with one listener', () => {
  const answer = () => new ServerResponse(new IncomingMessage(new Socket()))
  const [one, other] = [answer(), answer()]
  const before = one.listenerCount('close')
  const ran: number[] = []
  for (let n = 0; n < 20; n++) atClose(one, () => ran.push(n))
  atClose(other, () => ran.push(-1))
  expect(one.listenerCount('close')).toBe(before + 1)
  one.emit('close')
  one.emit('close')
  expect(ran).toEqual(Array.from({ length: 20 }, (_, n) => n))
})
