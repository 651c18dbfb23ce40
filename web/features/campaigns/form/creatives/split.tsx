import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Shows the ad's form with a live preview beside it. */
export function Split({ preview, children }: { readonly preview: ReactNode; readonly children: ReactNode }) {
  const { t } = useTranslation('creatives')
  return (
    <div className="flex items-start gap-4">
      <div className="flex min-w-0 grow flex-col gap-4">{children}</div>
      <aside aria-label={t('preview')} className="sticky top-6 w-[268px] shrink-0">
        <p className="text-muted-foreground text-xs mb-1.5 font-medium">{t('preview')}</p>
        {preview}
      </aside>
    </div>
  )
}
