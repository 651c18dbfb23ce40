import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Notice } from '../../../../components/ui/notice.tsx'

export function StaleNotice({ onReload }: { readonly onReload: () => void }) {
  const { t } = useTranslation('moderation')
  return (
    <Notice tone="warn" role="alert">
      <TriangleAlert aria-hidden />
      <div className="flex flex-col items-start gap-2">
        <p className="font-semibold">{t('staleTitle')}</p>
        <p>{t('staleText')}</p>
        <Button variant="secondary" size="small" onClick={onReload}>
          {t('reload')}
        </Button>
      </div>
    </Notice>
  )
}
