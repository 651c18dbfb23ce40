import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Sheet, SheetClose, SheetContent, SheetTitle } from '@/components/ui/sheet'
import type { Popup } from '@/lib/use-popup'
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
          button.current?.focus()
        }}
      >
        <div className="flex items-center justify-between pl-2.5">
          <SheetTitle className="text-[15px] font-semibold">{t('menu.title')}</SheetTitle>
          <SheetClose asChild>
            <Button variant="ghost" size="icon" aria-label={t('close')}>
              <X aria-hidden />
            </Button>
          </SheetClose>
        </div>
        <Navigation onChosen={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  )
}
