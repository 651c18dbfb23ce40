/** Text allowed while typing: digits, one decimal point or comma, a sign (campaigns.md §5). */
const TYPING = /^-?\d*([.,]\d*)?$/
/** Maximum length: above any real multiplier, and short enough for an exact number. */
const LONGEST = 15

/** True for allowed text; other input is ignored. */
export const mayStand = (text: string): boolean => text.length <= LONGEST && TYPING.test(text)

/** Returns the multiplier of typed text: empty is 1, a negative number is 0, and a comma is a decimal point. */
export function multiplierOf(text: string): string {
  if (!/\d/.test(text)) return '1'
  return text.startsWith('-') ? '0' : String(Number(text.replace(',', '.')))
}
