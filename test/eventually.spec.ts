import { expect, it } from 'vitest'
import { eventually } from './support/product.ts'

it('returns the first answer that satisfies the condition', async () => {
  let asked = 0
  expect(
    await eventually(
      async () => ++asked,
      (answer) => answer === 3,
    ),
  ).toBe(3)
})

it('throws after the timeout and shows the last answer', async () => {
  const never = eventually(
    async () => ({ status_key: 41 }),
    ({ status_key }) => status_key === 3,
    50,
  )
  await expect(never).rejects.toThrow('not within 50 ms; last seen: { status_key: 41 }')
})
