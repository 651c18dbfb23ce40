import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import { BrandMark } from '@/session/brand-mark'
import { useCan } from '@/session/can'
import { AccountSwitcher } from '../search/account-switcher.tsx'
import { CurrentAccount } from '../search/current-account.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { Navigation } from './navigation.tsx'
import { useIsWide } from './use-is-wide.ts'
import { UserMenu } from './user-menu.tsx'

const Chat = lazy(async () => ({ default: (await import('./chat/chat-widget.tsx')).ChatWidget }))
const load = () => import('./navigation-sheet.tsx')
const NavigationSheet = lazy(async () => ({ default: (await load()).NavigationSheet }))

/** The sidebar; a bar with a button for the navigation in a narrow window. Its navigation renders with the page, after the frame. */
export function AppSidebar({ begun }: { readonly begun: boolean }) {
  const { t } = useTranslation()
  const wide = useIsWide()
  const asks = useCan()('chat.ask')
  return (
    <header className="border-border bg-background flex min-h-13 shrink-0 items-center gap-2 px-4 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:w-60 lg:flex-col lg:items-stretch lg:gap-0 lg:border-r lg:p-3">
      {!wide && <MenuButton />}
      <Link to="/" className="min-w-0 rounded-lg lg:mb-2 lg:px-2.5 lg:py-1.5">
        <BrandMark />
        <span className="sr-only">, {t('toStart')}</span>
      </Link>
      {begun && (
        <div className="flex items-center gap-2 max-lg:ml-auto lg:contents">
          <CurrentAccount />
          <AccountSwitcher />
          <PaletteButton />
          {wide && (
            // The pages scroll between the account and the user, who both stay.
            <div className="-mx-1 min-h-0 grow overflow-y-auto px-1 py-0.5">
              <Navigation />
            </div>
          )}
          <div className="flex items-center gap-2 lg:shrink-0 lg:flex-col lg:items-stretch lg:gap-1 lg:pt-2">
            {asks && (
              <Suspense>
                <Chat />
              </Suspense>
            )}
            <UserMenu />
          </div>
        </div>
      )}
    </header>
  )
}

function MenuButton() {
  const { t } = useTranslation()
  const { shown, trigger, popup } = usePopup('dialog', load)
  return (
    <>
      <Button variant="ghost" size="icon" aria-label={t('menu.open')} {...trigger} className="-ml-1.5 shrink-0">
        <Menu aria-hidden />
      </Button>
      {shown && (
        <Suspense>
          <NavigationSheet popup={popup} />
        </Suspense>
      )}
    </>
  )
}
