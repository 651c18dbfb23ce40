import { useTranslation } from 'react-i18next'
import { Sheet, SheetContent, SheetTitle } from '@/components/ui/sheet'
import type { Popup } from '@/lib/use-popup'
import { returnFocus } from '@/lib/return-focus'
import { Navigation } from './navigation.tsx'

/** The navigation of a narrow window, over the page. It closes when a page is chosen. */
export function NavigationSheet({ popup: { open, onOpenChange, button } }: { readonly popup: Popup }) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        aria-describedby={undefined}
        className="w-72 gap-3 overflow-y-auto p-3"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          returnFocus(button.current)
        }}
      >
        <SheetTitle className="px-2.5 pt-2 pb-1 text-[15px]">{t('menu.title')}</SheetTitle>
        <Navigation onChosen={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  )
}
