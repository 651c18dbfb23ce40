import { useTranslation } from 'react-i18next'
import { ROLES } from '#domain/kit/access'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from '@/components/ui/dropdown-menu'
import type { Popup } from '@/lib/use-popup'
import { useMe } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'

/** The user's accounts with the roles in each; the current one is ticked. Letters lead to the account that begins with them. */
export function AccountSwitcherItems({ popup }: { readonly popup: Popup }) {
  const { t } = useTranslation(['search', 'common'])
  const me = useMe()
  const { mutate } = useSwitchAccount()
  const rolesOf = (own: readonly string[]) =>
    ROLES.filter((role) => own.includes(role))
      .map((role) => t(`common:role.${role}`))
      .join(', ')
  return (
    <MenuPanel popup={popup} label={t('search:switcher.list')} align="start" className="max-h-96 w-64 overflow-y-auto">
      <DropdownMenuRadioGroup value={me.space_id}>
        {me.accounts.map(({ space_id, space_name, roles }) => (
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
    </MenuPanel>
  )
}
