import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { restoreCampaign, undoRevision } from '#contract/audit'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { ActionDialog } from '@/components/dialog-frame'
import { Notice } from '@/components/ui/notice'
import { statusName } from '@/data/campaign-status'
import { moderationQueries } from '@/data/moderation-queries'
import { errorText } from '@/i18n/error-text'
import { campaignQueries } from '@/data/campaign-queries'
import { Lines } from './as-was-dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { pathLabel } from './log-labels.ts'

/** `restore` returns to the state after a revision; `undo` reverts only that revision's changes. */
export type TakeBack = 'restore' | 'undo'
const CALLS = { restore: restoreCampaign, undo: undoRevision } as const
const CHANGED_SINCE = 140

type TakeBackDialogProps = {
  readonly kind: TakeBack
  readonly campaign: string
  readonly revision: number
  readonly onCancel: () => void
  readonly onDone: () => void
}

/** Asks for confirmation and shows the result, which a dry run of the same call has returned. */
export function TakeBackDialog({ kind, campaign, revision, onCancel, onDone }: TakeBackDialogProps) {
  const { t } = useTranslation(['log', 'status'])
  const input = { params: { id: campaign }, body: { revision } }
  const trial = useQuery({
    // The query key is under the log's, so every write refetches the dry run.
    queryKey: [...campaignQueries.logs(), campaign, 'trial', kind, revision],
    queryFn: async ({ signal }) => {
      const answer = await call(CALLS[kind], { ...input, query: { dry_run: 'true' }, signal })
      if (!('diff' in answer)) throw new Error('a dry run answered like a save')
      return answer
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const done = useMutation({
    meta: {
      invalidates: [campaignQueries.lists(), campaignQueries.details(), campaignQueries.logs(), moderationQueries.all()],
    },
    mutationFn: () => call(CALLS[kind], input),
    onSuccess: (answer) => {
      toast.success(t(`log:takeBack.${kind}.done`, { revision }))
      if ('kept' in answer && answer.kept.length > 0)
        toast.info(t('log:takeBack.kept', { fields: answer.kept.map(pathLabel).join(', ') }))
      onDone()
    },
  })
  const { data, error } = trial
  const changes = data?.diff ?? []
  return (
    <ActionDialog
      title={t(`log:takeBack.${kind}.title`, { revision })}
      description={t(`log:takeBack.${kind}.text`, { revision })}
      className="w-[680px]"
      body={{ tabIndex: 0, 'aria-busy': data === undefined && error === null }}
      cancel={t('log:takeBack.cancel')}
      confirm={t(`log:takeBack.${kind}.confirm`)}
      disabled={changes.length === 0 || done.isPending}
      onConfirm={() => done.mutate()}
      onClose={onCancel}
    >
      {error !== null ? (
        <Notice tone="bad" role="alert">
          <CircleAlert aria-hidden />
          <div>
            <p className="font-medium">{t('log:takeBack.refused')}</p>
            <p>{refusalText(error, (revisions) => t('log:takeBack.conflict', { revisions }))}</p>
          </div>
        </Notice>
      ) : data === undefined ? (
        <>
          <p className="text-muted-foreground">{t('log:takeBack.checking')}</p>
          <Lines />
        </>
      ) : changes.length === 0 ? (
        <output>{t('log:takeBack.nothing')}</output>
      ) : (
        <>
          <output>{t('log:takeBack.changes', { count: changes.length })}</output>
          <ChangeList changes={changes} states={[]} />
          <p className="text-muted-foreground">
            {t('log:takeBack.status', { status: t(`status:label.${statusName(data.status_key)}`) })}
            {data.moderator_needed && ` ${t('log:takeBack.moderator')}`}
          </p>
        </>
      )}
    </ActionDialog>
  )
}

/** Values changed again since cannot be undone alone; the faults name the later revisions. */
function refusalText(error: Error, conflict: (revisions: string) => string): string {
  if (!(error instanceof AppError) || error.code !== CHANGED_SINCE || error.faults.length === 0) return errorText(error)
  return conflict(error.faults.map(({ path }) => path.replace('revision.', '')).join(', '))
}
