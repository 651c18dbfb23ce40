import { useTranslation } from 'react-i18next'
import type { Popup } from '@/lib/use-popup'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuCheckboxItem } from '../ui/dropdown-menu.tsx'
import { FEWEST_COLUMNS } from './table-view.ts'

export type ChooserColumn = {
  readonly id: string
  readonly label: string
  readonly visible: boolean
  /** False for columns that are always shown. They count as visible and are not listed. */
  readonly hideable: boolean
}

type ColumnChooserItemsProps = {
  readonly columns: readonly ChooserColumn[]
  readonly onHidden: (hidden: readonly string[]) => void
  readonly popup: Popup
}

export function ColumnChooserItems({ columns, onHidden, popup }: ColumnChooserItemsProps) {
  const { t } = useTranslation()
  const fewest = columns.filter(({ visible }) => visible).length <= FEWEST_COLUMNS
  const hidden = columns.filter(({ visible }) => !visible).map(({ id }) => id)
  return (
    <MenuPanel popup={popup} label={t('dataTable.columns')} side="top" align="start">
      {columns
        .filter(({ hideable }) => hideable)
        .map(({ id, label, visible }) => (
          <DropdownMenuCheckboxItem
            key={id}
            checked={visible}
            disabled={visible && fewest}
            onCheckedChange={(show) => onHidden(show ? hidden.filter((one) => one !== id) : [...hidden, id])}
            className="data-disabled:opacity-50"
          >
            {label}
          </DropdownMenuCheckboxItem>
        ))}
    </MenuPanel>
  )
}
