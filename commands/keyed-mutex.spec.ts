import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

it('runs tasks of one key in order, and tasks of other keys concurrently', async () => {
  const mutex = createKeyedMutex()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await delay(ms)
    log.push(`${name} ends`)
    return name
  }
  const all = [mutex('a', work('first', 40)), mutex('a', work('second', 1)), mutex('b', work('other', 1))]
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other'])
  expect(log).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends'])
})

it('continues after a failed task, and rejects only its caller', async () => {
  const mutex = createKeyedMutex()
  const fails = mutex('a', () => Promise.reject(new Error('no')))
  const follows = mutex('a', async () => 'done')
  await expect(fails).rejects.toThrow('no')
  expect(await follows).toBe('done')
  expect(await mutex('a', async () => 'again')).toBe('again')
})
