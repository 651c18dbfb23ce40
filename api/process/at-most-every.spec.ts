import { expect, it } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

it('does the work again only after the time, and at once after a failure', async () => {
  let [at, done] = [0, 0]
  const work = atMostEvery(
    1000,
    async () => {
      done += 1
      if (done === 2) throw new Error('failed')
      return done
    },
    () => at,
  )
  expect(await Promise.all([work(), work()])).toEqual([1, 1])
  at = 999
  expect(await work()).toBe(1)
  at = 1000
  await expect(work()).rejects.toThrow('failed')
  expect(await work()).toBe(3)
})
