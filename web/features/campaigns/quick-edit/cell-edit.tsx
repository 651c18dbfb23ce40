import { Pencil } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import type { ListRow } from '#contract/campaign-list'
import { usePopup } from '@/lib/use-popup'
import { cn } from '@/lib/utils'
import type { QuickEdit } from './use-quick-edit.ts'
import type { EditedField } from './cell-values.ts'

const load = () => import('./cell-editor.tsx')
const CellEditor = lazy(async () => ({ default: (await load()).CellEditor }))

export const EDIT_KEY = 'f2'

type CellEditProps = {
  readonly row: ListRow
  readonly field: EditedField
  /** Names the button; begins with what is shown. */
  readonly label: string
  readonly edit: QuickEdit
  /** What the cell shows; without it the button is a pencil, which appears on hover and focus. */
  readonly children?: ReactNode
}

/** The value of a cell as a button that opens its editor in place. */
export function CellEdit({ row, field, label, edit, children }: CellEditProps) {
  const { shown, trigger, popup } = usePopup('dialog', load)
  const bare = children === undefined
  return (
    <>
      <button
        type="button"
        aria-label={label}
        data-edit={field}
        data-focus={`edit-${field}`}
        // The name has its link as the stop of Tab; F2 opens the editor from there.
        {...(bare ? { tabIndex: -1 } : {})}
        className={cn(
          'group/edit rounded-[3px] text-inherit outline-none focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-primary-ink',
          bare
            ? 'text-muted-foreground hover:text-foreground hover:bg-border -my-[3px] inline-grid size-6 shrink-0 place-items-center opacity-0 transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100'
            : 'hover:text-foreground aria-expanded:text-foreground -my-1 inline-flex min-h-6 items-center gap-1 text-right',
        )}
        {...trigger}
      >
        {bare ? (
          <Pencil aria-hidden className="size-3.5" />
        ) : (
          <span className="border-muted-foreground/55 group-hover/edit:border-foreground border-b border-dotted">{children}</span>
        )}
      </button>
      {shown && (
        <Suspense>
          <CellEditor row={row} field={field} edit={edit} popup={popup} />
        </Suspense>
      )}
    </>
  )
}
