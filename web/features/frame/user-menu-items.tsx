import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { signOut } from '../../../api/contract/session.ts'
import { call, endSession } from '../../api/client.ts'
import { refreshToken } from '../../api/token-store.ts'
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '../../components/ui/dropdown-menu.tsx'
import { chooseLanguage, LANGUAGES } from '../../i18n/setup.ts'
import type { Popup } from '../../lib/use-popup.ts'
import { SCHEMES, setScheme, useScheme } from '../../theme/color-scheme.ts'

export function UserMenuItems({ label, popup }: { readonly label: string; readonly popup: Popup }) {
  const { t, i18n } = useTranslation()
  const scheme = useScheme()
  return (
    <DropdownMenu popup={popup} label={label} side="top" align="start" className="w-56">
      <DropdownMenuLabel>{t('language')}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={i18n.language}>
        {LANGUAGES.map((language) => (
          <DropdownMenuRadioItem key={language} value={language} lang={language} onSelect={() => void chooseLanguage(language)}>
            {t(`languageName.${language}`)}
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
      <DropdownMenuItem onSelect={logOut}>
        <LogOut aria-hidden />
        {t('logout')}
      </DropdownMenuItem>
    </DropdownMenu>
  )
}

/** Here at once; the server is told, but nobody waits for it. */
function logOut() {
  const token = refreshToken()
  if (token !== null) call(signOut, { body: { refresh_token: token } }).catch(() => undefined)
  endSession()
}
