import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type PageHeaderProps = { readonly title: string; readonly count?: string | undefined; readonly children?: ReactNode }

export function PageHeader({ title, count, children }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <h1 data-heading tabIndex={-1} className="text-xl outline-none font-semibold tracking-[-0.01em]">
        {title}
      </h1>
      {count !== undefined && <span className="text-muted-foreground tabular-nums">{count}</span>}
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </header>
  )
}

export function usePageTitle(title: string) {
  const { t } = useTranslation()
  const product = t('productName')
  useEffect(() => {
    document.title = `${title} – ${product}`
  }, [title, product])
}
