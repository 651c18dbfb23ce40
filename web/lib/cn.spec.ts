import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extendTailwindMerge } from 'tailwind-merge'
import { describe, expect, it } from 'vitest'
import { cn } from './cn.ts'

const WEB = join(process.cwd(), 'web')
const whole = extendTailwindMerge({
  extend: {
    theme: { radius: ['control', 'card'], shadow: ['float'] },
    classGroups: { 'font-size': [{ text: ['title', 'body', 'table', 'meta'] }] },
  },
})

/** Every class that is written in a component which merges classes. */
function written(): readonly string[] {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const texts = files.map((file) => readFileSync(join(WEB, file), 'utf8')).filter((text) => /\bcn\(/.test(text))
  const words = texts.flatMap((text) =>
    [...text.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].flatMap((match) => (match[1] ?? match[2] ?? '').split(/\s+/)),
  )
  return [...new Set(words)].filter((word) => /^[a-z[&*!-]/.test(word) && /[a-z]/.test(word))
}

describe('merging classes', () => {
  it('lets the later one win, and only of its own kind', () => {
    expect(cn('h-9 px-3.5 text-body text-ink', 'h-8 text-meta', false, undefined)).toBe('px-3.5 text-ink h-8 text-meta')
    expect(cn('px-6 pt-3', 'p-2')).toBe('p-2')
    expect(cn('hover:bg-sunken bg-surface', 'bg-raised')).toBe('hover:bg-sunken bg-raised')
  })

  it('agrees with the merger’s whole table about every two classes of the components', () => {
    const classes = written()
    const wrong: string[] = []
    for (const one of classes) {
      for (const other of classes) {
        if (one === other) continue
        const pair = `${one} ${other}`
        if (whole(pair) !== cn(pair)) wrong.push(`${pair} → ${cn(pair)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
