import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

it('runs work on one key in the order in which it was asked for, beside work on others', async () => {
  const turns = createKeyedMutex()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await delay(ms)
    log.push(`${name} ends`)
    return name
  }
  const all = [turns('a', work('first', 40)), turns('a', work('second', 1)), turns('b', work('other', 1))]
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other'])
  expect(log).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends'])
})

it('goes on after work that fails, and tells only who asked for it', async () => {
  const turns = createKeyedMutex()
  const fails = turns('a', () => Promise.reject(new Error('no')))
  const follows = turns('a', async () => 'done')
  await expect(fails).rejects.toThrow('no')
  expect(await follows).toBe('done')
  expect(await turns('a', async () => 'again')).toBe('again')
})
