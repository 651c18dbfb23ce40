import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLES } from '#domain/kit/access'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from '@/components/ui/dropdown-menu'
import { Input } from '@/components/ui/input'
import type { Popup } from '@/lib/use-popup'
import { useMe } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'

/** Beyond this number the menu can be searched. */
const SEARCHED_FROM = 8

/** The user's accounts with the roles in each; the current one is ticked. */
export function AccountSwitcherItems({ popup }: { readonly popup: Popup }) {
  const { t } = useTranslation(['search', 'common'])
  const me = useMe()
  const { mutate } = useSwitchAccount()
  const [typed, setTyped] = useState('')
  const searched = typed.trim().toLocaleLowerCase()
  const found = me.accounts.filter(({ space_name }) => space_name.toLocaleLowerCase().includes(searched))
  const rolesOf = (own: readonly string[]) =>
    ROLES.filter((role) => own.includes(role))
      .map((role) => t(`common:role.${role}`))
      .join(', ')
  return (
    <MenuPanel popup={popup} label={t('search:switcher.list')} align="start" className="max-h-96 w-64 overflow-y-auto">
      {me.accounts.length > SEARCHED_FROM && (
        <Input
          aria-label={t('search:switcher.search')}
          placeholder={t('search:switcher.search')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={leaveLetters}
          className="mb-1"
        />
      )}
      <DropdownMenuRadioGroup value={me.space_id}>
        {found.map(({ space_id, space_name, roles }) => (
          <DropdownMenuRadioItem
            key={space_id}
            value={space_id}
            className="py-1.5"
            onSelect={() => {
              if (space_id !== me.space_id) mutate({ spaceId: space_id, campaign: null })
            }}
          >
            <span className="min-w-0">
              <span className="block truncate">{space_name}</span>{' '}
              <span className="text-muted-foreground block truncate text-xs">{rolesOf(roles)}</span>
            </span>
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      {found.length === 0 && <p className="text-muted-foreground px-2.5 py-2">{t('search:switcher.none')}</p>}
    </MenuPanel>
  )
}

/** The menu finds its items by letters too: those that are typed into the search are none of its. */
function leaveLetters(event: KeyboardEvent) {
  if (!['ArrowDown', 'ArrowUp', 'Escape', 'Tab'].includes(event.key)) event.stopPropagation()
}
