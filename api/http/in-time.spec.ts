import { expect, it } from 'vitest'
import { Away } from '#eventstore/away'
import { inTime } from './in-time.ts'

it('a read that waits for a log that is away is answered as Away in time', async () => {
  await expect(
    inTime(
      () => new Promise(() => {}),
      () => true,
      20,
    ),
  ).rejects.toThrow(Away)
})

it('a read is answered as Away when the log goes away later', async () => {
  let isAway = false
  const read = inTime(
    () => new Promise(() => {}),
    () => isAway,
    20,
  )
  setTimeout(() => (isAway = true), 100)
  await expect(read).rejects.toThrow(Away)
})

it('a slow read goes on while the log is there', async () => {
  let answer: (text: string) => void = () => {}
  let asked = 0
  const isAway = () => {
    asked += 1
    if (asked === 1) answer('all of it')
    return false
  }
  expect(await inTime(() => new Promise((resolve) => (answer = resolve)), isAway, 20)).toBe('all of it')
})

it('a read passes its own error on', async () => {
  const work = async () => {
    throw new Error('of its own')
  }
  await expect(inTime(work, () => true)).rejects.toThrow('of its own')
})
