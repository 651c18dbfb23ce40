import { GripVertical } from 'lucide-react'
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Popup } from '@/lib/use-popup'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuCheckboxItem, DropdownMenuLabel, DropdownMenuSeparator } from '../ui/dropdown-menu.tsx'
import { FEWEST_COLUMNS, movedTo, type Density } from './table-view.ts'

type ChooserColumn = {
  readonly id: string
  readonly label: string
  readonly visible: boolean
  /** False for columns that are always shown. They count as visible and are not listed. */
  readonly hideable: boolean
  /** Offered below the others, without a place of its own yet. */
  readonly further: boolean
}

export type ColumnChoice = {
  /** In the order in which they are shown. */
  readonly columns: readonly ChooserColumn[]
  readonly onHidden: (hidden: readonly string[]) => void
  /** Receives the columns that have a place, in their new order. Without it columns cannot be moved. */
  readonly onOrder?: ((order: readonly string[]) => void) | undefined
  /** Without it there is no choice of the height of rows. */
  readonly density?: Density | undefined
  readonly onDensity: (density: Density) => void
}

export function ColumnChooserItems({
  columns,
  onHidden,
  onOrder,
  density,
  onDensity,
  popup,
}: ColumnChoice & { readonly popup: Popup }) {
  const { t } = useTranslation()
  const fewest = columns.filter(({ visible }) => visible).length <= FEWEST_COLUMNS
  const hidden = columns.filter(({ visible }) => !visible).map(({ id }) => id)
  const listed = columns.filter(({ hideable, further }) => hideable && !further)
  const further = columns.filter((column) => column.further)
  const setVisible = (id: string, show: boolean) => onHidden(show ? hidden.filter((one) => one !== id) : [...hidden, id])
  const { said, movable } = useMoving(listed, onOrder)
  return (
    <>
      <MenuPanel popup={popup} label={t('dataTable.columns')} side="top" align="start">
        {listed.map(({ id, label, visible }, place) => (
          <DropdownMenuCheckboxItem
            key={id}
            checked={visible}
            disabled={visible && fewest}
            onCheckedChange={(show) => setVisible(id, show)}
            className="data-disabled:opacity-50"
            {...movable(id, place)}
          >
            {onOrder !== undefined && <GripVertical aria-hidden className="text-muted-foreground -ml-1 cursor-grab" />}
            {label}
          </DropdownMenuCheckboxItem>
        ))}
        {onOrder !== undefined && <DropdownMenuLabel>{t('dataTable.moveHint')}</DropdownMenuLabel>}
        {further.length > 0 && <DropdownMenuSeparator />}
        {further.map(({ id, label }) => (
          <DropdownMenuCheckboxItem key={id} checked={false} onCheckedChange={(show) => setVisible(id, show)}>
            {label}
          </DropdownMenuCheckboxItem>
        ))}
        {density !== undefined && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuCheckboxItem
              checked={density === 'compact'}
              onCheckedChange={(compact) => onDensity(compact ? 'compact' : 'comfortable')}
            >
              {t('dataTable.compact')}
            </DropdownMenuCheckboxItem>
          </>
        )}
      </MenuPanel>
      <output className="sr-only">{said}</output>
    </>
  )
}

/** Moves columns by Alt with an arrow and by dragging, keeps the focus on the moved one, and says its new place. */
function useMoving(listed: readonly ChooserColumn[], onOrder: ColumnChoice['onOrder']) {
  const { t } = useTranslation()
  const ids = listed.map(({ id }) => id)
  const [moved, setMoved] = useState<{ readonly id: string; readonly place: number } | null>(null)
  const dragged = useRef<string | null>(null)
  const item = useRef<HTMLElement | null>(null)
  // The browser takes the focus away from an element that changes its place.
  useEffect(() => {
    if (moved !== null) item.current?.focus()
  }, [moved])
  const move = (id: string, place: number) => {
    const next = movedTo(ids, id, place)
    if (next === ids) return
    setMoved({ id, place })
    onOrder?.(next)
  }
  const movable = (id: string, place: number) =>
    onOrder === undefined
      ? {}
      : {
          'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown',
          draggable: true,
          onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
            event.preventDefault()
            item.current = event.currentTarget
            move(id, place + (event.key === 'ArrowUp' ? -1 : 1))
          },
          onDragStart: (event: DragEvent<HTMLElement>) => {
            dragged.current = id
            item.current = event.currentTarget
            event.dataTransfer.effectAllowed = 'move'
          },
          onDragOver: (event: DragEvent) => {
            if (dragged.current !== null) event.preventDefault()
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            if (dragged.current !== null) move(dragged.current, place)
            dragged.current = null
          },
        }
  const name = listed.find(({ id }) => id === moved?.id)?.label ?? ''
  const said = moved === null ? '' : t('dataTable.moved', { name, place: moved.place + 1, count: ids.length })
  return { said, movable }
}
