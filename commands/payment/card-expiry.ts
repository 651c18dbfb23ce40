/** Before the end of a card's last month, milliseconds: it is shown as expiring, and its owner gets a mail. */
export const EXPIRES_SOON_MS = 30 * 86_400_000

/** The end of the card's last month, epoch milliseconds. */
export const expiryOf = ({
  exp_month: month,
  exp_year: year,
}: {
  readonly exp_month: number
  readonly exp_year: number
}): number => Date.UTC(year, month, 1)
