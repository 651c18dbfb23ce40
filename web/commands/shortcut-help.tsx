import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ToggleRow } from '../components/toggle-row.tsx'
import { Dialog, DialogBody, DialogContent } from '../components/ui/dialog.tsx'
import { Kbd } from '../components/ui/kbd.tsx'
import { keyName } from './keys.ts'
import { activeShortcuts, useShortcuts, type Shortcut } from './shortcuts.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'

export const HELP = 'shortcuts.help'

/** What has keys, the help itself last. */
const listable = (shortcuts: readonly Shortcut[]) =>
  shortcuts.filter(({ keys }) => keys.length > 0).toSorted((a, b) => Number(a.id === HELP) - Number(b.id === HELP))

/** `?` lists what the keys do on this page, and switches single keys on and off. */
export function ShortcutHelp() {
  const { t } = useTranslation('shortcuts')
  const on = useSingleKeys()
  const [listed, setListed] = useState<readonly Shortcut[] | null>(null)
  useShortcuts([{ id: HELP, label: t('help'), keys: ['?'], run: () => setListed(listable(activeShortcuts())) }])
  return (
    <Dialog open={listed !== null} onOpenChange={(open) => !open && setListed(null)}>
      <DialogContent title={t('title')} description={t('text')}>
        <DialogBody className="pb-6">
          <ul className="divide-hairline divide-y" aria-label={t('title')}>
            {listed?.map(({ id, label, keys }) => (
              <li key={id} className="text-table flex min-h-9 items-center justify-between gap-4">
                <span>{label}</span>
                <span className="flex gap-1">
                  {keys.map((one) => (
                    <Kbd key={one}>{keyName(one)}</Kbd>
                  ))}
                </span>
              </li>
            ))}
          </ul>
          <ToggleRow label={t('single')} help={t('singleHelp')} checked={on} onChange={setSingleKeys} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
