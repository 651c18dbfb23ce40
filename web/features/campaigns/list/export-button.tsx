import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { accountReport } from '../../../../api/contract/reports.ts'
import { download } from '@/data/client'
import { Button } from '@/components/ui/button'
import { saveFile } from '@/lib/save-file'
import type { ListScope } from '@/data/campaign-queries'
import { shownSpace } from '@/session/identity'
import { listInputOf, type ListSearch } from './campaign-list-search.ts'
import { useToday } from '@/lib/clock'

/** Exports the campaigns of the list, all pages, as a CSV file. */
export function ExportButton({ scope, search }: { readonly scope: ListScope; readonly search: ListSearch }) {
  const { t } = useTranslation('campaigns')
  const today = useToday()
  const exporting = useMutation({
    mutationFn: async () => {
      const { from_date, to_date, name, status_filter, space_id } = listInputOf(
        search,
        scope === 'all' ? null : shownSpace(),
        today,
      )
      saveFile(await download(accountReport, { body: { from_date, to_date, name, status_filter, space_id } }), 'campaigns.csv')
    },
    onSuccess: () => toast.success(t('export.done')),
  })
  return (
    <Button variant="outline" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
      <Download aria-hidden />
      {t('export.label')}
    </Button>
  )
}
