import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BrandMark } from '../../components/brand-mark.tsx'
import { Later } from '../../components/later.tsx'
import { moderationQueries } from '../../domain/moderation-queries.ts'
import { mayEnter } from '../../domain/permissions.ts'
import { useMe } from '../../domain/session-queries.ts'
import { formatCount } from '../../i18n/format.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { PAGES } from './pages.ts'
import { UserMenu } from './user-menu.tsx'

const item =
  'rounded-control text-ink-soft hover:bg-surface hover:text-ink data-[status=active]:bg-surface data-[status=active]:text-ink flex h-9 items-center gap-2.5 px-2.5 font-medium transition-colors data-[status=active]:shadow-xs dark:data-[status=active]:bg-raised [&_svg]:size-4'

/** What it leads to is drawn after the page that somebody came for. */
export function AppSidebar({ begun }: { readonly begun: boolean }) {
  return (
    <header className="border-hairline bg-canvas sticky top-0 flex h-dvh w-60 shrink-0 flex-col border-r p-3">
      <BrandMark className="px-2.5 pt-1.5 pb-4" />
      {begun && (
        <Later>
          <Ways />
        </Later>
      )}
    </header>
  )
}

function Ways() {
  const { t } = useTranslation()
  const { roles } = useMe()
  const moderates = mayEnter(roles, 'campaign.moderate')
  const { data: queue } = useQuery({ ...moderationQueries.queue(0), enabled: moderates })
  const waiting = queue?.total_size ?? 0
  return (
    <>
      <PaletteButton />
      <nav aria-label={t('mainNavigation')} className="flex flex-col gap-0.5">
        {PAGES.filter(({ action }) => mayEnter(roles, action)).map(({ to, name, Icon }) => (
          <Link key={to} to={to} className={item} activeOptions={{ includeSearch: false }}>
            <Icon aria-hidden />
            {t(`nav.${name}`)}
            {to === '/moderation' && waiting > 0 && (
              <span
                aria-label={t('waitingCount', { count: waiting })}
                className="bg-accent text-on-accent text-meta ml-auto min-w-5 rounded-full px-1.5 text-center leading-5 font-semibold tabular-nums"
              >
                {formatCount(waiting)}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="mt-auto">
        <UserMenu />
      </div>
    </>
  )
}
