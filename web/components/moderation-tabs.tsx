import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatCount } from '@/i18n/format'
import { cn } from '@/lib/utils'
import '@/i18n/texts/registration'

type ModerationTabsProps = {
  readonly shown: 'campaigns' | 'registrants'
  /** Numbers of what waits; undefined while loading. */
  readonly campaigns: number | undefined
  readonly registrants: number | undefined
  readonly className?: string
}

/** Leads from the waiting campaigns to the waiting registrants and back, with the number of each. */
export function ModerationTabs({ shown, campaigns, registrants, className }: ModerationTabsProps) {
  const { t } = useTranslation('registration')
  const tab = (name: 'campaigns' | 'registrants', count: number | undefined) => (
    <Link
      to="/moderation"
      search={name === 'registrants' ? { tab: name } : {}}
      activeOptions={{ includeSearch: true, exact: true }}
      aria-current={shown === name ? 'page' : undefined}
      className={cn(
        'inline-flex h-8 items-center gap-1.5 rounded-md px-3 text-[0.8125rem]/4.5 font-medium transition-colors',
        shown === name ? 'bg-card text-foreground shadow-sm' : 'text-muted-foreground hover:text-foreground',
      )}
    >
      {t(`tabs.${name}`)}
      {count !== undefined && count > 0 && <span className="text-muted-foreground tabular-nums">{formatCount(count)}</span>}
    </Link>
  )
  return (
    <nav aria-label={t('tabs.label')} className={cn('flex', className)}>
      <div className="bg-muted inline-flex flex-wrap gap-0.5 rounded-lg p-[3px]">
        {tab('campaigns', campaigns)}
        {tab('registrants', registrants)}
      </div>
    </nav>
  )
}
