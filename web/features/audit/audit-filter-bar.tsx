import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FEED_AUTHORS, type FeedEntry } from '#contract/audit-feed'
import { EVENT_KINDS } from '#domain/audit/event-kinds'
import { DateInput } from '@/components/date/date-input'
import { Picker } from '@/components/picker/picker'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { accountQueries } from '@/data/account-queries'
import { FieldFilter } from '@/features/campaigns/change-log/field-filter'
import { pathLabel } from '@/features/campaigns/change-log/log-labels'
import { isDay } from '@/lib/date-range'
import { entryAuthor, eventName, fieldName, kindName } from './entry-texts.ts'
import { isFiltered, NO_FILTERS, type AuditFilters } from './audit-search.ts'

type AuditFilterBarProps = {
  readonly search: AuditFilters
  /** Shown entries: their authors can be chosen. */
  readonly entries: readonly FeedEntry[] | undefined
  readonly onSearch: (patch: AuditFilters) => void
}

const BY = { people: 'byPeople', staff: 'byStaff', advertisers: 'byAdvertisers', system: 'bySystem' } as const

export function AuditFilterBar({ search, entries, onSearch }: AuditFilterBarProps) {
  const { t } = useTranslation('audit')
  const accounts = useQuery(accountQueries.list()).data?.data
  const people = useMemo(() => {
    const found = new Map<string, string>()
    for (const { id, first_name, last_name, email } of accounts ?? [])
      if (id !== null) found.set(id, [first_name, last_name].filter(Boolean).join(' ') || (email ?? id))
    for (const entry of entries ?? []) if (entry.actor_id !== null) found.set(entry.actor_id, entryAuthor(entry))
    return [...found].map(([id, label]) => ({ id, label })).toSorted((a, b) => a.label.localeCompare(b.label))
  }, [accounts, entries])
  const fields = search.field?.split(',') ?? []
  const [field] = fields
  const several = fields.length > 1 || (field !== undefined && !isPath(field))
  const subject = entries?.find(({ subject_id }) => subject_id === search.subject)?.subject_name ?? search.subject
  const patch = (next: Partial<AuditFilters>) => onSearch(next)
  return (
    <div className="flex flex-col gap-2">
      <search aria-label={t('filters.label')} className="flex flex-wrap items-center gap-2">
        <div className="w-48">
          <Picker
            label={t('filters.person')}
            options={[{ id: '', label: t('filters.anyone') }, ...people]}
            chosen={new Set([search.who ?? ''])}
            chosenLabel={
              search.who === undefined ? t('filters.anyone') : (people.find(({ id }) => id === search.who)?.label ?? search.who)
            }
            onPick={(id) => patch({ who: id === '' ? undefined : id })}
            nothing={t('filters.noPerson')}
          />
        </div>
        <NativeSelect
          aria-label={t('filters.by')}
          value={search.by ?? ''}
          onChange={({ target }) => patch({ by: FEED_AUTHORS.find((by) => by === target.value) })}
          className="w-40"
        >
          <option value="">{t('filters.byAll')}</option>
          {FEED_AUTHORS.map((by) => (
            <option key={by} value={by}>
              {t(`filters.${BY[by]}`)}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label={t('filters.kind')}
          value={search.kind ?? ''}
          onChange={({ target }) => patch({ kind: EVENT_KINDS.find((kind) => kind === target.value) })}
          className="w-36"
        >
          <option value="">{t('filters.kindAll')}</option>
          {EVENT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kindName(kind)}
            </option>
          ))}
        </NativeSelect>
        <div className="w-48">
          <Picker
            label={t('filters.account')}
            options={[
              { id: '', label: t('filters.anyAccount') },
              ...(accounts ?? []).map(({ space_id, space_name }) => ({ id: space_id, label: space_name })),
            ]}
            chosen={new Set([search.account ?? ''])}
            chosenLabel={
              search.account === undefined
                ? t('filters.anyAccount')
                : (accounts?.find(({ space_id }) => space_id === search.account)?.space_name ?? search.account)
            }
            onPick={(id) => patch({ account: id === '' ? undefined : id })}
            nothing={t('filters.noAccount')}
          />
        </div>
        <FieldFilter value={several ? undefined : field} onChange={(path) => patch({ field: path })} />
        <Day label={t('filters.from')} value={search.from} onChange={(from) => patch({ from })} />
        <Day label={t('filters.to')} value={search.to} onChange={(to) => patch({ to })} />
        {isFiltered(search) && (
          <Button variant="ghost" size="sm" onClick={() => onSearch(NO_FILTERS)}>
            <X aria-hidden />
            {t('filters.clear')}
          </Button>
        )}
      </search>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {search.type !== undefined && (
          <Chip
            text={t('filters.types', { names: search.type.split(',').map(eventName).join(', ') })}
            onRemove={() => patch({ type: undefined })}
          />
        )}
        {several && (
          <Chip
            text={t('filters.fields', {
              names: fields.map((path) => (isPath(path) ? pathLabel(path) : fieldName(path))).join(', '),
            })}
            onRemove={() => patch({ field: undefined })}
          />
        )}
        {subject !== undefined && subject !== null && (
          <Chip text={t('filters.subject', { name: subject })} onRemove={() => patch({ subject: undefined })} />
        )}
      </div>
    </div>
  )
}

/** True for a field of a campaign, which the field filter can show. */
const isPath = (path: string): boolean => pathLabel(path) !== path

type DayProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (day: string | undefined) => void
}

const Day = ({ label, value, onChange }: DayProps) => (
  <DateInput
    aria-label={label}
    label={label}
    placeholder={label}
    nearest="last"
    value={value ?? ''}
    onChange={(day) => {
      if (day === '' || isDay(day)) onChange(day === '' ? undefined : day)
    }}
    className="w-38"
  />
)

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  const { t } = useTranslation('audit')
  return (
    <span className="bg-muted inline-flex max-w-full items-center gap-1 rounded-md pl-2.5 text-[0.8125rem]/5">
      <span className="min-w-0 truncate">{text}</span>
      <button
        type="button"
        aria-label={t('filters.remove', { name: text })}
        onClick={onRemove}
        className="text-muted-foreground hover:text-foreground grid size-7 shrink-0 place-items-center rounded-md"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}
