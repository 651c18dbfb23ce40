/** What may stand in the input: digits with an optional decimal part, a trailing dot, or nothing (campaign.md §5). */
const TYPED = /^(\d+(\.\d*)?)?$/
/** Far beyond any real multiplier, and short enough to stay an exact number. */
const LONGEST = 15

/** What the input holds after somebody tried to make it `next`: anything else is ignored, a pasted negative is 0 (decisions G-156). */
export function typeMultiplier(current: string, next: string): string {
  const text = next.trim()
  if (TYPED.test(text)) return text.length > LONGEST ? current : text
  const negative = /^-\d+(\.\d*)?$/.test(text)
  return negative && text.slice(1) !== current ? '0' : current
}

/** Once it is left: nothing is 1, a trailing dot goes. */
export const settleMultiplier = (text: string): string => (text === '' ? '1' : text.replace(/\.$/, ''))
