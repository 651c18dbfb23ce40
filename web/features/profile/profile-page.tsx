import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LogOut } from 'lucide-react'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/utils'
import { useCan } from '@/session/can'
import { logOut } from '@/session/log-out'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { OwnDataSection } from './own-data-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PictureSection } from './picture-section.tsx'
import { PROFILE_TABS, type ProfileTab } from './profile-search.ts'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'
import '@/i18n/texts/profile'

type ProfilePageProps = {
  /** The page's address: staff have their own (decisions G-193). */
  readonly path: '/profile' | '/profile-whitelabel'
  /** `access`: the white-label's own settings, `/settings`, whose sections are the children. */
  readonly tab: ProfileTab | 'access'
  readonly children?: ReactNode
}

/** `/profile` and `/profile-whitelabel`: what users keep about themselves, and how they sign in. */
export function ProfilePage({ path, tab, children }: ProfilePageProps) {
  const { t } = useTranslation(['profile', 'common'])
  const can = useCan()
  const tabLook = (chosen: boolean) =>
    cn(
      'hover:text-foreground -mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-2.5 font-medium',
      chosen ? 'border-primary text-foreground' : 'text-muted-foreground',
    )
  return (
    <Page
      title={t(path === '/profile' || tab === 'access' ? 'title' : 'titleStaff')}
      actions={
        <Button variant="outline" onClick={logOut}>
          <LogOut aria-hidden />
          {t('common:logout')}
        </Button>
      }
      tabs={
        <nav aria-label={t('tabs.label')} className="border-border -mx-1 flex gap-1 overflow-x-auto border-b px-1">
          {PROFILE_TABS.map((one) => (
            <Link
              key={one}
              to={path}
              search={{ tab: one === 'profile' ? undefined : one }}
              aria-current={one === tab ? 'page' : undefined}
              className={tabLook(one === tab)}
            >
              {t(`tabs.${one}`)}
            </Link>
          ))}
          {can('credential.manage') && (
            <Link to="/settings" aria-current={tab === 'access' ? 'page' : undefined} className={tabLook(tab === 'access')}>
              {t('tabs.access')}
            </Link>
          )}
        </nav>
      }
    >
      <div className="flex w-full max-w-3xl flex-col gap-5 pt-1 pb-10 2xl:mx-auto">
        {tab === 'profile' && (
          <>
            <PictureSection />
            <DetailsSection />
            <OwnDataSection />
          </>
        )}
        {tab === 'security' && (
          <>
            <PasswordSection />
            <SecondFactorSection />
            <PasskeysSection />
            <SessionsSection />
            <SignInsSection />
          </>
        )}
        {tab === 'notifications' && <NotificationsSection />}
        {tab === 'apiKeys' && <ApiKeysSection />}
        {children}
      </div>
    </Page>
  )
}
