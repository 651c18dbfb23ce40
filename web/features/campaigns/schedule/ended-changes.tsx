import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/ui/skeleton'
import { errorText } from '@/i18n/error-text'
import type { ScheduleRow } from './schedule-plan.ts'
import { scheduleQueries } from './schedule-queries.ts'
import { lineText, outcomeText } from './schedule-texts.ts'

/** The newest changes of a campaign that ended, with their outcome and why one was refused. */
export default function EndedChanges({ row }: { readonly row: ScheduleRow }) {
  const { t } = useTranslation('schedule')
  const { data, error } = useQuery(scheduleQueries.ended(row.id))
  if (error !== null) return <p role="alert">{errorText(error)}</p>
  if (data === undefined) return <Skeleton className="h-5 w-80" />
  if (data.data.length === 0) return <p className="text-muted-foreground">{t('noEarlier')}</p>
  return (
    <ul className="text-[0.8125rem]/4.5 flex flex-col gap-1">
      {data.data.map((change) => (
        <li key={change.id} data-testid="ended-change">
          {lineText(change, row)}
          <span className="text-muted-foreground">{` · ${outcomeText(change)}`}</span>
        </li>
      ))}
    </ul>
  )
}
