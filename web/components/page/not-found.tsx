import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from './page-title.ts'

/** The page of `/not-found` (decisions G-194). */
export function NotFound() {
  const { t } = useTranslation()
  const title = t('notFound.title')
  usePageTitle(title)
  return (
    <EmptyState
      titleAs="h1"
      image={<SearchX aria-hidden className="text-muted-foreground size-10 stroke-[1.25]" />}
      title={title}
      text={t('notFound.text')}
    >
      <Button asChild>
        <Link to="/">{t('notFound.action')}</Link>
      </Button>
    </EmptyState>
  )
}
