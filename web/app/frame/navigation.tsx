import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, ChevronDown, CircleHelp, SquareArrowOutUpRight, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { HoverTip } from '@/components/hover-tip'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible'
import { chatQueries } from '@/data/chat-queries'
import { moderationQueries, waitingIn } from '@/data/moderation-queries'
import { formatCount } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { can } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { usePages, type PageEntry } from '../actions.ts'

const item =
  'rounded-md text-muted-foreground flex h-8.5 shrink-0 items-center gap-2.5 px-2.5 font-medium whitespace-nowrap transition-colors [&_svg]:size-4 [&_svg]:shrink-0'
const link =
  'hover:bg-card hover:text-foreground dark:hover:bg-popover data-[status=active]:bg-card data-[status=active]:text-foreground data-[status=active]:shadow-xs dark:data-[status=active]:bg-popover'

/** Every page that the user may open, in groups. Pages of the administration open in a new tab (platform.md "Page frame"). */
export function Navigation({ onChosen }: { readonly onChosen?: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  // A disabled entry leads nowhere, and says why.
  const pages = usePages(me, ({ name }) => name === 'billing' && !me.settings.allow_make_payment)
  const own = pages.filter(({ group }) => group === 'own')
  const work = pages.filter(({ group }) => group === 'work')
  const administration = pages.filter(({ group }) => group === 'administration')
  const entry = (page: PageEntry) => <Entry key={page.to} page={page} {...(onChosen === undefined ? {} : { onChosen })} />
  return (
    <>
      <nav aria-label={t('mainNavigation')} className="flex flex-col gap-0.5">
        {own.map(entry)}
      </nav>
      {work.length > 0 && <Group name="work">{work.map(entry)}</Group>}
      {administration.length > 0 && (
        <Group name="administration">
          {administration.map((page) => (
            <AdminEntry key={page.to} page={page} />
          ))}
        </Group>
      )}
      <HelpLinks />
    </>
  )
}

type GroupName = 'work' | 'administration'
const closedKey = (name: GroupName) => `DSP_NAV_CLOSED_${name}`

/** A group of pages that closes, and stays as it was left on this device. */
function Group({ name, children }: { readonly name: GroupName; readonly children: ReactNode }) {
  const { t } = useTranslation()
  const label = t(`navGroup.${name}`)
  const [open, setOpen] = useState(() => localStorage.getItem(closedKey(name)) === null)
  const change = (next: boolean) => {
    if (next) localStorage.removeItem(closedKey(name))
    else localStorage.setItem(closedKey(name), '1')
    setOpen(next)
  }
  return (
    <Collapsible open={open} onOpenChange={change} className="mt-3">
      <CollapsibleTrigger className="text-muted-foreground hover:text-foreground flex w-full items-center justify-between rounded-md px-2.5 py-1 text-xs font-medium">
        {label}
        <ChevronDown aria-hidden className={cn('size-3.5 transition-transform', !open && '-rotate-90')} />
      </CollapsibleTrigger>
      <CollapsibleContent asChild>
        <nav aria-label={label} className="flex flex-col gap-0.5">
          {children}
        </nav>
      </CollapsibleContent>
    </Collapsible>
  )
}

function Entry({ page, onChosen }: { readonly page: PageEntry; readonly onChosen?: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const { to, name, Icon } = page
  if (name === 'billing' && !me.settings.allow_make_payment) {
    const reason = t('billingDisabled')
    return (
      <HoverTip text={reason}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a link without an address cannot be reached by keys */}
        <span role="link" aria-disabled tabIndex={0} className={cn(item, 'cursor-not-allowed opacity-55')}>
          <Icon aria-hidden />
          {t('nav.billing')}
          <span className="sr-only">{reason}</span>
        </span>
      </HoverTip>
    )
  }
  return (
    <Link
      // Entries are listed by `usePages`, which leaves out what has no route.
      to={to as '/campaigns'}
      className={cn(item, link)}
      activeOptions={{ includeSearch: false }}
      {...(onChosen === undefined ? {} : { onClick: onChosen })}
    >
      <Icon aria-hidden />
      {t(`nav.${name}`)}
      <Count of={page.counts} />
    </Link>
  )
}

function AdminEntry({ page: { to, name, Icon, counts } }: { readonly page: PageEntry }) {
  const { t } = useTranslation()
  return (
    <a href={to} target="_blank" rel="noopener" className={cn(item, link)}>
      <Icon aria-hidden />
      {t(`nav.${name}`)}
      <span className="sr-only">{t('newTab')}</span>
      <Count of={counts} />
    </a>
  )
}

/** A white-label without a help address of its own has the product's, and its documentation where the installation serves it. */
function HelpLinks() {
  const { t } = useTranslation()
  const { helpUrl, documentation } = useWhitelabel()
  return (
    <div className="mt-3 flex flex-col gap-0.5">
      <OutsideLink href={helpUrl ?? '/help'} Icon={CircleHelp} name={t('help')} />
      {documentation && <OutsideLink href="/help/docs/" Icon={BookOpen} name={t('allDocumentation')} />}
    </div>
  )
}

function OutsideLink({ href, Icon, name }: { readonly href: string; readonly Icon: LucideIcon; readonly name: string }) {
  const { t } = useTranslation()
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={cn(item, link)}>
      <Icon aria-hidden />
      {name}
      <span className="sr-only">{t('newTab')}</span>
      <SquareArrowOutUpRight aria-hidden className="ml-auto size-3.5! opacity-60" />
    </a>
  )
}

/** How many wait: submissions and registrants in moderation, or unanswered messages. Nothing at zero (decisions G-211). */
function Count({ of }: { readonly of: PageEntry['counts'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const moderation = useQuery({
    ...moderationQueries.queue(0),
    enabled: of === 'moderation' && can(me, 'campaign.moderate'),
  })
  const inbox = useQuery({ ...chatQueries.waiting(), enabled: of === 'inbox' && can(me, 'chat.answer') })
  const count = of === 'moderation' ? waitingIn(moderation.data) : of === 'inbox' ? (inbox.data?.waiting ?? 0) : 0
  if (count === 0) return null
  return (
    <span
      aria-label={t(of === 'inbox' ? 'unreadCount' : 'waitingCount', { count })}
      className="bg-primary text-primary-foreground ml-auto min-w-5 rounded-full px-1.5 text-center text-xs leading-5 font-semibold tabular-nums"
    >
      {formatCount(count)}
    </span>
  )
}
