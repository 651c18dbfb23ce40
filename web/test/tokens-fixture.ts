import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Computes the colours of styles.css for a brand colour as browsers do. */

const BRAND_COLORS: readonly string[] = ['brand', 'brand-secondary', 'brand-warning', 'brand-gauge']

type Triple = readonly [number, number, number]
/** `oklch`: lightness 0 to 1, chroma, hue in degrees. `rgb`: the displayed channels, 0 to 1. */
type Color = { readonly oklch: Triple; readonly rgb: Triple }
export type Theme = 'light' | 'dark'

const css = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8')

function declared(selector: string): ReadonlyMap<string, string> {
  // The last block: the first one of the dark theme has the tokens that it shares with the light one.
  const from = css.lastIndexOf(`\n${selector} {`)
  const block = css.slice(from, css.indexOf('\n}', from))
  return new Map(
    [...block.matchAll(/--([\w-]+): (oklch\(.+\)|var\(--[\w-]+\));/g)].map(([, name = '', formula = '']) => [name, formula]),
  )
}

const light = new Map([...declared(':root'), ...declared(':root,\n.light,\n.dark')])
const FORMULAS = { light, dark: new Map([...light, ...declared('.dark')]) } as const

/** The formulas of a theme by token. */
export const formulas = (theme: Theme): ReadonlyMap<string, string> => FORMULAS[theme]

/**
 * Returns the colour of a token in a theme, for the given brand colour or for the default one. All four colours of the brand are
 * the given one.
 */
export function tokenColor(token: string, theme: Theme, brand?: string): Color {
  if (BRAND_COLORS.includes(token) && brand !== undefined) return fromHex(brand)
  const formula = FORMULAS[theme].get(token)
  const alias = /^var\(--([\w-]+)\)$/.exec(formula ?? '')?.[1]
  if (alias !== undefined) return tokenColor(alias, theme, brand)
  const [, origin, parts] = /^oklch\((?:from var\(--([\w-]+)\) )?(.+)\)$/.exec(formula ?? '') ?? []
  if (parts === undefined) throw new Error(`${theme} has no formula for --${token}: ${formula}`)
  const [l, c, h] = origin === undefined ? [0, 0, 0] : tokenColor(origin, theme, brand).oklch
  const [first = 0, second = 0, third = 0] = split(parts, ' ').map((part) => calculate(part, { l, c, h }))
  return fromOklch([first, second, third])
}

/** Splits at a separator outside parentheses. */
function split(text: string, separator: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    if (depth === 0 && character === separator) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

type Channels = Readonly<Record<'l' | 'c' | 'h', number>>

/** Evaluates the arithmetic of the formulas: numbers, channels, min, max, clamp, and calc with +, - and *. */
function calculate(text: string, channels: Channels): number {
  const [, name, inner = ''] = /^(min|max|clamp|calc)\((.*)\)$/.exec(text) ?? []
  if (name === 'calc') return calculate(inner, channels)
  if (name !== undefined) {
    const [first = 0, second = 0, third = 0] = split(inner, ',').map((part) => calculate(part, channels))
    if (name === 'clamp') return Math.max(first, Math.min(second, third))
    return name === 'min' ? Math.min(first, second) : Math.max(first, second)
  }
  const terms = split(text, ' ')
  if (terms.length > 1) return sum(terms, channels)
  if (text === 'l' || text === 'c' || text === 'h') return channels[text]
  const value = Number(text)
  if (!Number.isFinite(value)) throw new Error(`unsupported formula in styles.css: ${text}`)
  return value
}

function sum([first = '0', ...rest]: readonly string[], channels: Channels): number {
  let total = calculate(first, channels)
  for (let at = 0; at < rest.length; at += 2) {
    const value = calculate(rest[at + 1] ?? '', channels)
    if (rest[at] === '*') total *= value
    else total += rest[at] === '-' ? -value : value
  }
  return total
}

const decoded = (channel: number) => (channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const encoded = (channel: number) => (channel <= 0.003_130_8 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

/** Clips each channel that is out of gamut, as Chromium does. */
function fromOklch(oklch: Triple): Color {
  const [lightness, chroma, hue] = oklch
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  const shown = (channel: number) => encoded(Math.max(0, Math.min(1, channel)))
  return {
    oklch,
    rgb: [
      shown(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
      shown(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
      shown(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s),
    ],
  }
}

function fromHex(hex: string): Color {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  const rgb: Triple = [channel(1), channel(3), channel(5)]
  const [red, green, blue] = [decoded(rgb[0]), decoded(rgb[1]), decoded(rgb[2])]
  const l = Math.cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
  const m = Math.cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
  const s = Math.cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
  const a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s
  const b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s
  const lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s
  return { oklch: [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI], rgb }
}

const luminance = ({ rgb: [red, green, blue] }: Color) => 0.2126 * decoded(red) + 0.7152 * decoded(green) + 0.0722 * decoded(blue)

/** Returns the contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (light + 0.05) / (dark + 0.05)
}
