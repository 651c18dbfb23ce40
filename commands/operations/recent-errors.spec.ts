import { expect, it } from 'vitest'
import { createRecentErrors, type RecentError } from './recent-errors.ts'

const error = (message: string): RecentError => ({
  at: '2026-01-01T00:00:00.000Z',
  request_id: null,
  route: null,
  status: null,
  message,
})

it('stores each error once', async () => {
  const errors = createRecentErrors()
  const stored: string[] = []
  const store = () => errors.storeBy(async (some) => void stored.push(...some.map(({ message }) => message)))
  errors.add(error('a'))
  await store()
  errors.add(error('b'))
  await store()
  await store()
  expect(stored).toEqual(['a', 'b'])
})

// covers FP-98
it('keeps the newest 200 in order while the store is away', async () => {
  const errors = createRecentErrors()
  for (let at = 0; at < 150; at += 1) errors.add(error(String(at)))
  const away = errors.storeBy(() => Promise.reject(new Error('away')))
  for (let at = 150; at < 300; at += 1) errors.add(error(String(at)))
  await expect(away).rejects.toThrow('away')
  const stored: string[] = []
  await errors.storeBy(async (some) => void stored.push(...some.map(({ message }) => message)))
  expect(stored).toEqual(Array.from({ length: 200 }, (_, at) => String(at + 100)))
})
