import { useTranslation } from 'react-i18next'
import type { LogEntry } from '../../../../../api/contract/audit.ts'
import { Dialog, DialogBody, DialogContent } from '../../../../components/ui/dialog.tsx'
import { formatMinute } from '../../../../i18n/format.ts'
import { DifferenceTable } from './difference-table.tsx'

type LogDialogProps = { readonly entry: LogEntry | null; readonly onClose: () => void }

/** Previous and current side by side; 800 to 1200 px wide (campaign.md §2). */
export function LogDialog({ entry, onClose }: LogDialogProps) {
  const { t } = useTranslation('log')
  return (
    <Dialog open={entry !== null} onOpenChange={(open) => !open && onClose()}>
      {entry !== null && (
        <DialogContent
          title={t('dialog')}
          description={t('by', { date: formatMinute(entry.commit_date), author: entry.author, revision: entry.revision })}
          className="top-[8vh] max-h-[84vh] w-[80vw] max-w-[1200px] min-w-[800px]"
        >
          <DialogBody className="pb-6" tabIndex={0}>
            <DifferenceTable changes={entry.state_difference} />
          </DialogBody>
        </DialogContent>
      )}
    </Dialog>
  )
}
