import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { savedQuery, searchOf } from './saved-reports.ts'
import type { TableAsked } from './report-queries.ts'
import type { ReportView } from './use-report.ts'

const SavedReportsDialog = lazy(() => import('./saved-reports-dialog.tsx'))
const SaveReportDialog = lazy(() => import('./save-report-dialog.tsx'))

type SavedReportsButtonProps = { readonly report: ReportView; readonly asked: TableAsked }

/** Opens the saved reports, and saves the one that is shown. */
export function SavedReportsButton({ report, asked }: SavedReportsButtonProps) {
  const { t } = useTranslation('reports')
  const [shown, setShown] = useState<'nothing' | 'list' | 'form'>('nothing')
  return (
    <>
      <Button variant="outline" onClick={() => setShown('list')}>
        <Bookmark aria-hidden />
        {t('saved.title')}
      </Button>
      <Suspense>
        {shown === 'list' && (
          <SavedReportsDialog today={report.today} onSave={() => setShown('form')} onClose={() => setShown('nothing')} />
        )}
        {shown === 'form' && <SaveReportDialog report={report} asked={asked} onClose={() => setShown('nothing')} />}
      </Suspense>
      {report.search.saved !== undefined && <OpenSaved id={report.search.saved} today={report.today} />}
    </>
  )
}

/** Leads from the link of a mail to its report. */
function OpenSaved({ id, today }: { readonly id: string; readonly today: Date }) {
  const { data } = useQuery(savedQuery())
  const saved = data?.find((one) => one.id === id)
  return saved === undefined ? null : <Navigate to="/reports" search={searchOf(saved, today)} replace />
}
