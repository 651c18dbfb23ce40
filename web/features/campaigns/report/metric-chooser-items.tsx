import { useTranslation } from 'react-i18next'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuCheckboxItem } from '@/components/ui/dropdown-menu'
import type { Popup } from '@/lib/use-popup'
import { DEFAULT_METRICS, type Metric } from './report-names.ts'
import type { ReportView } from './use-report.ts'

export function MetricChooserItems({ report, popup }: { readonly report: ReportView; readonly popup: Popup }) {
  const { t } = useTranslation('reports')
  const { offered, metrics, patch } = report
  const choose = (chosen: readonly Metric[]) => {
    const usual = offered.filter((metric) => DEFAULT_METRICS.includes(metric))
    patch({ metrics: chosen.join(',') === usual.join(',') ? undefined : chosen.join(',') })
  }
  return (
    <MenuPanel popup={popup} label={t('metrics')} align="start" className="max-h-96 overflow-y-auto">
      {offered.map((metric) => {
        const shown = metrics.includes(metric)
        return (
          <DropdownMenuCheckboxItem
            key={metric}
            checked={shown}
            disabled={shown && metrics.length === 1}
            // Stays open: several metrics are chosen at a time.
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(show) => choose(offered.filter((one) => (one === metric ? show : metrics.includes(one))))}
            className="data-disabled:opacity-50"
          >
            {t(`metric.${metric}`)}
          </DropdownMenuCheckboxItem>
        )
      })}
    </MenuPanel>
  )
}
