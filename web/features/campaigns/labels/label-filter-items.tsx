import { useTranslation } from 'react-i18next'
import type { AccountLabel } from '#contract/labels'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuCheckboxItem, DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import type { Popup } from '@/lib/use-popup'
import { TONES } from './label-colors.ts'

type LabelFilterItemsProps = {
  readonly labels: readonly AccountLabel[]
  readonly chosen: readonly string[]
  readonly popup: Popup
  readonly onChoose: (ids: readonly string[]) => void
  /** Null for users who may not change labels. */
  readonly onManage: (() => void) | null
}

export function LabelFilterItems({ labels, chosen, popup, onChoose, onManage }: LabelFilterItemsProps) {
  const { t } = useTranslation('labels')
  return (
    <MenuPanel popup={popup} label={t('filter')} align="start" className="max-h-[70vh] max-w-80 min-w-60 overflow-y-auto">
      {labels.map(({ id, name, color }) => (
        <DropdownMenuCheckboxItem
          key={id}
          checked={chosen.includes(id)}
          onCheckedChange={(on) => onChoose(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        >
          <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: TONES[color] }} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
        </DropdownMenuCheckboxItem>
      ))}
      <DropdownMenuSeparator />
      <DropdownMenuItem disabled={chosen.length === 0} onSelect={() => onChoose([])}>
        {t('all')}
      </DropdownMenuItem>
      {onManage !== null && <DropdownMenuItem onSelect={onManage}>{t('manageMenu')}</DropdownMenuItem>}
    </MenuPanel>
  )
}
