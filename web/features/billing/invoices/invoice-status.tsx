import { useTranslation } from 'react-i18next'
import type { InvoiceSummary } from '#contract/invoices'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

const STATES = {
  1: ['draft', 'idle'],
  2: ['sent', 'warn'],
  3: ['paid', 'good'],
  4: ['partPaid', 'warn'],
  5: ['void', 'idle'],
  6: ['overdue', 'bad'],
} as const
/** The state of an invoice, with its dot. A credit note is issued, and asks for nothing. */
export function InvoiceStatus({ invoice: { status, kind } }: { readonly invoice: Pick<InvoiceSummary, 'status' | 'kind'> }) {
  const { t } = useTranslation('invoices')
  const known = status in STATES ? STATES[status as keyof typeof STATES] : STATES[1]
  const [name, tone] = kind === 'credit_note' ? (['issued', 'good'] as const) : known
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', toneInk(tone))}>
      <StatusDot tone={tone} />
      {t(`states.${name}`)}
    </span>
  )
}
