import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['form', 'creatives']

it('no element of the form says anything in a title attribute alone, which neither keyboard nor touch can read', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx'))
      .map((file) => join(root, folder, file)),
  )
  expect(files.length).toBeGreaterThan(50)
  // An element of the platform; `title` of a component of ours is a heading. An iframe needs its title as its name.
  const ON_ELEMENT = /<(?!iframe)(?:[a-z][a-z0-9]*|Button|Link)\b(?:[^<>]|=>)*?\stitle=/g
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(ON_ELEMENT)].map(([text]) => `${file}: ${text}`))
  expect(found).toEqual([])
})
