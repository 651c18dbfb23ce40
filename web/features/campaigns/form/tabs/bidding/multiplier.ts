/** What may stand in the input while it is typed: digits, one decimal point or comma, a sign (campaign.md §5). */
const TYPING = /^-?\d*([.,]\d*)?$/
/** Far beyond any real multiplier, and short enough to stay an exact number. */
const LONGEST = 15

/** True for text that may stand in the input; anything else is ignored. */
export const mayStand = (text: string): boolean => text.length <= LONGEST && TYPING.test(text)

/** The multiplier that typed text means: nothing is 1, a negative number is 0, and a comma is a decimal point. */
export function multiplierOf(text: string): string {
  if (!/\d/.test(text)) return '1'
  return text.startsWith('-') ? '0' : String(Number(text.replace(',', '.')))
}
