import { Columns3 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import type { ReportView } from './use-report.ts'

const load = () => import('./metric-chooser-items.tsx')
const MetricChooserItems = lazy(async () => ({ default: (await load()).MetricChooserItems }))

/** A menu of the metrics that are cards, and columns of the table. */
export function MetricChooser({ report }: { readonly report: ReportView }) {
  const { t } = useTranslation('reports')
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button variant="outline" {...trigger}>
        <Columns3 aria-hidden />
        {t('metrics')}
      </Button>
      {shown && (
        <Suspense>
          <MetricChooserItems report={report} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
