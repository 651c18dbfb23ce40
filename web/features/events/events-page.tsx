import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Code } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrackedEventRow } from '#contract/events'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import { useListPage } from '@/components/data-table/use-list-page'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { formatCount } from '@/i18n/format'
import { useToday } from '@/lib/clock'
import { isDefaultRange, rangeOf, rangeSearch, type DateRange } from '@/lib/date-range'
import { useEventColumns } from './event-columns.tsx'
import { EVENT_ROWS, eventsQueries } from './events-queries.ts'
import { SetupGuide } from './setup-guide.tsx'
import '@/i18n/texts/events'

const EventDialog = lazy(async () => ({ default: (await import('./event-dialog.tsx')).EventDialog }))
const SetupDialog = lazy(async () => ({ default: (await import('./setup-dialog.tsx')).SetupDialog }))

const route = getRouteApi('/_app/events')

/** `/events`: what visitors of the advertiser's sites did, as the pixel and servers report it. */
export function EventsPage() {
  const { t } = useTranslation(['events', 'common'])
  const { name, show: kind, page = 0, ...days } = route.useSearch()
  const unconfirmed = kind === 'unconfirmed'
  const navigate = route.useNavigate()
  const today = useToday()
  const range = rangeOf(days, today)
  const events = useQuery(eventsQueries.page({ range, name, unconfirmed, page }))
  const names = useQuery(eventsQueries.names(unconfirmed)).data?.names ?? []
  const [open, setOpen] = useState<TrackedEventRow | null>(null)
  const [guide, setGuide] = useState<'closed' | 'open' | 'never'>('never')
  const columns = useEventColumns(setOpen)
  const total = events.data?.total_size
  const apart = events.data?.unconfirmed_size ?? 0
  const list = useListPage({
    query: events,
    search: { page },
    onSearch: (patch, history) =>
      void navigate({
        search: (previous) => ({ ...previous, page: pageParam(patch.page) }),
        replace: history === 'replace',
        resetScroll: false,
      }),
    rowChoices: [EVENT_ROWS],
    failed: t('error'),
    filters: {
      // Where all events are unconfirmed, the pixel is set up already.
      active: name !== undefined || unconfirmed || apart > 0 || !isDefaultRange(range, today),
      title: t('emptyFiltered'),
      text:
        apart > 0 && !unconfirmed ? t('emptyConfirmedText', { count: apart, shown: formatCount(apart) }) : t('emptyFilteredText'),
      clear: t('clear'),
      onClear: () => void navigate({ search: {} }),
    },
  })
  const show = (next: DateRange) =>
    void navigate({ search: (previous) => ({ ...previous, ...rangeSearch(next, today), page: undefined }) })
  return (
    <Page
      title={t('title')}
      description={total === undefined || total === 0 ? undefined : t('count', { count: total, shown: formatCount(total) })}
      actions={
        <>
          <Button variant="outline" onClick={() => setGuide('open')}>
            <Code aria-hidden />
            {t('setup.open')}
          </Button>
          <NativeSelect
            aria-label={t('kind')}
            value={String(unconfirmed)}
            onChange={({ target }) =>
              void navigate({
                search: (previous) => ({
                  ...previous,
                  show: target.value === 'true' ? 'unconfirmed' : undefined,
                  name: undefined,
                  page: undefined,
                }),
              })
            }
          >
            <option value="false">{t('confirmed')}</option>
            <option value="true">{t('unconfirmedOf', { shown: formatCount(apart) })}</option>
          </NativeSelect>
          <NativeSelect
            aria-label={t('filter')}
            value={name ?? ''}
            className="w-48"
            onChange={({ target }) =>
              void navigate({
                search: (previous) => ({ ...previous, name: target.value === '' ? undefined : target.value, page: undefined }),
              })
            }
          >
            <option value="">{t('allNames')}</option>
            {(name === undefined || names.includes(name) ? names : [name, ...names]).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </NativeSelect>
          <DateRangePicker value={range} onChange={show} />
        </>
      }
    >
      <DataTable
        caption={t('table')}
        columns={columns}
        rowId={({ space_id: space, id }) => `${space}/${id}`}
        {...list}
        onOpen={setOpen}
        nothing={<NoEvents />}
        testId="event-row"
        narrow="scroll"
      />
      <Suspense>
        {open !== null && <EventDialog event={open} onClose={() => setOpen(null)} />}
        {guide !== 'never' && <SetupDialog open={guide === 'open'} onClose={() => setGuide('closed')} />}
      </Suspense>
    </Page>
  )
}

/** Before the first event: how to send it. */
function NoEvents() {
  const { t } = useTranslation('events')
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-6 px-6 py-10">
      <div className="flex flex-col gap-1">
        <h2 className="text-[15px]/6 font-semibold">{t('empty')}</h2>
        <p className="text-muted-foreground text-pretty">{t('emptyText')}</p>
      </div>
      <SetupGuide />
    </div>
  )
}
