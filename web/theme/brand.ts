import { useSyncExternalStore } from 'react'

/** The part of a white-label that every screen shows. Colours are #rrggbb; null is the product's own. */
export type Brand = {
  readonly name: string
  readonly primary: string | null
  readonly secondary: string | null
  readonly warning: string | null
  readonly gauge: string | null
}

// The colours are external input and go into the page's style, so only six hex digits are accepted.
const HEX = /^#[0-9a-f]{6}$/i

const TOKENS = [
  ['--brand', 'primary'],
  ['--brand-secondary', 'secondary'],
  ['--brand-warning', 'warning'],
  ['--brand-gauge', 'gauge'],
] as const

/** The tokens of a brand, for the style of an element. Colours that are not six hex digits are left out. */
export const brandTokens = (brand: Omit<Brand, 'name'>): readonly (readonly [token: string, color: string])[] =>
  TOKENS.flatMap(([token, key]) => {
    const color = brand[key]
    return color !== null && HEX.test(color) ? [[token, color] as const] : []
  })

let name: string | null = null
const listeners = new Set<() => void>()

/**
 * Applies the brand to the page. The server puts it into the page's head as well, so that the first paint has it: this is for
 * changes while the page is open.
 */
export function applyBrand(brand: Brand) {
  const { style } = document.documentElement
  const tokens = new Map(brandTokens(brand))
  for (const [token] of TOKENS) {
    const color = tokens.get(token)
    // Without a colour, the value from the server's stylesheet would stay.
    if (color === undefined) style.setProperty(token, `var(${token}-default)`)
    else style.setProperty(token, color)
  }
  if (name === brand.name) return
  name = brand.name
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The name of the white-label in the head of the page; null in a page that the server did not write. */
const nameInPage = (): string | null => document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? null

const shownName = () => name ?? nameInPage()

/** The name of the white-label; null until it is known. */
export const useBrandName = () => useSyncExternalStore(subscribe, shownName)

/** For tests: forgets what was applied. */
export function forgetBrand() {
  name = null
  for (const [token] of TOKENS) document.documentElement.style.removeProperty(token)
}
