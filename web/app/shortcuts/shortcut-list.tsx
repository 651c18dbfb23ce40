import { useTranslation } from 'react-i18next'
import { ToggleRow } from '@/components/form/toggle-row'
import { DialogPanelBody, DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { Kbd } from '@/components/ui/kbd'
import { keyName } from './keys.ts'
import type { Shortcut } from './shortcuts.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'

type ShortcutListProps = { readonly listed: readonly Shortcut[] | null; readonly onClose: () => void }

export function ShortcutList({ listed, onClose }: ShortcutListProps) {
  const { t } = useTranslation('shortcuts')
  const on = useSingleKeys()
  return (
    <Dialog open={listed !== null} onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('title')} description={t('text')}>
        <DialogPanelBody className="pb-6">
          <ul className="divide-border divide-y" aria-label={t('title')}>
            {listed?.map(({ id, label, keys }) => (
              <li key={id} className="text-[0.8125rem]/4.5 flex min-h-9 items-center justify-between gap-4">
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
        </DialogPanelBody>
      </DialogPanel>
    </Dialog>
  )
}
