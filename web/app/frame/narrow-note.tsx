import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'

const KEY = 'DSP_NARROW_NOTE'

/** Recommends a desktop in a window narrower than 1024 px until it is dismissed. Everything works in a narrow window too. */
export function NarrowNote() {
  const { t } = useTranslation()
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(KEY) === 'dismissed')
  if (dismissed) return null
  return (
    <div className="bg-primary-tint text-[0.8125rem]/4.5 flex items-center gap-3 py-1 pr-2 pl-4 lg:hidden">
      <p className="grow">{t('narrow')}</p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('dismiss')}
        onClick={() => {
          localStorage.setItem(KEY, 'dismissed')
          setDismissed(true)
        }}
      >
        <X aria-hidden />
      </Button>
    </div>
  )
}
