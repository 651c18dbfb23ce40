import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '@/components/ui/notice'
import { fieldLabel } from './field-label.ts'
import type { TabKey } from './form-tabs.ts'
import type { SaveMode } from './use-campaign-save.ts'

export type SummaryItem = { readonly field: string | null; readonly tab: TabKey | null; readonly text: string }
type ErrorSummaryProps = {
  /** What these faults stand in the way of. */
  readonly mode: SaveMode
  readonly items: readonly SummaryItem[]
  readonly onGo: (item: SummaryItem) => void
}

/** Everything to mend in one place; each line leads to its field. */
export function ErrorSummary({ mode, items, onGo }: ErrorSummaryProps) {
  const { t } = useTranslation('form')
  if (items.length === 0) return null
  return (
    <Notice tone="bad" role="alert">
      <CircleAlert aria-hidden />
      <div>
        <p className="font-semibold">{t(`summary.${mode}`, { count: items.length })}</p>
        <ul className="mt-1 flex flex-col gap-0.5">
          {items.map((item) => (
            <li key={`${item.field}${item.text}`}>
              {item.tab === null ? (
                item.text
              ) : (
                <button
                  type="button"
                  onClick={() => onGo(item)}
                  className="min-h-6 rounded-[3px] text-left underline underline-offset-2"
                >
                  {item.field === null ? item.text : `${fieldLabel(item.field)}: ${item.text}`}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}
