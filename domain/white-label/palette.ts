/**
 * The colours that screens and mails show for a white-label's own ones. Any colour may be chosen: its hue is kept, and its lightness
 * and chroma are limited until text on it keeps a contrast of 4.5:1. The formulas are those of `web/styles.css`, which a test compares.
 */

type Oklch = readonly [lightness: number, chroma: number, hue: number]
type Rgb = readonly [red: number, green: number, blue: number]

const decoded = (channel: number) => (channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const encoded = (channel: number) => (channel <= 0.003_130_8 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

/** Channels of a #rrggbb colour, 0 to 1. */
function rgbOf(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

function oklchOf(hex: string): Oklch {
  const [red, green, blue] = rgbOf(hex).map(decoded) as unknown as Rgb
  const l = Math.cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
  const m = Math.cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
  const s = Math.cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
  const a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s
  const b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s
  const lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s
  return [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI]
}

/** Clips each channel that is out of gamut, as browsers do. */
function hexOf([lightness, chroma, hue]: Oklch): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  const shown = (channel: number) =>
    Math.round(encoded(Math.max(0, Math.min(1, channel))) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${shown(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s)}${shown(
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
  )}${shown(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s)}`
}

const luminance = (hex: string): number => {
  const [red, green, blue] = rgbOf(hex)
  return 0.2126 * decoded(red) + 0.7152 * decoded(green) + 0.0722 * decoded(blue)
}

/** The contrast ratio of WCAG 2 between two #rrggbb colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

export type Theme = 'light' | 'dark'

/** Lightness and largest chroma of a token. Without `exact`, a darker colour stays as dark as it is. */
type Formula = { readonly l: number; readonly c: number; readonly exact?: true }

/** Tokens that follow the colours of a white-label, with their formulas of each theme. */
const FORMULAS = {
  primary: { light: { l: 0.52, c: 0.21 }, dark: { l: 0.535, c: 0.135, exact: true } },
  'primary-ink': { light: { l: 0.47, c: 0.21 }, dark: { l: 0.78, c: 0.12, exact: true } },
  'primary-tint': { light: { l: 0.955, c: 0.022, exact: true }, dark: { l: 0.29, c: 0.05, exact: true } },
  'chart-2': { light: { l: 0.6, c: 0.2 }, dark: { l: 0.72, c: 0.11, exact: true } },
  warning: { light: { l: 0.5, c: 0.11 }, dark: { l: 0.84, c: 0.12, exact: true } },
  'warning-tint': { light: { l: 0.965, c: 0.032, exact: true }, dark: { l: 0.29, c: 0.04, exact: true } },
  gauge: { light: { l: 0.52, c: 0.21 }, dark: { l: 0.7, c: 0.14, exact: true } },
} as const satisfies Record<string, Readonly<Record<Theme, Formula>>>
export type BrandToken = keyof typeof FORMULAS
export const BRAND_TOKENS = Object.keys(FORMULAS) as readonly BrandToken[]

/** The shown colour of a token for a chosen #rrggbb colour. */
export function shownColor(token: BrandToken, theme: Theme, chosen: string): string {
  const { l, c, exact }: Formula = FORMULAS[token][theme]
  const [lightness, chroma, hue] = oklchOf(chosen)
  return hexOf([exact === true ? l : Math.min(lightness, l), Math.min(chroma, c), hue])
}

/** The product's own primary colour. */
export const DEFAULT_PRIMARY = hexOf([0.49, 0.18, 266])

/** The product's own colours, by the colour of a white-label that replaces them. */
export const DEFAULT_COLORS = {
  primary: DEFAULT_PRIMARY,
  secondary: hexOf([0.6, 0.12, 195]),
  warning: hexOf([0.68, 0.15, 66]),
  gauge: DEFAULT_PRIMARY,
} as const

/** Text on the primary colour, in both themes. */
export const ON_PRIMARY = '#ffffff'
