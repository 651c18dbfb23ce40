import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOMS } from './support/rooms.ts'
import { anchorsOf } from './support/markdown.ts'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...ROOMS.map((room) => `${room}/README.md`),
]

describe('the documentation', () => {
  // In the help, links that begin with a slash are addresses of the application.
  it.each(PAGES)('%s links to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?![a-z]+:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    const lost = links.filter(([, target = '', anchor]) => {
      const file = target === '' ? page : join(dirname(page), target)
      return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(read(file)).has(anchor))
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })

  it.each(PAGES)('%s names files that exist', (page) => {
    const rooms = [...ROOMS, 'docs', 'scripts'].join('|')
    const named = [...read(page).matchAll(new RegExp(`\`((?:${rooms})/[\\w./-]*\\.\\w+)\``, 'g'))].map(([, file = '']) => file)
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('ARCHITECTURE.md names a file for at least twenty questions, and each file contains the answer', () => {
    const rows = [...read('ARCHITECTURE.md').matchAll(/^\| [^|]+\? \| (.+) \|$/gm)].map(([, answer = '']) => answer)
    expect(rows.length).toBeGreaterThanOrEqual(20)
    for (const answer of rows) expect(answer).toMatch(/\]\([\w./-]+\.tsx?\)/)
  })

  it('README.md, ARCHITECTURE.md and the pages of rooms stay short', () => {
    const lines = (page: string) => read(page).split('\n').length
    expect([lines('README.md') <= 95, lines('ARCHITECTURE.md') <= 170]).toEqual([true, true])
    expect(ROOMS.filter((room) => lines(`${room}/README.md`) > 15)).toEqual([])
  })
})
