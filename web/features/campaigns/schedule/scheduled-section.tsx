import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { ScheduledChangeOut } from '#contract/schedules'
import { Button } from '@/components/ui/button'
import { useCan } from '@/session/can'
import { useCampaignCurrency } from '../form/use-rule-context.ts'
import type { ScheduleRow } from './schedule-plan.ts'
import { scheduleQueries } from './schedule-queries.ts'
import { actText, lineText } from './schedule-texts.ts'
import { useCancelScheduled } from './use-cancel-scheduled.ts'
import '@/i18n/texts/schedule'

const EndedChanges = lazy(() => import('./ended-changes.tsx'))
const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))

type ScheduledSectionProps = {
  readonly campaign: Campaign
  /** True where earlier changes are of interest although nothing waits. */
  readonly always?: boolean
}

/** Waiting changes of a campaign, with edit and cancel. The menu of the campaign schedules more. */
export default function ScheduledSection({ campaign, always = false }: ScheduledSectionProps) {
  const { t } = useTranslation('schedule')
  const mayWrite = useCan()('campaign.schedule', campaign)
  const { data } = useQuery(scheduleQueries.waiting(campaign.id))
  const [open, setOpen] = useState<ScheduledChangeOut | null>(null)
  const currency = useCampaignCurrency(campaign)
  const [earlier, setEarlier] = useState(false)
  const row: ScheduleRow = { ...campaign, currency: currency ?? '' }
  const { mutate: cancel, isPending } = useCancelScheduled()
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
        <Button asChild size="sm" variant="ghost">
          <Link to="/campaigns/schedule">{t('all')}</Link>
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
