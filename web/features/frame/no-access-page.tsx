import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../components/ui/empty-state.tsx'

export function NoAccessPage() {
  const { t } = useTranslation()
  return (
    <EmptyState
      image={<Lock aria-hidden className="text-ink-soft size-10 stroke-[1.25]" />}
      title={t('noAccessTitle')}
      text={t('noAccessText')}
    />
  )
}
