import { render, screen } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Alert, AlertDescription, Badge } from '../test/stock-components.tsx'
import { tokenColor } from '@/test/tokens-fixture'

const WEB = join(import.meta.dirname, '..')
const css = readFileSync(join(WEB, 'styles.css'), 'utf8')
/** The colour names of the theme, each with the token that it shows. */
const themeColors = new Map(
  [...css.matchAll(/--color-([\w-]+): (?:var\(--([\w-]+)\)|[^;]+);/g)].map(([, name = '', token]) => [name, token]),
)
/** Words that follow the same prefixes as colours, but set a width, a size, a style or a position. */
const NO_COLOR =
  /^(\d.*|\[.*|\(.*|xs|sm|base|lg|xl|2xl|left|right|center|top|bottom|wrap|nowrap|balance|pretty|ellipsis|clip|none|dashed|solid|dotted|collapse|separate|spacing-.*|[lrtbxy](-\d+)?|hidden|offset-.*|inset|repeat|cover|contain|no-repeat|fixed|linear.*)$/
const COLOR_UTILITY =
  /(?:^|:|\s)(?:bg|text|border(?:-[lrtbxy])?|ring|outline|fill|stroke|from|to|via|divide|decoration|accent|caret|placeholder)-([a-z0-9[(][^\s'"`/:]*)/g

/** The colour names that the classes of a source text use. */
function colorsOf(source: string): readonly string[] {
  const classes = [...source.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].flatMap(([, single, double]) =>
    (single ?? double ?? '').split(/\s+/),
  )
  const words = classes.flatMap((name) => [...` ${name}`.matchAll(COLOR_UTILITY)].map(([, value = '']) => value))
  return [...new Set(words)].filter((word) => !NO_COLOR.test(word))
}

const PRIMITIVES = readdirSync(join(WEB, 'components/ui')).filter((file) => file.endsWith('.tsx'))
const sourceOf = (path: string) => readFileSync(join(WEB, path), 'utf8')

describe('the stock components of shadcn/ui', () => {
  it('the stock components of shadcn/ui render with their own variants', () => {
    render(
      <Alert variant="destructive">
        <AlertDescription>The card was declined</AlertDescription>
        <Badge variant="secondary" className="px-4">
          New
        </Badge>
      </Alert>,
    )
    expect(screen.getByRole('alert')).toHaveClass('text-destructive', 'bg-card')
    expect(screen.getByText('New')).toHaveClass('bg-secondary', 'px-4')
    expect(screen.getByText('New')).not.toHaveClass('px-2')
  })

  it.each(['test/stock-components.tsx', ...PRIMITIVES.map((file) => `components/ui/${file}`)])(
    '%s uses theme colours only',
    (path) => {
      const unknown = colorsOf(sourceOf(path)).filter((color) => !themeColors.has(color))
      expect(unknown).toEqual([])
    },
  )

  it('the stock components of shadcn/ui are detected by the colours that they use', () => {
    const colors = colorsOf(sourceOf('test/stock-components.tsx'))
    expect(colors).toEqual(
      expect.arrayContaining(['primary', 'primary-foreground', 'ring', 'destructive', 'border', 'white', 'card']),
    )
    expect(colorsOf("'bg-canvas hover:text-ink-soft border-2'")).toEqual(['canvas', 'ink-soft'])
  })

  it.each(['light', 'dark'] as const)(
    'the stock components of shadcn/ui find a value for every token in the %s theme',
    (theme) => {
      const tokens = [...themeColors.values()].filter((token) => token !== undefined)
      expect(tokens.length).toBeGreaterThan(30)
      for (const token of tokens) {
        if (token === 'scrim') continue // Translucent: the fixture computes opaque colours.
        expect(tokenColor(token, theme).rgb.every((channel) => channel >= 0 && channel <= 1)).toBe(true)
      }
    },
  )

  it('the stock components of shadcn/ui find the standard tokens under their standard names', () => {
    const standard =
      'background foreground card card-foreground popover popover-foreground primary primary-foreground secondary secondary-foreground muted muted-foreground accent accent-foreground destructive border input ring chart-1 chart-2 chart-3 chart-4 chart-5 sidebar sidebar-foreground sidebar-primary sidebar-primary-foreground sidebar-accent sidebar-accent-foreground sidebar-border sidebar-ring'
    expect(standard.split(' ').filter((token) => !themeColors.has(token))).toEqual([])
    expect(css).toMatch(/--radius: [\d.]+rem;/)
  })
})
