import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { BRAND_TOKENS, DEFAULT_PRIMARY, shownColor } from '#domain/white-label/palette'
import { applyBrand, brandTokens, forgetBrand } from './brand.ts'
import { contrast, formulas, tokenColor, type Theme } from '@/test/tokens-fixture'

const TEXT = 4.5
const CONTROL = 3
const GROUNDS = ['background', 'card', 'popover', 'muted'] as const
const TONES = ['success', 'warning', 'destructive'] as const

/** Minimal contrast of a foreground on a background. These pairs follow the brand colour. */
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ['primary-foreground', 'primary', TEXT],
  ['primary-foreground', 'primary-strong', TEXT],
  ...[...GROUNDS, 'primary-tint'].map((ground) => ['primary-ink', ground, TEXT] as const),
  ['foreground', 'primary-tint', TEXT],
  ['muted-foreground', 'primary-tint', TEXT],
  ...GROUNDS.map((ground) => ['primary', ground, CONTROL] as const),
  ['chart-1', 'card', CONTROL],
  ['sidebar-primary-foreground', 'sidebar-primary', TEXT],
  ...GROUNDS.map((ground) => ['ring', ground, CONTROL] as const),
  ...[...GROUNDS, 'warning-tint'].map((ground) => ['warning', ground, TEXT] as const),
  ['foreground', 'warning-tint', TEXT],
  ['chart-2', 'card', CONTROL],
  ...['card', 'popover'].map((ground) => ['gauge', ground, CONTROL] as const),
]
/** The pairs that no brand colour changes. */
const FIXED: readonly (readonly [front: string, back: string, least: number])[] = [
  ...GROUNDS.flatMap((ground) => [
    ['foreground', ground, TEXT] as const,
    ['muted-foreground', ground, TEXT] as const,
    ['input', ground, CONTROL] as const,
    ...TONES.map((tone) => [tone, ground, TEXT] as const),
  ]),
  ...TONES.flatMap((tone) => [[tone, `${tone}-tint`, TEXT] as const, ['foreground', `${tone}-tint`, TEXT] as const]),
  ...['card', 'popover', 'secondary', 'accent', 'destructive', 'sidebar-accent'].map(
    (ground) => [`${ground}-foreground`, ground, TEXT] as const,
  ),
  ['sidebar-foreground', 'sidebar', TEXT],
  ['muted-foreground', 'accent', TEXT],
  ['destructive-foreground', 'destructive-strong', TEXT],
  ...['chart-2', 'chart-3', 'chart-4', 'chart-5'].map((chart) => [chart, 'card', CONTROL] as const),
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

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it('keeps text at 4.5:1 and controls at 3:1 with every brand colour', () => {
    fc.assert(
      fc.property(brands, (brand) => {
        expect(faint(PAIRS, theme, brand)).toEqual([])
      }),
      { numRuns: 1000, examples: CORNERS.map((corner) => [corner]) },
    )
  })

  it('keeps text at 4.5:1 and controls at 3:1 where the brand colour is not used', () => {
    expect(faint(FIXED, theme)).toEqual([])
  })

  it('keeps the hue of the brand colour', () => {
    fc.assert(
      fc.property(brands, (brand) => {
        const [, chroma, hue] = tokenColor('primary', theme, brand).oklch
        const [, , own] = tokenColor('brand', theme, brand).oklch
        expect(chroma).toBeGreaterThanOrEqual(0)
        expect(hue).toBeCloseTo(own)
      }),
    )
  })

  it('derives every primary token from the brand colour', () => {
    const derived = [...formulas(theme)].filter(([token]) => /^primary(?!-foreground)/.test(token))
    expect(derived).toHaveLength(4)
    for (const [, formula] of derived) expect(formula).toContain('from var(--brand)')
  })
})

describe('contrast', () => {
  it('contrast is computed by the formula of WCAG', () => {
    expect(contrast(tokenColor('brand', 'light', '#000000'), tokenColor('brand', 'light', '#ffffff'))).toBeCloseTo(21)
    expect(contrast(tokenColor('brand', 'light', '#777777'), tokenColor('brand', 'light', '#ffffff'))).toBeCloseTo(4.48, 2)
  })
})

describe('the colours that mails and the preview show', () => {
  it.each(BRAND_TOKENS)('the colours that mails and the preview show are those of the stylesheet: %s', (token) => {
    const hex = ({ rgb }: ReturnType<typeof tokenColor>) =>
      `#${rgb
        .map((channel) =>
          Math.round(channel * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`
    fc.assert(
      fc.property(brands, fc.constantFrom('light' as const, 'dark' as const), (brand, theme) => {
        expect(shownColor(token, theme, brand)).toBe(hex(tokenColor(token, theme, brand)))
      }),
      { examples: CORNERS.map((corner): [string, 'light' | 'dark'] => [corner, 'light']) },
    )
    expect(DEFAULT_PRIMARY).toBe(hex(tokenColor('brand', 'light')))
  })
})

describe('a brand', () => {
  const shown = (token: string) => document.documentElement.style.getPropertyValue(token)
  const PLAIN = { name: 'Nile', primary: null, secondary: null, warning: null, gauge: null }
  afterEach(forgetBrand)

  it('becomes the tokens of the page, and colours that it no longer has return to those of the product', () => {
    applyBrand({ ...PLAIN, primary: '#1f7a4d', gauge: '#334455' })
    expect([shown('--brand'), shown('--brand-gauge')]).toEqual(['#1f7a4d', '#334455'])
    applyBrand({ ...PLAIN, gauge: '#334455' })
    expect([shown('--brand'), shown('--brand-gauge')]).toEqual(['var(--brand-default)', '#334455'])
  })

  it.each(['', '#', 'red', '#fff', '#12345', '#1234567', '#12345g', 'url(#x)', '#123456;color:red', ' #123456', '#123456\n'])(
    'ignores a colour that is not six hex digits: %j',
    (color) => {
      expect(brandTokens({ ...PLAIN, primary: color })).toEqual([])
    },
  )
})
