import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { QUEUE_FILTERS } from '#contract/moderation'
import { cn } from '@/lib/utils'
import type { QueueSearch } from './queue-search.ts'

/** Filter of submissions by moderator, or those that wait for a second look. */
export function QueueFilters({ shown }: { readonly shown: QueueSearch['filter'] | 'second' }) {
  const { t } = useTranslation('moderation')
  return (
    <nav aria-label={t('filter.label')} className="bg-muted m-2 flex gap-0.5 rounded-lg p-[3px]">
      {([...QUEUE_FILTERS, 'second'] as const).map((filter) => (
        <Link
          key={filter}
          to="/moderation"
          search={filter === 'second' ? { page: 0, tab: filter } : { page: 0, filter }}
          activeOptions={{ includeSearch: true, exact: true }}
          aria-current={shown === filter ? 'page' : undefined}
          className={cn(
            'inline-flex h-7 grow items-center justify-center rounded-md px-2 text-xs font-medium transition-colors',
            shown === filter ? 'bg-card text-foreground shadow-sm' : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {t(`filter.${filter}`)}
        </Link>
      ))}
    </nav>
  )
}
