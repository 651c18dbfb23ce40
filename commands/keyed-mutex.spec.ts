import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

it('runs tasks of one key in order, and tasks of other keys concurrently', async () => {
  const mutex = createKeyedMutex()
  const log: string[] = []
  const work = (name: string, after?: Promise<unknown>) => async () => {
    log.push(`${name} begins`)
    await after
    log.push(`${name} ends`)
    return name
  }
  const other = mutex('b', work('other'))
  const all = [mutex('a', work('first', other)), mutex('a', work('second')), other]
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other'])
  expect(log).toEqual(['other begins', 'first begins', 'other ends', 'first ends', 'second begins', 'second ends'])
})

it('continues after a failed task, and rejects only its caller', async () => {
  const mutex = createKeyedMutex()
  const fails = mutex('a', () => Promise.reject(new Error('no')))
  const follows = mutex('a', async () => 'done')
  await expect(fails).rejects.toThrow('no')
  expect(await follows).toBe('done')
  expect(await mutex('a', async () => 'again')).toBe('again')
})
