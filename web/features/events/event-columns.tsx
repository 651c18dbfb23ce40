import { Link } from '@tanstack/react-router'
import { Target } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { TrackedEventRow } from '#contract/events'
import type { DataColumn } from '@/components/data-table/table-view'
import { Badge } from '@/components/ui/badge'
import { formatExact, formatMinute } from '@/i18n/format'

const NOTHING = <span className="text-muted-foreground">–</span>

/** The columns of the events screen (platform.md §2), and the campaign that an event is attributed to. */
export function useEventColumns(onOpen: (event: TrackedEventRow) => void): readonly DataColumn<TrackedEventRow>[] {
  const { t } = useTranslation('events')
  return [
    {
      id: 'name',
      header: t('columns.name'),
      rowHeader: true,
      // Keyboard access; a click anywhere on the row does the same.
      cell: (event) => (
        <span className="flex items-center gap-2">
          <button
            type="button"
            data-focus="name"
            onClick={() => onOpen(event)}
            className="min-h-6 max-w-32 truncate min-[90rem]:max-w-48 rounded-[3px] font-medium hover:underline"
          >
            {event.name}
          </button>
          {event.conversion && (
            <Badge variant="secondary" className="max-[90rem]:px-1" title={t('conversion')}>
              <Target aria-hidden />
              <span className="max-[90rem]:sr-only">{t('conversion')}</span>
            </Badge>
          )}
          {event.unconfirmed !== null && (
            <Badge variant="outline" title={t(`marks.${event.unconfirmed}`)}>
              {t(`reasons.${event.unconfirmed}`)}
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'time',
      header: t('columns.time'),
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ time }) => <time dateTime={time}>{formatMinute(time)}</time>,
    },
    {
      id: 'value',
      header: t('columns.value'),
      numeric: true,
      cell: ({ value }) => (value === null ? NOTHING : formatExact(value)),
    },
    {
      id: 'device',
      header: t('columns.device'),
      className: 'max-w-32 truncate min-[90rem]:max-w-40',
      cell: ({ device_model: model }) => (model === null ? NOTHING : <span title={model}>{model}</span>),
    },
    {
      id: 'url',
      header: t('columns.url'),
      className: 'max-w-36 truncate text-muted-foreground min-[90rem]:max-w-64',
      // Plain text: anyone can send an address to the pixel.
      cell: ({ url }) => (url === null ? NOTHING : <span title={url}>{url.replace(/^https?:\/\//, '')}</span>),
    },
    {
      id: 'parameters',
      header: t('columns.parameters'),
      className: 'max-w-40',
      cell: ({ custom_parameters: of }) => <Parameters of={Object.entries(of)} />,
    },
    {
      id: 'campaign',
      header: t('columns.campaign'),
      className: 'max-w-32 truncate min-[90rem]:max-w-48',
      cell: ({ campaign_id: id, campaign_name: name }) =>
        id === null ? (
          NOTHING
        ) : (
          <Link to="/reports" search={{ campaignId: id }} className="hover:underline" title={name ?? id}>
            {name ?? id}
          </Link>
        ),
    },
  ]
}

/** The first parameter and the number of the others, which the dialog shows. */
function Parameters({ of: [first, ...others] }: { readonly of: readonly (readonly [name: string, value: string])[] }) {
  if (first === undefined) return NOTHING
  const text = first.join(': ')
  return (
    <span className="flex items-center gap-1">
      <span title={text} className="bg-muted max-w-32 truncate rounded px-1.5 py-0.5 font-mono text-[0.6875rem]/4">
        {text}
      </span>
      {others.length > 0 && <span className="text-muted-foreground text-xs">+{others.length}</span>}
    </span>
  )
}
