import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('every table but those of read models says what bounds it', () => {
  const schema = read('migrations/db.ts').split('export interface Db')[1] ?? ''
  const tables = [...schema.matchAll(/^ +'([a-z]+\.[a-z_]+)':/gm)].map(([, name]) => name)
  expect(tables.length).toBeGreaterThan(100)
  const section = read('docs/growth.md').split('## What bounds each table')[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(new Set(listed)).toEqual(new Set(tables))
  expect(listed).toHaveLength(tables.length)
  expect(rows.filter((row) => (row.split('|')[3] ?? '').trim().length < 10)).toEqual([])
})
