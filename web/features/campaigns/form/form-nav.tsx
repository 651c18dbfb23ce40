import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cn } from '../../../lib/cn.ts'
import type { TabKey } from './form-tabs.ts'

type FormNavProps = {
  readonly tab: TabKey
  readonly faulty: ReadonlySet<TabKey>
  readonly bannerCount: number
  readonly withLog: boolean
}

/** Sections of the form. A section with something to mend carries an icon and says so to those who cannot see it. */
export function FormNav({ tab, faulty, bannerCount, withLog }: FormNavProps) {
  const { t } = useTranslation('form')
  const entry = (key: TabKey, label: string, nested = false, badge?: string) => (
    <Link
      to="."
      search={(previous) => ({ ...previous, tab: key })}
      aria-current={tab === key ? 'page' : undefined}
      className={cn(
        'rounded-control text-ink-soft hover:bg-sunken hover:text-ink flex min-h-8 items-center gap-2 px-3 py-1.5 font-medium transition-colors',
        nested && 'ml-3',
        tab === key && 'bg-accent-tint text-accent-ink hover:bg-accent-tint hover:text-accent-ink',
      )}
    >
      {label}
      {badge !== undefined && <span className="text-meta ml-auto font-normal tabular-nums">{badge}</span>}
      {faulty.has(key) && (
        <>
          <CircleAlert aria-hidden className={cn('text-bad size-4', badge === undefined && 'ml-auto')} />
          <span className="sr-only">{t('tabHasErrors')}</span>
        </>
      )}
    </Link>
  )
  return (
    <nav aria-label={t('sections')} className="sticky top-6 flex w-56 shrink-0 flex-col gap-0.5 self-start">
      {entry('basicInfo', t('tabs.setup'))}
      <p className="text-ink-soft text-meta mt-3 px-3 pb-1 font-medium">{t('tabs.creatives')}</p>
      {entry('bannerAds', t('tabs.bannerAds'), true, bannerCount === 0 ? undefined : String(bannerCount))}
      {withLog && (
        <>
          <hr className="border-hairline my-3" />
          {entry('changeLog', t('tabs.changeLog'))}
        </>
      )}
    </nav>
  )
}
