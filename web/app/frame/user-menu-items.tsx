import { useNavigate } from '@tanstack/react-router'
import { Keyboard, LogOut, MailOpen, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { HELP } from '../shortcuts/ids.ts'
import { runShortcut } from '../shortcuts/shortcuts.ts'
import { setSingleKeys, useSingleKeys } from '../shortcuts/single-keys.ts'
import { MenuPanel } from '@/components/menu-panel'
import {
  DropdownMenuCheckboxItem,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '@/components/ui/dropdown-menu'
import { LANGUAGES } from '#domain/kit/languages'
import { chooseLanguage } from '@/i18n/setup'
import type { Popup } from '@/lib/use-popup'
import { SCHEMES, setScheme, useScheme } from '@/theme/color-scheme'
import { canEver, hasStaffProfile } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { logOut } from '@/session/log-out'

export function UserMenuItems({ label, popup }: { readonly label: string; readonly popup: Popup }) {
  const { t, i18n } = useTranslation(['common', 'shortcuts'])
  const scheme = useScheme()
  const singleKeys = useSingleKeys()
  const me = useMe()
  const navigate = useNavigate()
  return (
    <MenuPanel popup={popup} label={label} side="top" align="start" className="w-56">
      <DropdownMenuItem onSelect={() => void navigate({ to: hasStaffProfile(me) ? '/profile-whitelabel' : '/profile' })}>
        <UserRound aria-hidden />
        {t('profile')}
      </DropdownMenuItem>
      {!canEver(me, 'page.staff') && (
        <DropdownMenuItem onSelect={() => void navigate({ to: '/invitations' })}>
          <MailOpen aria-hidden />
          {t('invitations')}
        </DropdownMenuItem>
      )}
      <DropdownMenuSeparator />
      <DropdownMenuLabel>{t('language')}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={i18n.language}>
        {LANGUAGES.map(({ code, name }) => (
          <DropdownMenuRadioItem key={code} value={code} lang={code} onSelect={() => void chooseLanguage(code)}>
            {name}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuSeparator />
      <DropdownMenuLabel>{t('theme')}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={scheme}>
        {SCHEMES.map((choice) => (
          <DropdownMenuRadioItem key={choice} value={choice} onSelect={() => setScheme(choice)}>
            {t(`scheme.${choice}`)}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuSeparator />
      <DropdownMenuCheckboxItem checked={singleKeys} onCheckedChange={setSingleKeys}>
        {t('shortcuts:single')}
      </DropdownMenuCheckboxItem>
      <DropdownMenuItem onSelect={() => runShortcut(HELP)}>
        <Keyboard aria-hidden />
        {t('shortcuts:title')}
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={logOut}>
        <LogOut aria-hidden />
        {t('logout')}
      </DropdownMenuItem>
    </MenuPanel>
  )
}
