import { useTranslation } from 'react-i18next'
import { SearchImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { isDefaultRange } from '@/lib/date-range'
import type { ReportView } from './use-report.ts'

/** Shown where nothing was delivered. */
export function NoFigures({ report: { range, today } }: { readonly report: ReportView }) {
  const { t } = useTranslation('reports')
  return <EmptyState image={<SearchImage />} title={t(isDefaultRange(range, today) ? 'empty' : 'emptyFiltered')} />
}
