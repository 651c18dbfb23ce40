import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../../../lib/cn.ts'
import { tabsFor, type TabContext, type TabKey } from './form-tabs.ts'

type FormNavProps = {
  readonly tab: TabKey
  readonly context: TabContext
  readonly faulty: ReadonlySet<TabKey>
  /** What stands beside an entry: a count, or that something is on. */
  readonly badges: Partial<Readonly<Record<TabKey, string>>>
}

/** Sections of the form. A section with something to mend carries an icon and says so to those who cannot see it. */
export function FormNav({ tab, context, faulty, badges }: FormNavProps) {
  const { t } = useTranslation('form')
  const names: Readonly<Record<TabKey, string>> = {
    administration: t('tabs.administration'),
    advancedBidding: t('tabs.advancedBidding'),
    basicInfo: t('tabs.setup'),
    targeting: t('tabs.targeting'),
    dynamicAds: t('tabs.dynamicAds'),
    bannerAds: t('tabs.bannerAds'),
    nativeAds: t('tabs.nativeAds'),
    videoAds: t('tabs.videoAds'),
    tracks: t('tabs.tracks'),
    frequency: t('tabs.frequency'),
    placement: t('tabs.placement'),
    geography: t('tabs.geography'),
    changeLog: t('tabs.changeLog'),
  }
  const groups = { administration: t('tabs.administration'), creatives: t('tabs.creatives'), advanced: t('tabs.advanced') }
  const tabs = tabsFor(context)
  return (
    <nav aria-label={t('sections')} className="sticky top-6 flex w-56 shrink-0 flex-col gap-0.5 self-start">
      {tabs.map(({ key, group }, index) => (
        <Fragment key={key}>
          {key === 'changeLog' && <hr className="border-hairline my-3" />}
          {group !== null && tabs[index - 1]?.group !== group && (
            <p className="text-ink-soft text-meta mt-3 px-3 pb-1 font-medium">{groups[group]}</p>
          )}
          {group === null && index > 0 && tabs[index - 1]?.group !== null && key !== 'changeLog' && <span className="mt-3" />}
          <Link
            to="."
            search={(previous) => ({ ...previous, tab: key })}
            aria-current={tab === key ? 'page' : undefined}
            className={cn(
              'rounded-control text-ink-soft hover:bg-sunken hover:text-ink flex min-h-8 items-center gap-2 px-3 py-1.5 font-medium transition-colors',
              group !== null && 'ml-3',
              tab === key && 'bg-accent-tint text-accent-ink hover:bg-accent-tint hover:text-accent-ink',
            )}
          >
            {names[key]}
            {badges[key] !== undefined && <span className="text-meta ml-auto font-normal tabular-nums">{badges[key]}</span>}
            {faulty.has(key) && (
              <>
                <CircleAlert aria-hidden className={cn('text-bad size-4', badges[key] === undefined && 'ml-auto')} />
                <span className="sr-only">{t('tabHasErrors')}</span>
              </>
            )}
          </Link>
        </Fragment>
      ))}
    </nav>
  )
}
