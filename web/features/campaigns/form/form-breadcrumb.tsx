import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'

export function FormBreadcrumb({ title }: { readonly title: string }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('breadcrumb')}>
      <ol className="flex items-center gap-1.5">
        <li>
          <Link to="/campaigns" className="text-muted-foreground hover:text-foreground rounded-[3px] py-1">
            {t('nav.campaigns')}
          </Link>
        </li>
        <li aria-hidden>
          <ChevronRight className="text-muted-foreground size-4" />
        </li>
        <li className="min-w-0">
          <h1 aria-current="page" className="font-semibold wrap-anywhere">
            {title}
          </h1>
        </li>
      </ol>
    </nav>
  )
}
