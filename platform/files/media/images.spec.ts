import sharp from 'sharp'
import { expect, it } from 'vitest'
import { Away } from '#eventstore/away'
import { createImages } from './images.ts'

it('images beyond those that are decoded and wait are refused as busy, and others are taken afterwards', async () => {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#2563eb' } })
    .png()
    .toBuffer()
  const images = createImages()
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => images.inspect(image)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused.every((error) => error instanceof Away)).toBe(true)
  expect(refused).toHaveLength(18)
  expect(await images.inspect(image)).toMatchObject({ width: 8, height: 8 })
})
