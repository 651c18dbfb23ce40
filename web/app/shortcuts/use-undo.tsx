import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { ShortcutHint } from './shortcut-hint.tsx'
import { useShortcuts } from './shortcuts.ts'

/** How long a change can be undone from its message, milliseconds. */
export const UNDO_MS = 10_000
const UNDO_KEY = 'z'
const TOAST = 'undo'

export type Undoable = {
  readonly text: string
  readonly description?: string
  readonly undo: () => Promise<void>
}

/** The newest change, whichever part of the page made it: its message is the one that is shown. */
let newest: { readonly undo: () => void; readonly until: number } | null = null
const isOpen = () => newest !== null && performance.now() < newest.until

/** Reports changes with an Undo button, which the key Z presses while the page is shown. The newest change replaces the one before. */
export function useUndo() {
  const { t } = useTranslation('campaigns')
  useEffect(
    () => () => {
      newest = null
      toast.dismiss(TOAST)
    },
    [],
  )
  useShortcuts([{ id: 'campaigns.undo', label: t('edit.undo'), keys: [UNDO_KEY], when: isOpen, run: () => newest?.undo() }])
  return ({ text, description, undo }: Undoable) => {
    const once = () => {
      newest = null
      toast.dismiss(TOAST)
      void undo()
    }
    newest = { undo: once, until: performance.now() + UNDO_MS }
    toast.success(text, {
      id: TOAST,
      description,
      duration: UNDO_MS,
      action: {
        label: (
          <span className="flex items-center gap-2">
            {t('edit.undo')}
            <ShortcutHint keys={UNDO_KEY} />
          </span>
        ),
        onClick: once,
      },
    })
  }
}
