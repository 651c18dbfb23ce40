const KEY = 'DSP_BRAND'
// A colour from outside goes into the style of the page: nothing but six hex digits may pass.
const HEX = /^#[0-9a-f]{6}$/i

/** Makes the white-label's colour the accent of every screen, and remembers it for the first paint of the next visit. */
export function applyBrand(color: string | null) {
  if (color === null) return
  const hex = color.startsWith('#') ? color : `#${color}`
  if (!HEX.test(hex)) return
  localStorage.setItem(KEY, hex)
  document.documentElement.style.setProperty('--brand', hex)
}
