import { GitCompareArrows, X } from 'lucide-react'
import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { DateInput } from '@/components/date/date-input'
import { isDay } from '@/lib/date-range'
import { NativeSelect } from '@/components/ui/native-select'
import type { RevisionLine } from '#contract/audit'
import { Button } from '@/components/ui/button'
import { FieldFilter } from './field-filter.tsx'
import { isFilteredLog, type LogSearch, type OnLogSearch } from './log-search.ts'

type LogFiltersProps = {
  readonly search: LogSearch
  readonly onSearch: OnLogSearch
  /** All revisions, newest first; undefined until loaded. */
  readonly index: readonly RevisionLine[] | undefined
  /** Number of entries that match the filters; undefined until loaded. */
  readonly found: number | undefined
  /** The first of the filters. */
  readonly ref: Ref<HTMLSelectElement>
  readonly onClear: () => void
}

export function LogFilters({ search, onSearch, index, found, ref, onClear }: LogFiltersProps) {
  const { t } = useTranslation('log')
  const people = new Map(index?.flatMap(({ author, author_id }) => (author_id === null ? [] : [[author_id, author]])))
  // A link may name an author without entries in this log, and names load after the link is read.
  if (search.log_who !== undefined && !people.has(search.log_who)) people.set(search.log_who, index ? search.log_who : '…')
  const filter = (patch: Partial<LogSearch>) => onSearch({ ...patch, log_page: undefined })
  const [hasDay, setHasDay] = useState(false)
  if (search.log_day !== undefined && !hasDay) setHasDay(true)
  const newest = index?.[0]?.revision ?? 0
  return (
    <div className="flex flex-col gap-2">
      <search aria-label={t('filters.label')} className="flex flex-wrap items-center gap-2">
        <NativeSelect
          ref={ref}
          aria-label={t('filters.who')}
          value={search.log_who ?? ''}
          onChange={({ target }) => filter({ log_who: target.value === '' ? undefined : target.value })}
          className="w-44 truncate"
        >
          <option value="">{t('filters.anyone')}</option>
          {[...people].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <FieldFilter value={search.log_field} onChange={(log_field) => filter({ log_field })} />
        <NativeSelect
          aria-label={t('filters.source')}
          value={search.log_source ?? ''}
          onChange={({ target: { value } }) =>
            filter({ log_source: value === 'people' || value === 'system' ? value : undefined })
          }
          className="w-48"
        >
          <option value="">{t('filters.all')}</option>
          <option value="people">{t('filters.people')}</option>
          <option value="system">{t('filters.system')}</option>
        </NativeSelect>
        {/* A report leads here with a day. It stays while the user types another one. */}
        {hasDay && (
          <DateInput
            aria-label={t('filters.day')}
            label={t('filters.day')}
            nearest="last"
            value={search.log_day ?? ''}
            onChange={(day) => {
              if (day === '' || isDay(day)) filter({ log_day: day === '' ? undefined : day })
            }}
            className="w-40"
          />
        )}
        <Button
          variant="outline"
          className="ml-auto"
          disabled={newest < 2}
          onClick={() => onSearch({ log_from: newest - 1, log_to: newest })}
        >
          <GitCompareArrows aria-hidden />
          {t('compare.open')}
        </Button>
      </search>
      <div className="text-[0.8125rem]/4.5 text-muted-foreground flex min-h-8 items-center gap-3 empty:hidden">
        {isFilteredLog(search) && (
          <>
            <output className="tabular-nums">
              {found !== undefined && index !== undefined && t('filters.found', { count: found, total: index.length })}
            </output>
            <Button
              variant="ghost"
              size="sm"
              onClick={() => {
                setHasDay(false)
                onClear()
              }}
            >
              <X aria-hidden />
              {t('filters.clear')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
