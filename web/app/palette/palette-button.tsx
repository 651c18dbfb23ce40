import { Search } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PALETTE } from '../shortcuts/ids.ts'
import { ariaKeys, isDialogOpen } from '../shortcuts/keys.ts'
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx'
import { Button } from '@/components/ui/button'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { usePopup } from '@/lib/use-popup'

const load = () => import('./command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }))

const KEYS = 'mod+k'

/** Opens the command palette for navigation, campaign search and actions, by its button or by ⌘K anywhere. */
export function PaletteButton() {
  const { t } = useTranslation('palette')
  const { shown, trigger, popup } = usePopup('dialog', load)
  useShortcuts([{ id: PALETTE, label: t('open'), keys: [KEYS], when: () => popup.open || !isDialogOpen(), run: trigger.onClick }])
  return (
    <>
      <Button
        variant="outline"
        aria-keyshortcuts={ariaKeys([KEYS])}
        {...trigger}
        className="border-input text-muted-foreground enabled:hover:text-foreground text-[0.8125rem]/4.5 gap-2.5 px-2.5 font-normal lg:mb-3 lg:w-full"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="grow text-left max-lg:sr-only">{t('button')}</span>
        <span className="max-lg:hidden">
          <ShortcutHint keys={KEYS} />
        </span>
      </Button>
      {shown && (
        <Suspense>
          <CommandPalette popup={popup} />
        </Suspense>
      )}
    </>
  )
}
