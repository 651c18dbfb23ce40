import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLES } from '#domain/kit/access'
import { usePopup } from '@/lib/use-popup'
import { AccountPicture } from '@/session/account-picture'
import { useMe } from '@/session/session-queries'
import '@/i18n/texts/search'

const load = () => import('./account-switcher-items.tsx')
const AccountSwitcherItems = lazy(async () => ({ default: (await load()).AccountSwitcherItems }))

/** The account that the session acts in, and a menu of the user's others (fine print 93). Absent for users of one account. */
export function AccountSwitcher() {
  const me = useMe()
  return me.accounts.length > 1 ? <Switcher /> : null
}

function Switcher() {
  const { t } = useTranslation(['search', 'common'])
  const me = useMe()
  const { shown, trigger, popup } = usePopup('menu', load)
  const role = ROLES.find((known) => me.roles.includes(known))
  return (
    <div className="relative min-w-0 lg:mb-3">
      <button
        type="button"
        {...trigger}
        className="border-border bg-card hover:bg-muted flex w-full min-w-0 items-center gap-2.5 rounded-lg border p-2 text-left transition-colors max-lg:border-0 max-lg:bg-transparent max-lg:p-1"
      >
        <span className="sr-only">{t('search:switcher.label')}: </span>
        <AccountPicture name={me.space_name} pictureId={null} />
        <span className="min-w-0 grow max-lg:sr-only">
          <span className="block truncate text-[0.8125rem]/4.5 font-medium">{me.space_name}</span>{' '}
          {role !== undefined && <span className="text-muted-foreground block truncate text-xs">{t(`common:role.${role}`)}</span>}
        </span>
        <ChevronsUpDown aria-hidden className="text-muted-foreground size-4 shrink-0 max-lg:hidden" />
      </button>
      {shown && (
        <Suspense>
          <AccountSwitcherItems popup={popup} />
        </Suspense>
      )}
    </div>
  )
}
