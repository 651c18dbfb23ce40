import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { removeSavedReport, type SavedReport } from '#contract/saved-reports'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { savedKey, savedQuery, searchOf } from './saved-reports.ts'
import { useScheduleText } from './schedule-text.ts'

type SavedReportsDialogProps = {
  readonly today: Date
  readonly onSave: () => void
  readonly onClose: () => void
}

/** The saved reports of the user, and for owners those of the account's people, each to open and to remove. */
export default function SavedReportsDialog({ today, onSave, onClose }: SavedReportsDialogProps) {
  const { t } = useTranslation('reports')
  const { data, error, refetch } = useQuery(savedQuery())
  return (
    <DialogFrame title={t('saved.title')} description={t('saved.text')} className="w-[560px]" onClose={onClose}>
      <DialogStep confirm={t('saved.save')} onConfirm={onSave}>
        {data === undefined && error !== null && (
          <LoadError title={t('saved.error')} error={error} onRetry={() => void refetch()} />
        )}
        {data?.length === 0 && <p className="text-muted-foreground">{t('saved.none')}</p>}
        {data !== undefined && data.length > 0 && (
          <ul className="flex flex-col">
            {data.map((saved) => (
              <SavedRow key={saved.id} saved={saved} today={today} onOpen={onClose} />
            ))}
          </ul>
        )}
      </DialogStep>
    </DialogFrame>
  )
}

type SavedRowProps = { readonly saved: SavedReport; readonly today: Date; readonly onOpen: () => void }

function SavedRow({ saved, today, onOpen }: SavedRowProps) {
  const { t } = useTranslation('reports')
  const textOf = useScheduleText()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(removeSavedReport, { params: { id: saved.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedKey() }),
    onError: (error) => errorToast(error),
  })
  return (
    <li className="border-border flex items-center gap-3 border-b py-2 last:border-0">
      <span className="flex min-w-0 grow flex-col">
        <Link
          to="/reports"
          search={searchOf(saved, today)}
          onClick={onOpen}
          className="rounded-[3px] font-medium [overflow-wrap:anywhere] hover:underline"
        >
          {saved.name}
        </Link>
        <span className="text-muted-foreground text-xs">
          {saved.owner !== null && `${t('saved.by', { name: saved.owner })} · `}
          {textOf(saved.schedule, saved.schedule_day)}
        </span>
      </span>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('saved.remove', { name: saved.name })}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  )
}
