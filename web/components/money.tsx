import { cn } from '@/lib/utils'
import { formatMoney as format } from '@/i18n/format'

/**
 * Money with the symbol of its currency, in the reader's number format. The currency is required: it belongs to the account that pays and
 * has no default.
 */
export const formatMoney = (value: number, currency: string): string => format(value, currency)

type MoneyProps = {
  readonly value: number
  /** ISO 4217. */
  readonly currency: string
  /** Puts the amount into a phrase, such as "$5.00 a day". */
  readonly within?: (amount: string) => string
  readonly className?: string
}

export function Money({ value, currency, within, className }: MoneyProps) {
  const amount = formatMoney(value, currency)
  return (
    <span data-slot="money" className={cn('whitespace-nowrap tabular-nums', className)}>
      {within === undefined ? amount : within(amount)}
    </span>
  )
}
