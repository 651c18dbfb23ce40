import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FeedEntry } from '#contract/audit-feed'
import type { DataColumn } from '@/components/data-table/table-view'
import { sourceName } from '@/features/campaigns/change-log/log-labels'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { changeLine, entryAuthor, eventName, kindName, type EntryChange } from './entry-texts.ts'

export type EntryRow = { readonly entry: FeedEntry; readonly changes: readonly EntryChange[] }

/** Changes that a row shows. A "1 more" line would be as long as the change itself. */
const SHOWN = 2

export function useEntryColumns(onOpen: (entry: FeedEntry) => void): readonly DataColumn<EntryRow>[] {
  const { t } = useTranslation(['audit', 'log'])
  return [
    {
      id: 'when',
      header: t('audit:columns.when'),
      width: 'w-42',
      className: 'align-top whitespace-nowrap tabular-nums',
      cell: ({ entry }) => (
        <time dateTime={entry.at} className="block py-0.5">
          {formatMinute(entry.at)}
        </time>
      ),
    },
    {
      id: 'what',
      header: t('audit:columns.what'),
      className: 'align-top min-w-0',
      cell: ({ entry, changes }) => <What entry={entry} changes={changes} />,
    },
    {
      id: 'where',
      header: t('audit:columns.where'),
      width: 'w-64 max-xl:w-52',
      className: 'align-top min-w-0',
      cell: ({ entry }) => <Where entry={entry} onOpen={onOpen} />,
    },
    {
      id: 'who',
      header: t('audit:columns.who'),
      width: 'w-44 max-xl:w-36',
      className: 'align-top min-w-0 wrap-anywhere',
      cell: ({ entry }) => (
        <span className="flex min-w-0 flex-col py-0.5">
          <span>{entryAuthor(entry)}</span>
          {entry.actor_id !== null && (
            <span className="text-muted-foreground text-xs">{lookUp(`common:role.${entry.role}`) ?? entry.role}</span>
          )}
        </span>
      ),
    },
    {
      id: 'source',
      header: t('audit:columns.source'),
      width: 'w-24',
      className: 'align-top text-muted-foreground truncate',
      cell: ({ entry }) => <span className="block py-0.5">{sourceName(entry.source)}</span>,
    },
  ]
}

function What({ entry, changes }: EntryRow) {
  const { t } = useTranslation(['audit', 'log'])
  const created = entry.type === 'CampaignCreated'
  const shown = created ? [] : changes.slice(0, changes.length === SHOWN + 1 ? SHOWN + 1 : SHOWN)
  const more = created ? 0 : changes.length - shown.length
  return (
    <div className="flex min-w-0 flex-col py-0.5">
      <span className="font-medium">{eventName(entry.type)}</span>
      {shown.map((change, place) => (
        <span key={change.path} className="flex min-w-0 gap-2 text-[0.8125rem]/5">
          <span className="min-w-0 lg:truncate max-lg:wrap-anywhere">
            <span className="text-muted-foreground">{change.label}</span>{' '}
            <span className="tabular-nums">{changeLine(change, t('log:nothing'))}</span>
          </span>
          {more > 0 && place === shown.length - 1 && (
            <span className="text-muted-foreground shrink-0 tabular-nums">{t('log:more', { count: more })}</span>
          )}
        </span>
      ))}
    </div>
  )
}

function Where({ entry, onOpen }: { readonly entry: FeedEntry; readonly onOpen: (entry: FeedEntry) => void }) {
  const { t } = useTranslation('audit')
  const name = entry.subject_name ?? kindName(entry.kind)
  const look = 'block max-w-full min-h-6 -my-0.5 leading-6 truncate rounded-[3px] text-left font-medium hover:underline'
  const below = [kindName(entry.kind), entry.kind === 'account' ? null : entry.space_name].filter((part) => part !== null)
  return (
    <span className="flex min-w-0 flex-col py-0.5">
      {entry.kind === 'campaign' ? (
        <Link
          to="/campaign/timeline/$id"
          params={{ id: entry.subject_id }}
          search={{ revision: entry.revision }}
          aria-label={t('openTimeline', { name, revision: entry.revision })}
          data-focus="where"
          className={look}
        >
          {name}
        </Link>
      ) : (
        <button type="button" data-focus="where" onClick={() => onOpen(entry)} className={look}>
          {name}
        </button>
      )}
      <span className="text-muted-foreground truncate text-xs">{below.join(' · ')}</span>
    </span>
  )
}
