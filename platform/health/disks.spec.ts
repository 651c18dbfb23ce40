import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diskFigures } from './disks.ts'

it('reports free and used space of the disks of folders, without those that are not there', async () => {
  const figures = await diskFigures({ data: tmpdir(), files: join(tmpdir(), 'placard-is-not-there') })
  expect(figures).toEqual([{ place: 'data', free: expect.any(Number), used: expect.any(Number) }])
  for (const { free, used } of figures) expect([free, used].every((bytes) => Number.isSafeInteger(bytes) && bytes > 0)).toBe(true)
})
