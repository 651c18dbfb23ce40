import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '@/components/page-header'
import { EmptyState } from '@/components/ui/empty-state'

export function NoAccessPage() {
  const { t } = useTranslation()
  const title = t('noAccessTitle')
  usePageTitle(title)
  return (
    <EmptyState
      titleAs="h1"
      image={<Lock aria-hidden className="text-muted-foreground size-10 stroke-[1.25]" />}
      title={title}
      text={t('noAccessText')}
    />
  )
}
