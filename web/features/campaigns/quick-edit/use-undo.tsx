import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { toast } from '@/lib/toast'

/** How long a change can be undone from its message, milliseconds. */
export const UNDO_MS = 10_000
const UNDO_KEY = 'z'
const TOAST = 'quick-edit'

export type Undoable = {
  readonly text: string
  readonly description?: string
  readonly undo: () => Promise<void>
}

/** Reports changes with an Undo button, which the key Z presses while the page is shown. The newest change replaces the one before. */
export function useUndo() {
  const { t } = useTranslation('campaigns')
  const newest = useRef<{ readonly undo: () => void; readonly until: number } | null>(null)
  useEffect(() => () => toast.dismiss(TOAST), [])
  const isOpen = () => newest.current !== null && performance.now() < newest.current.until
  useShortcuts([
    { id: 'campaigns.undo', label: t('edit.undo'), keys: [UNDO_KEY], when: isOpen, run: () => newest.current?.undo() },
  ])
  return ({ text, description, undo }: Undoable) => {
    const once = () => {
      newest.current = null
      toast.dismiss(TOAST)
      void undo()
    }
    newest.current = { undo: once, until: performance.now() + UNDO_MS }
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
