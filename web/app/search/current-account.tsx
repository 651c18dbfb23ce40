import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountPicture } from '@/session/account-picture'
import { Badge } from '@/components/ui/badge'
import { accountQueries } from '@/data/account-queries'
import { usePopup } from '@/lib/use-popup'
import { cn } from '@/lib/utils'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { ariaKeys } from '../shortcuts/keys.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import '@/i18n/texts/search'

const load = () => import('./search-drawer.tsx')
const SearchDrawer = lazy(async () => ({ default: (await load()).SearchDrawer }))

/** Opens the account search (decisions G-190). ⌘K opens the command palette. */
const KEYS = '/'

/** The account that the session acts in; opens the admin search, as `/` does. Absent for users who may not search. */
export function CurrentAccount() {
  const me = useMe()
  return can(me, 'account.search') ? <Block /> : null
}

function Block() {
  const { t } = useTranslation('search')
  const me = useMe()
  const switches = can(me, 'account.switch')
  const owns = me.space_id === me.home_space_id
  // In the user's own account, the session already has the name and the picture.
  const { data } = useQuery({ ...accountQueries.details(me.space_id), enabled: switches && !owns })
  const owner = owns ? me.name : [data?.first_name, data?.last_name].filter(Boolean).join(' ')
  const picture = owns ? me.profile_image : data?.profile_image
  const { shown, trigger, popup } = usePopup('dialog', load)
  useShortcuts([{ id: 'search.open', label: t('open'), keys: [KEYS], run: trigger.onClick }])
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts={ariaKeys([KEYS])}
        {...trigger}
        className={cn(
          'border-border bg-card hover:bg-muted flex min-w-0 items-center gap-2.5 rounded-lg border p-2 text-left transition-colors max-lg:border-0 max-lg:bg-transparent max-lg:p-1',
          // Advertisers have the account switcher, so they see this button only on keyboard focus.
          // `lg:w-full` would override the width of `sr-only` and let the sidebar scroll sideways.
          switches ? 'lg:mb-3 lg:w-full' : 'sr-only focus-visible:not-sr-only',
        )}
      >
        <span className="sr-only">{t('current')}: </span>
        <AccountPicture name={me.space_name} pictureId={picture?.picture_id ?? null} />
        <span className="min-w-0 grow max-lg:sr-only">
          <span className="block truncate text-[0.8125rem]/4.5 font-medium">{me.space_name}</span>{' '}
          <span className="text-muted-foreground block truncate text-xs">{owner}</span>
        </span>{' '}
        {owns && (
          <Badge variant="secondary" className="shrink-0 max-lg:hidden">
            {t('ownShort')}
          </Badge>
        )}
        <ChevronsUpDown aria-hidden className="text-muted-foreground size-4 shrink-0 max-lg:hidden" />
      </button>
      {shown && (
        <Suspense>
          <SearchDrawer popup={popup} />
        </Suspense>
      )}
    </>
  )
}
