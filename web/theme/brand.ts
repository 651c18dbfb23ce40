const KEY = 'DSP_BRAND'
// The colour is external input and goes into the page's style, so only six hex digits are accepted.
const HEX = /^#[0-9a-f]{6}$/i

/** Applies the white-label's colour as the brand token, and stores it for the first paint of the next visit. */
export function applyBrand(color: string | null) {
  if (color === null) return
  const hex = color.startsWith('#') ? color : `#${color}`
  if (!HEX.test(hex)) return
  localStorage.setItem(KEY, hex)
  document.documentElement.style.setProperty('--brand', hex)
}
