import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, CircleAlert, Clock, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { cn } from '@/lib/utils'
import { useShownCampaign } from '../shown-campaign.ts'
import { tabsFor, type TabContext, type TabGroup, type TabKey } from './form-tabs.ts'
import type { Badge, Badges } from './use-badges.ts'

const HoverTip = lazy(async () => ({ default: (await import('@/components/hover-tip')).HoverTip }))

type FormNavProps = {
  readonly tab: TabKey
  readonly context: TabContext
  readonly faulty: ReadonlySet<string>
  readonly badges: Badges
  /** Rendered below the sections. */
  readonly children?: ReactNode
}

/** The sections of the form. Invalid sections carry an icon and a text for screen readers. */
export function FormNav({ tab, context, faulty, badges, children }: FormNavProps) {
  const { t } = useTranslation('form')
  const tabs = tabsFor(context)
  const navigate = useNavigate()
  const campaign = useShownCampaign()
  useShortcuts(
    tabs.map(({ key }) => ({
      id: `form.section.${key}`,
      label: t(labelOf(key)),
      keys: [],
      run: () => void navigate({ to: '.', search: (previous) => ({ ...previous, tab: key }) }),
    })),
  )
  const entry = (key: TabKey) => <Entry key={key} name={key} current={tab === key} faulty={faulty.has(key)} badge={badges[key]} />
  const groups = new Set(tabs.map(({ group }) => group))
  return (
    <div className="top-6 flex shrink-0 flex-col gap-5 lg:sticky lg:w-56 lg:self-start">
      <nav aria-label={t('sections')} className="flex gap-0.5 max-lg:flex-wrap lg:flex-col">
        {tabs.map(({ key, group }) => {
          if (group === null)
            return key === 'changeLog'
              ? [
                  <hr key="rule" className="border-border my-3 max-lg:hidden" />,
                  entry(key),
                  campaign !== null && (
                    <Link key="timeline" to="/campaign/timeline/$id" params={{ id: campaign.id }} className={LOOK}>
                      {t('tabs.timeline')}
                    </Link>
                  ),
                ]
              : entry(key)
          if (!groups.delete(group)) return null
          const within = tabs.filter((row) => row.group === group).map((row) => row.key)
          return (
            <Group key={group} group={group} reason={within.filter((key) => key === tab || faulty.has(key)).join(' ')}>
              {within.map(entry)}
            </Group>
          )
        })}
      </nav>
      {children}
    </div>
  )
}

type GroupProps = {
  readonly group: TabGroup
  /** Why the group must be open: a selected or invalid section in it. A closed group opens again when this changes. */
  readonly reason: string
  readonly children: ReactNode
}

function Group({ group, reason, children }: GroupProps) {
  const { t } = useTranslation('form')
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const listId = useId()
  const open = closedAt === null || (reason !== '' && closedAt !== reason)
  return (
    <div className="max-lg:contents lg:mt-2">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setClosedAt(open ? reason : null)}
        className="text-muted-foreground hover:text-foreground rounded-md text-xs flex min-h-7 items-center gap-1.5 px-3 font-medium lg:w-full"
      >
        {t(`tabs.${group}`)}
        <ChevronDown aria-hidden className={cn('size-3.5 transition-transform', !open && '-rotate-90')} />
      </button>
      <div id={listId} hidden={!open} className="max-lg:contents lg:ml-3">
        {children}
      </div>
    </div>
  )
}

const LOOK =
  'rounded-md text-muted-foreground hover:bg-muted hover:text-foreground flex min-h-8 items-center gap-2 px-3 py-1.5 font-medium transition-colors'

const labelOf = (tab: TabKey) => `tabs.${tab === 'basicInfo' ? 'setup' : tab === 'administration' ? 'ownerFields' : tab}` as const

type EntryProps = {
  readonly name: TabKey
  readonly current: boolean
  readonly faulty: boolean
  readonly badge: Badge | undefined
}

function Entry({ name, current, faulty, badge }: EntryProps) {
  const { t } = useTranslation('form')
  const link = (
    <Link
      to="."
      search={(previous) => ({ ...previous, tab: name })}
      aria-current={current ? 'page' : undefined}
      className={cn(LOOK, current && 'bg-primary-tint text-primary-ink hover:bg-primary-tint hover:text-primary-ink')}
    >
      <span className="min-w-0 grow">{t(labelOf(name))}</span>
      {badge !== undefined && badge.text !== null && <span className="text-xs font-normal tabular-nums">{badge.text}</span>}
      {badge !== undefined && badge.mark !== null && <Mark mark={badge.mark} />}
      {faulty && (
        <>
          <CircleAlert aria-hidden className="text-destructive size-4 shrink-0" />
          <span className="sr-only">{t('tabHasErrors')}</span>
        </>
      )}
    </Link>
  )
  if (!badge?.mark) return link
  return (
    <Suspense fallback={link}>
      <HoverTip text={t(`mark.${badge.mark}`)}>{link}</HoverTip>
    </Suspense>
  )
}

function Mark({ mark }: { readonly mark: NonNullable<Badge['mark']> }) {
  const { t } = useTranslation('form')
  const Icon = mark === 'disapproved' ? TriangleAlert : Clock
  return (
    <span className="shrink-0">
      <Icon aria-hidden className={cn('size-4', mark === 'disapproved' ? 'text-warning' : 'text-muted-foreground')} />
      <span className="sr-only">{t(`mark.${mark}`)}</span>
    </span>
  )
}
