import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activeShortcuts, useShortcuts, type Shortcut } from './shortcuts.ts'

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

export const HELP = 'shortcuts.help'

/** What has keys, the help itself last. */
const listable = (shortcuts: readonly Shortcut[]) =>
  shortcuts.filter(({ keys }) => keys.length > 0).toSorted((a, b) => Number(a.id === HELP) - Number(b.id === HELP))

/** `?` lists what the keys do on this page, and switches single keys on and off. */
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
