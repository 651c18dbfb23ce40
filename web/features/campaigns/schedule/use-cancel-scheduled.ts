import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cancelScheduled, scheduleChanges, type ScheduledChangeOut } from '#contract/schedules'
import { useUndo } from '@/app/shortcuts/use-undo'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { refreshScheduled } from './schedule-queries.ts'

/** Cancels what waits. An Undo schedules it again; it then belongs to who pressed it. */
export function useCancelScheduled() {
  const { t } = useTranslation('schedule')
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  return useMutation({
    meta: { silent: true },
    mutationFn: (change: ScheduledChangeOut) => call(cancelScheduled, { params: { id: change.id } }),
    onError: (error) => errorToast(error),
    onSuccess: (_answer, { campaign_id: id, act, fields, due_at, note, group }) =>
      offerUndo({
        text: t('cancelled'),
        undo: async () => {
          const body = { changes: [{ act, fields, due_at }], note, group }
          await call(scheduleChanges, { params: { id }, body }).catch(errorToast)
          await refreshScheduled(queryClient, [id])
        },
      }),
    onSettled: (_answer, _error, { campaign_id: id }) => refreshScheduled(queryClient, [id]),
  })
}
