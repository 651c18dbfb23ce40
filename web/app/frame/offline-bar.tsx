import { WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '@/lib/use-online'

/** Says that there is no connection before something fails because of it. */
export function OfflineBar() {
  const { t } = useTranslation()
  const online = useOnline()
  return (
    <output>
      {!online && (
        <span className="bg-warning-tint text-warning flex items-center gap-3 px-4 py-2 text-[0.8125rem]/4.5 lg:px-8">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t('offlineBar')}
        </span>
      )}
    </output>
  )
}
