import { useTranslation } from 'react-i18next'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuCheckboxItem, DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { statusName } from '@/data/campaign-status'
import type { Popup } from '@/lib/use-popup'

export type StatusFilterProps = {
  /** Keys of statuses; empty for every status. */
  readonly chosen: readonly number[]
  readonly onChoose: (keys: readonly number[]) => void
}

export function StatusFilterItems({ chosen, onChoose, popup }: StatusFilterProps & { readonly popup: Popup }) {
  const { t } = useTranslation(['campaigns', 'status'])
  return (
    <MenuPanel popup={popup} label={t('campaigns:statusFilter')} align="start" className="min-w-60">
      {STATUS_KEYS.map((key) => (
        <DropdownMenuCheckboxItem
          key={key}
          checked={chosen.includes(key)}
          onCheckedChange={(on) => onChoose(on ? [...chosen, key] : chosen.filter((one) => one !== key))}
        >
          {t(`status:label.${statusName(key)}`)}
        </DropdownMenuCheckboxItem>
      ))}
      <DropdownMenuSeparator />
      <DropdownMenuItem disabled={chosen.length === 0} onSelect={() => onChoose([])}>
        {t('status:label.all')}
      </DropdownMenuItem>
    </MenuPanel>
  )
}
