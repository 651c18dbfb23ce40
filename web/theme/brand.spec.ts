import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { applyBrand } from './brand.ts'
import { contrast, formulas, tokenColor, type Theme } from './tokens-fixture.ts'

const TEXT = 4.5
const CONTROL = 3
const GROUNDS = ['canvas', 'surface', 'raised', 'sunken'] as const

/** What stands on what, and how clearly it has to; of text and of what is drawn. */
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-strong', TEXT],
  ...[...GROUNDS, 'accent-tint'].map((ground) => ['accent-ink', ground, TEXT] as const),
  ['ink', 'accent-tint', TEXT],
  ['ink-soft', 'accent-tint', TEXT],
  ...GROUNDS.map((ground) => ['accent', ground, CONTROL] as const),
]
/** What does not follow the brand, judged once. */
const FIXED: readonly (readonly [front: string, back: string, least: number])[] = [
  ...GROUNDS.flatMap((ground) => [
    ['ink', ground, TEXT] as const,
    ['ink-soft', ground, TEXT] as const,
    ['edge', ground, CONTROL] as const,
    ...['good', 'warn', 'bad'].map((tone) => [tone, ground, TEXT] as const),
  ]),
  ...['good', 'warn', 'bad'].flatMap((tone) => [[tone, `${tone}-tint`, TEXT] as const, ['ink', `${tone}-tint`, TEXT] as const]),
]

const faint = (pairs: typeof PAIRS, theme: Theme, brand?: string) =>
  pairs.flatMap(([front, back, least]) => {
    const found = contrast(tokenColor(front, theme, brand), tokenColor(back, theme, brand))
    return found < least ? [`${front} on ${back} in ${theme}: ${found.toFixed(2)} < ${least}`] : []
  })

const channel = fc.integer({ min: 0, max: 255 })
const brands = fc
  .tuple(channel, channel, channel)
  .map((rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`)
const CORNERS = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080']

describe.each(['light', 'dark'] as const)('whatever the brand, the %s theme', (theme) => {
  it('keeps text at 4.5:1 and controls at 3:1', () => {
    fc.assert(
      fc.property(brands, (brand) => {
        expect(faint(PAIRS, theme, brand)).toEqual([])
      }),
      { numRuns: 1000, examples: CORNERS.map((corner) => [corner]) },
    )
  })

  it('keeps what does not follow it as clear', () => {
    expect(faint(FIXED, theme)).toEqual([])
  })

  it('keeps its hue', () => {
    fc.assert(
      fc.property(brands, (brand) => {
        const [, chroma, hue] = tokenColor('accent', theme, brand).oklch
        const [, , own] = tokenColor('brand', theme, brand).oklch
        expect(chroma).toBeGreaterThanOrEqual(0)
        expect(hue).toBeCloseTo(own)
      }),
    )
  })

  it('derives every accent from it', () => {
    const accents = [...formulas(theme)].filter(([token]) => token.startsWith('accent'))
    expect(accents).toHaveLength(4)
    for (const [, formula] of accents) expect(formula).toContain('from var(--brand)')
  })
})

describe('the contrast that the guard measures', () => {
  it('is that of WCAG', () => {
    expect(contrast(tokenColor('brand', 'light', '#000000'), tokenColor('brand', 'light', '#ffffff'))).toBeCloseTo(21)
    expect(contrast(tokenColor('brand', 'light', '#777777'), tokenColor('brand', 'light', '#ffffff'))).toBeCloseTo(4.48, 2)
  })
})

describe('a brand colour', () => {
  const shown = () => document.documentElement.style.getPropertyValue('--brand')
  afterEach(() => document.documentElement.style.removeProperty('--brand'))

  it.each(['#1f7a4d', '1F7A4D'])('is the accent of every screen, and remembered: %s', (color) => {
    applyBrand(color)
    expect(shown().toLowerCase()).toBe('#1f7a4d')
    expect(localStorage.getItem('DSP_BRAND')?.toLowerCase()).toBe('#1f7a4d')
  })

  const BAD = ['', '#', 'red', '#fff', '#12345', '#1234567', '#12345g', 'url(#x)', '#123456;color:red', ' #123456', '#123456\n']

  it.each([null, ...BAD])('that is none is ignored: %j', (color) => {
    applyBrand('#1f7a4d')
    applyBrand(color)
    expect(shown()).toBe('#1f7a4d')
    expect(localStorage.getItem('DSP_BRAND')).toBe('#1f7a4d')
  })

  it('is there before the first paint of the next visit, unless what is stored is none', () => {
    const firstPaint = () => {
      document.documentElement.style.removeProperty('--brand')
      vi.stubGlobal('matchMedia', () => ({ matches: false }))
      // The very script of the page, which no module may import.
      runInThisContext(readFileSync(join(import.meta.dirname, '../public/first.js'), 'utf8'))
      vi.unstubAllGlobals()
      return shown()
    }
    applyBrand('#1f7a4d')
    expect(firstPaint()).toBe('#1f7a4d')
    for (const bad of BAD) {
      localStorage.setItem('DSP_BRAND', bad)
      expect(firstPaint(), bad).toBe('')
    }
  })
})
