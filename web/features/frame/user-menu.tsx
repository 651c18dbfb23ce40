import { ChevronsUpDown, Keyboard, LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ROLES } from '../../../domain/access.ts'
import { signOut } from '../../../api/contract/session.ts'
import { HELP } from '../../commands/shortcut-help.tsx'
import { runShortcut } from '../../commands/shortcuts.ts'
import { setSingleKeys, useSingleKeys } from '../../commands/single-keys.ts'
import { call, endSession } from '../../api/client.ts'
import { refreshToken } from '../../api/token-store.ts'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { useMe } from '../../domain/session-queries.ts'
import { chooseLanguage, LANGUAGES } from '../../i18n/setup.ts'
import { SCHEMES, setScheme, useScheme } from '../../theme/color-scheme.ts'

export function UserMenu() {
  const { t, i18n } = useTranslation(['common', 'shortcuts'])
  const me = useMe()
  const scheme = useScheme()
  const singleKeys = useSingleKeys()
  const role = ROLES.find((known) => me.roles.includes(known))
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <button
          type="button"
          aria-label={t('userMenu', { name: me.name })}
          className="rounded-card hover:bg-surface dark:hover:bg-raised flex w-full items-center gap-2.5 p-2 text-left transition-colors"
        >
          <span
            aria-hidden
            className="bg-accent-tint text-accent-ink text-meta grid size-8 shrink-0 place-items-center rounded-full font-semibold"
          >
            {initials(me.name)}
          </span>
          <span className="min-w-0 grow">
            <span className="text-table block truncate font-medium">{me.name}</span>
            {role !== undefined && <span className="text-ink-soft text-meta block truncate">{t(`role.${role}`)}</span>}
          </span>
          <ChevronsUpDown aria-hidden className="text-ink-soft size-4 shrink-0" />
        </button>
      </DropdownMenuTrigger>
      <DropdownMenuContent side="top" align="start" className="w-56">
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
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Here at once; the server is told, but nobody waits for it. */
function logOut() {
  const token = refreshToken()
  if (token !== null) call(signOut, { body: { refresh_token: token } }).catch(() => undefined)
  endSession()
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase()
