import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reviewStatistics, reviewStatisticsCsv, type ReviewStatistics } from '#contract/moderation'
import { CsvButton } from '@/components/data-table/csv-button'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { NativeSelect, NativeSelectOption } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table'
import { call, download } from '@/data/client'
import { formatCount } from '@/i18n/format'
import { useToday } from '@/lib/clock'
import { rangeOf, type DateRange } from '@/lib/date-range'
import { useCan } from '@/session/can'
import { StatisticsCharts } from './statistics-charts.tsx'
import type { StatisticsSearch } from './statistics-search.ts'
import { useFigures } from './use-figures.ts'
import '@/i18n/texts/moderation'

type StatisticsPageProps = {
  readonly search: StatisticsSearch
  readonly onRange: (range: DateRange, today: Date) => void
}

/** Decisions of moderators in a range of days, how fast they were, and how many waited (fine print 101). */
export function StatisticsPage({ search, onRange }: StatisticsPageProps) {
  const { t } = useTranslation('moderation')
  const today = useToday()
  const range = rangeOf(search, today)
  const query = { from: range.start, to: range.end }
  const can = useCan()
  const [moderator, setModerator] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['moderation-statistics', query],
    queryFn: ({ signal }) => call(reviewStatistics, { query, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={t('statistics.title')}
      description={t('statistics.text')}
      actions={
        <>
          {can('campaign.moderate') && (
            <Button asChild variant="ghost">
              <Link to="/moderation">{t('statistics.queue')}</Link>
            </Button>
          )}
          <CsvButton file={`moderation-${range.start}-${range.end}.csv`} load={() => download(reviewStatisticsCsv, { query })} />
          <DateRangePicker value={range} onChange={(next) => onRange(next, today)} />
        </>
      }
      failed={
        error === null || data !== undefined ? null : { title: t('statistics.error'), error, onRetry: () => void refetch() }
      }
    >
      {data === undefined ? (
        <div aria-busy className="flex flex-col gap-4">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-64 w-full" />
        </div>
      ) : (
        <div className="flex flex-col gap-6">
          <Totals total={data.total} />
          <div className="flex justify-end">
            <NativeSelect
              aria-label={t('statistics.whose')}
              value={moderator}
              onChange={({ target }) => setModerator(target.value)}
            >
              <NativeSelectOption value="">{t('statistics.all')}</NativeSelectOption>
              {data.moderators.map(({ id, name }) => (
                <NativeSelectOption key={id} value={id}>
                  {name}
                </NativeSelectOption>
              ))}
            </NativeSelect>
          </div>
          <StatisticsCharts statistics={data} moderator={moderator === '' ? null : moderator} />
          <Moderators moderators={data.moderators} />
        </div>
      )}
    </Page>
  )
}

function Totals({ total }: { readonly total: ReviewStatistics['total'] }) {
  const { t } = useTranslation('moderation')
  const { duration, share } = useFigures()
  const figures = [
    ['approved', formatCount(total.approved)],
    ['rejected', formatCount(total.rejected)],
    ['median', duration(total.median_minutes)],
    ['p90', duration(total.p90_minutes)],
    ['inTime', share(total.in_time)],
    ['unchanged', formatCount(total.approved_unchanged)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      {figures.map(([name, value]) => (
        <div key={name} className="border-border bg-card rounded-xl border px-4 py-3">
          <dt className="text-muted-foreground text-xs">{t(`statistics.figure.${name}`)}</dt>
          <dd className="text-lg font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Moderators({ moderators }: { readonly moderators: ReviewStatistics['moderators'] }) {
  const { t } = useTranslation('moderation')
  const { duration, share } = useFigures()
  if (moderators.length === 0) return <p className="text-muted-foreground">{t('statistics.none')}</p>
  const columns = ['approved', 'rejected', 'median', 'p90', 'inTime', 'unchanged', 'secondLooks', 'secondLooksAgreed'] as const
  return (
    <section
      aria-label={t('statistics.moderators')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the arrow keys
      tabIndex={0}
      className="border-border bg-card overflow-x-auto rounded-xl border [&_[data-slot=table-container]]:overflow-visible"
    >
      <Table>
        <caption className="sr-only">{t('statistics.moderators')}</caption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">{t('statistics.moderator')}</TableHead>
            {columns.map((name) => (
              <TableHead key={name} scope="col" className="text-right">
                {t(`statistics.figure.${name}`)}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {moderators.map((one) => (
            <TableRow key={one.id}>
              <TableCell className="font-medium">{one.name}</TableCell>
              {[
                formatCount(one.approved),
                formatCount(one.rejected),
                duration(one.median_minutes),
                duration(one.p90_minutes),
                share(one.in_time),
                formatCount(one.approved_unchanged),
                formatCount(one.second_looks),
                formatCount(one.second_looks_agreed),
              ].map((value, i) => (
                <TableCell key={columns[i]} className="text-right tabular-nums">
                  {value}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  )
}
