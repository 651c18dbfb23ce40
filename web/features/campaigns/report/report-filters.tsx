import { ListFilter, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import type { ReportView } from './use-report.ts'

const load = () => import('./report-filters-panel.tsx')
const ReportFiltersPanel = lazy(async () => ({ default: (await load()).ReportFiltersPanel }))

/** The button of the filters, with their number, and one that clears them. */
export function ReportFilters({ report }: { readonly report: ReportView }) {
  const { t } = useTranslation('reports')
  const { shown, trigger, popup } = usePopup('dialog', load)
  const { devices, size, publisher } = report.filters
  const count = devices.length + (size === null ? 0 : 1) + (publisher === null ? 0 : 1)
  return (
    <>
      <Button variant="outline" {...trigger}>
        <ListFilter aria-hidden />
        {count === 0 ? t('filters.open') : t('filters.openCount', { count })}
      </Button>
      {shown && (
        <Suspense>
          <ReportFiltersPanel report={report} popup={popup} />
        </Suspense>
      )}
      {count > 0 && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('filters.clear')}
          onClick={() => {
            trigger.ref.current?.focus()
            report.patch({ devices: undefined, size: undefined, publisher: undefined })
          }}
        >
          <X aria-hidden />
        </Button>
      )}
    </>
  )
}
