import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { cancelScheduled, scheduleChanges, type ScheduledChangeOut } from '#contract/schedules'
import { useUndo } from '@/app/shortcuts/use-undo'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { useCan } from '@/session/can'
import { useCampaignCurrency } from '../form/use-rule-context.ts'
import type { ScheduleRow } from './schedule-plan.ts'
import { scheduleQueries } from './schedule-queries.ts'
import { actText, lineText } from './schedule-texts.ts'
import '@/i18n/texts/schedule'

const EndedChanges = lazy(() => import('./ended-changes.tsx'))
const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))

type ScheduledSectionProps = {
  readonly campaign: Campaign
  /** True where earlier changes are of interest although nothing waits. */
  readonly always?: boolean
}

/** What waits for a campaign, with edit and cancel. The menu of the campaign schedules more. */
export default function ScheduledSection({ campaign, always = false }: ScheduledSectionProps) {
  const { t } = useTranslation('schedule')
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const mayWrite = useCan()('campaign.schedule', campaign)
  const { data } = useQuery(scheduleQueries.waiting(campaign.id))
  const [open, setOpen] = useState<ScheduledChangeOut | null>(null)
  const currency = useCampaignCurrency(campaign)
  const [earlier, setEarlier] = useState(false)
  const row: ScheduleRow = { ...campaign, currency: currency ?? '' }
  const refresh = () => queryClient.invalidateQueries({ queryKey: scheduleQueries.waiting(campaign.id).queryKey })
  const { mutate: cancel, isPending } = useMutation({
    meta: { silent: true },
    mutationFn: (change: ScheduledChangeOut) => call(cancelScheduled, { params: { id: change.id } }),
    onError: (error) => errorToast(error),
    onSuccess: (_answer, { act, fields, due_at, note, group }) =>
      offerUndo({
        text: t('cancelled'),
        undo: async () => {
          const body = { changes: [{ act, fields, due_at }], note, group }
          await call(scheduleChanges, { params: { id: campaign.id }, body }).catch(errorToast)
          await refresh()
        },
      }),
    onSettled: refresh,
  })
  const waiting = data?.data ?? []
  if (waiting.length === 0 && !always) return null
  return (
    <section aria-label={t('section')} className="flex flex-col items-start gap-1.5">
      {waiting.length > 0 && (
        <ul className="text-[0.8125rem]/4.5 flex flex-col gap-1">
          {waiting.map((change) => (
            <li key={change.id} data-testid="scheduled-change" className="flex flex-wrap items-baseline gap-x-3">
              <CalendarClock aria-hidden className="text-muted-foreground size-4 self-center" />
              <span>{lineText(change, row)}</span>
              <span className="text-muted-foreground">
                {[t('by', { name: change.by }), change.note].filter((text) => text !== '').join(' · ')}
              </span>
              {mayWrite && change.state === 'waiting' && (
                <>
                  <Button
                    size="sm"
                    variant="link"
                    aria-label={t('edit', { what: actText(change, row) })}
                    onClick={() => setOpen(change)}
                  >
                    {t('editButton')}
                  </Button>
                  <Button
                    size="sm"
                    variant="link"
                    disabled={isPending}
                    aria-label={t('cancel', { what: actText(change, row) })}
                    onClick={() => cancel(change)}
                  >
                    {t('cancelButton')}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-3">
        <Button size="sm" variant="ghost" aria-expanded={earlier} onClick={() => setEarlier(!earlier)}>
          {t('earlier')}
        </Button>
      </div>
      {earlier && (
        <Suspense>
          <EndedChanges row={row} />
        </Suspense>
      )}
      {open !== null && (
        <Suspense>
          <ScheduleDialog rows={[row]} editing={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </section>
  )
}
