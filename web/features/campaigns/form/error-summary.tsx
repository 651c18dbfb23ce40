import { useTranslation } from 'react-i18next'
import { ErrorSummary as Summary } from '@/components/form/error-summary'
import { fieldLabel } from './field-label.ts'
import type { TabKey } from './form-tabs.ts'

export type SummaryItem = { readonly field: string | null; readonly tab: TabKey | null; readonly text: string }
type ErrorSummaryProps = {
  /** The action that the errors prevent. */
  readonly mode: 'save' | 'publish'
  readonly items: readonly SummaryItem[]
  readonly onGo: (item: SummaryItem) => void
}

export function ErrorSummary({ mode, items, onGo }: ErrorSummaryProps) {
  const { t } = useTranslation('form')
  return (
    <Summary
      title={t(`summary.${mode}`, { count: items.length })}
      lines={items.map((item) => ({
        key: `${item.field}${item.text}`,
        text: item.field === null || item.tab === null ? item.text : `${fieldLabel(item.field)}: ${item.text}`,
        onGo: item.tab === null ? null : () => onGo(item),
      }))}
    />
  )
}
