import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLES } from '#domain/kit/access'
import { PersonAvatar } from '@/session/person-avatar'
import { useMe } from '@/session/session-queries'
import { usePopup } from '@/lib/use-popup'

const load = () => import('./user-menu-items.tsx')
const UserMenuItems = lazy(async () => ({ default: (await load()).UserMenuItems }))

export function UserMenu() {
  const { t } = useTranslation()
  const me = useMe()
  const { shown, trigger, popup } = usePopup('menu', load)
  const role = ROLES.find((known) => me.roles.includes(known))
  return (
    <div className="relative">
      <button
        type="button"
        {...trigger}
        className="rounded-lg hover:bg-card dark:hover:bg-popover flex w-full items-center gap-2.5 p-2 text-left transition-colors"
      >
        {/* The name of the button is its text, so that voice control finds it by what is written on it. */}
        <span className="sr-only">{t('userMenu')}: </span>
        <PersonAvatar name={me.name} pictureId={me.profile_image?.picture_id ?? null} />
        <span className="min-w-0 grow max-lg:sr-only">
          <span className="text-[0.8125rem]/4.5 block truncate font-medium">{me.name}</span>{' '}
          {role !== undefined && <span className="text-muted-foreground text-xs block truncate">{t(`role.${role}`)}</span>}
        </span>
        <ChevronsUpDown aria-hidden className="text-muted-foreground size-4 shrink-0 max-lg:hidden" />
      </button>
      {shown && (
        <Suspense>
          <UserMenuItems label={t('userMenu')} popup={popup} />
        </Suspense>
      )}
    </div>
  )
}
