import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activeShortcuts, useShortcuts, type Shortcut } from './shortcuts.ts'
import { HELP } from './ids.ts'

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

/** Shortcuts that have keys, the help itself last. */
const listable = (shortcuts: readonly Shortcut[]) =>
  shortcuts.filter(({ keys }) => keys.length > 0).toSorted((a, b) => Number(a.id === HELP) - Number(b.id === HELP))

/** `?` opens a list of the shortcuts on this page, with a switch for single-key shortcuts. */
export function ShortcutHelp() {
  const { t } = useTranslation('shortcuts')
  const [shown, setShown] = useState(false)
  const [listed, setListed] = useState<readonly Shortcut[] | null>(null)
  const list = () => {
    setShown(true)
    setListed(listable(activeShortcuts()))
  }
  useShortcuts([{ id: HELP, label: t('help'), keys: ['?'], run: list }])
  return (
    shown && (
      <Suspense>
        <ShortcutList listed={listed} onClose={() => setListed(null)} />
      </Suspense>
    )
  )
}
