import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BrandMark } from '@/session/brand-mark'
import { moderationQueries } from '@/data/moderation-queries'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { formatCount } from '@/i18n/format'
import { CurrentAccount } from '../search/current-account.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { pagesFor } from '../actions.ts'
import { AccountFunds } from './account-funds.tsx'
import { UserMenu } from './user-menu.tsx'

const item =
  'rounded-md text-muted-foreground hover:bg-card hover:text-foreground data-[status=active]:bg-card data-[status=active]:text-foreground flex h-9 shrink-0 items-center gap-2 px-2.5 font-medium whitespace-nowrap lg:gap-2.5 transition-colors data-[status=active]:shadow-xs dark:data-[status=active]:bg-popover [&_svg]:size-4 max-md:[&_svg]:hidden'

/** The sidebar. Its navigation renders with the page, after the frame. */
export function AppSidebar({ begun }: { readonly begun: boolean }) {
  return (
    <header className="border-border bg-background flex min-h-13 shrink-0 items-center gap-2 px-4 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:w-60 lg:flex-col lg:items-stretch lg:gap-0 lg:border-r lg:p-3">
      <BrandMark className="min-w-0 max-md:[&>span+span]:hidden lg:px-2.5 lg:pt-1.5 lg:pb-4" />
      {begun && <Navigation />}
    </header>
  )
}

function Navigation() {
  const { t } = useTranslation()
  const me = useMe()
  const moderates = can(me, 'campaign.moderate')
  const { data: queue } = useQuery({ ...moderationQueries.queue(0), enabled: moderates })
  const waiting = queue?.total_size ?? 0
  return (
    <>
      <CurrentAccount />
      <PaletteButton />
      <nav aria-label={t('mainNavigation')} className="flex gap-0.5 min-w-0 lg:flex-col">
        {pagesFor(me).map(({ to, name, Icon }) => (
          <Link key={to} to={to} className={item} activeOptions={{ includeSearch: false }}>
            <Icon aria-hidden />
            {t(`nav.${name}`)}
            {to === '/moderation' && waiting > 0 && (
              <span
                aria-label={t('waitingCount', { count: waiting })}
                className="bg-primary text-primary-foreground text-xs min-w-5 lg:ml-auto rounded-full px-1.5 text-center leading-5 font-semibold tabular-nums"
              >
                {formatCount(waiting)}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="flex items-center gap-3 max-lg:ml-auto lg:mt-auto lg:flex-col lg:items-stretch lg:gap-0">
        <AccountFunds />
        <UserMenu />
      </div>
    </>
  )
}
